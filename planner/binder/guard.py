"""Nothing of the syntax tree is ignored: what a handler does not know is refused by name.

The parser accepts more than DuckDB; a clause that nobody looks at would change the meaning in silence.
"""

from __future__ import annotations

import re

from sqlglot import exp

from .. import messages
from ..errors import Span, UnsupportedError
from ..frontend.spans import span_of

_NAMES = {
    "except_": "EXCLUDE",
    "replace": "REPLACE",
    "format": "FORMAT in CAST",
    "zone": "The time zone",
    "escape": "ESCAPE",
    "over": "OVER",
}


_CONSTRUCTS: dict[type[exp.Expr], str] = {
    exp.Slice: "Slices outside of subscripts are",
    exp.Concat: "Strings put side by side are",
    exp.JSONExtract: "The operator -> is",
    exp.JSONExtractScalar: "The operator ->> is",
    exp.Collate: "Collations are",
    exp.Alias: "An alias inside an expression is",
}


def unsupported_construct(node: exp.Expr) -> UnsupportedError:
    """The error for a kind of syntax node that nobody binds."""
    phrase = _CONSTRUCTS.get(type(node), f"{construct_name(node)} is")
    return messages.unsupported(phrase, span_of(node))


def construct_name(node: exp.Expr) -> str:
    """A readable name of a kind of syntax node.

    >>> construct_name(exp.AtTimeZone())
    'AT TIME ZONE'
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(node).__name__)
    return words.upper()


def reject_unknown_args(node: exp.Expr, *known: str, span: Span | None = None) -> None:
    """Raises UnsupportedError for the first non-empty entry of `node.args` that is not among `known`."""
    for key, value in node.args.items():
        if value in (None, False, "") or value == [] or key in known:
            continue
        first = value[0] if isinstance(value, list) else value
        place = span_of(first) if isinstance(first, exp.Expr) else None
        what = _NAMES.get(key, f"{key.strip('_').upper().replace('_', ' ')} in {construct_name(node)}")
        raise messages.unsupported(f"{what} is", place or span_of(node) or span)
