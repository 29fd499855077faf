"""DROP TABLE and DROP VIEW."""

from __future__ import annotations

from sqlglot import exp

from .. import messages
from ..frontend import span_of
from ..statements import Drop
from .checks import refuse_unknown
from .tables import table_name


def bind_drop(node: exp.Drop) -> Drop:
    """One name; whether it exists is checked when the statement runs, against the catalog of that moment."""
    refuse_unknown(node, ("exists", "tables", "kind", "restrict", "cascade"))
    tables = node.args["tables"]
    if len(tables) > 1:
        raise messages.unsupported("More than one name in DROP is", span_of(tables[1]))
    parts = own_name(tables[0])
    kind = str(node.args["kind"]).lower()
    return Drop("macro" if kind == "function" else kind, parts, bool(node.args.get("exists")))


def own_name(node: exp.Expr) -> str:
    """The name of a table in this database: a schema before it can only be main. Raises UnsupportedError for
    others.
    """
    assert isinstance(node, exp.Table)
    refuse_unknown(node, ("this", "db", "catalog"))
    *qualifiers, name = table_name(node)
    allowed = (["main"], ["memory", "main"], ["memory"], ["temp"], ["temp", "main"], [])
    if [q.lower() for q in qualifiers] not in allowed:
        raise messages.unsupported(f'Schema "{".".join(qualifiers)}" is', span_of(node))
    return name
