"""Nothing the parser accepted is ignored: every non-empty part of a syntax node is either known or refused by
name.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlglot import exp

from .. import messages
from ..frontend import span_of

# What users call the parts that we refuse, by the name sqlglot gives them.
_NAMES: dict[str, str] = {
    "alternative": "INSERT OR REPLACE and INSERT OR IGNORE are",
    "by_name": "BY NAME is",
    "cluster": "CLUSTER BY is",
    "conflict": "ON CONFLICT is",
    "connect": "CONNECT BY is",
    "distribute": "DISTRIBUTE BY is",
    "format": "FORMAT is",
    "hint": "Optimizer hints are",
    "into": "SELECT INTO is",
    "kind": "SELECT AS STRUCT is",
    "laterals": "LATERAL VIEW is",
    "limit_options": "LIMIT with a percentage is",
    "locks": "FOR UPDATE is",
    "match": "MATCH_RECOGNIZE is",
    "operation_modifiers": "This SELECT modifier is",
    "ordinality": "WITH ORDINALITY is",
    "pivots": "PIVOT is",
    "prewhere": "PREWHERE is",
    "returning": "RETURNING is",
    "sample": "TABLESAMPLE is",
    "settings": "SETTINGS is",
    "sort": "SORT BY is",
    "version": "Time travel is",
    "when": "Time travel is",
}


def refuse_unknown(node: exp.Expr, known: Collection[str]) -> None:
    """Raises UnsupportedError for the first non-empty entry of `node.args` that is not in `known`."""
    for name, value in node.args.items():
        if name in known or value is None or value is False or value == []:
            continue
        part = value[0] if isinstance(value, list) else value
        span = span_of(part) if isinstance(part, exp.Expr) else None
        raise messages.unsupported(
            _NAMES.get(name, f"{name.upper().replace('_', ' ')} is"), span or span_of(node)
        )
