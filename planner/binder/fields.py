"""Fields of structs (and values of maps) by name."""

from __future__ import annotations

from collections.abc import Sequence

from .. import messages_nested as messages
from ..errors import Span
from ..expr import Call, Expr, Literal
from ..types import BIGINT, SQLType


def field_place(kind: SQLType, name: str, span: Span | None) -> int:
    """Where a STRUCT has the field called `name`. Raises BinderError with candidates."""
    for place, (known, _) in enumerate(kind.fields):
        if known.lower() == name.lower() and known:
            return place
    raise messages.no_such_field(name, [known for known, _ in kind.fields], span)


def field_at(value: Expr, place: int, span: Span | None) -> Expr:
    """The field at a place, from 0."""
    kind = value.type.fields[place][1]
    return Call(kind, "struct_extract", (value, Literal(BIGINT, place + 1)), span=span)


def fields_along(value: Expr, names: Sequence[str], span: Span | None) -> Expr:
    """`value.a.b`, or the value itself for no names."""
    for name in names:
        if value.type.is_map:
            from ..types import VARCHAR
            from .nested_calls import map_value

            value = map_value(value, Literal(VARCHAR, name, span=span), span)
            continue
        if not value.type.is_struct:
            raise messages.no_fields(value.type, span)
        value = field_at(value, field_place(value.type, name, span), span)
    return value
