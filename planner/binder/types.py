"""Type names of SQL text as SQL types."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from .. import messages
from ..errors import Span
from ..frontend.spans import span_of
from ..types import (
    BIGINT,
    BLOB,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    HUGEINT,
    INTEGER,
    INTERVAL,
    MAX_DECIMAL_WIDTH,
    SMALLINT,
    TIME,
    TIMESTAMP,
    TIMESTAMP_MS,
    TIMESTAMP_NS,
    TIMESTAMP_S,
    TIMESTAMPTZ,
    TINYINT,
    UBIGINT,
    UINTEGER,
    USMALLINT,
    UTINYINT,
    VARCHAR,
    SQLType,
    decimal,
    list_of,
    map_of,
    struct_of,
)
from .guard import reject_unknown_args

_D = exp.DataType.Type
_PLAIN: dict[Any, SQLType] = {
    _D.BOOLEAN: BOOLEAN,
    _D.TINYINT: TINYINT,
    _D.SMALLINT: SMALLINT,
    _D.INT: INTEGER,
    _D.BIGINT: BIGINT,
    _D.INT128: HUGEINT,
    _D.UTINYINT: UTINYINT,
    _D.USMALLINT: USMALLINT,
    _D.UINT: UINTEGER,
    _D.UBIGINT: UBIGINT,
    _D.FLOAT: FLOAT,
    _D.DOUBLE: DOUBLE,
    _D.VARCHAR: VARCHAR,
    _D.TEXT: VARCHAR,
    _D.CHAR: VARCHAR,
    _D.NCHAR: VARCHAR,
    _D.NVARCHAR: VARCHAR,
    _D.BPCHAR: VARCHAR,
    _D.NAME: VARCHAR,
    _D.BINARY: BLOB,
    _D.VARBINARY: BLOB,
    _D.BLOB: BLOB,
    _D.DATE: DATE,
    _D.TIME: TIME,
    _D.TIMESTAMP: TIMESTAMP,
    _D.TIMESTAMPNTZ: TIMESTAMP,
    _D.DATETIME: TIMESTAMP,
    _D.TIMESTAMP_S: TIMESTAMP_S,
    _D.TIMESTAMP_MS: TIMESTAMP_MS,
    _D.TIMESTAMP_NS: TIMESTAMP_NS,
    _D.TIMESTAMPTZ: TIMESTAMPTZ,
    _D.TIMESTAMPLTZ: TIMESTAMPTZ,
    _D.INTERVAL: INTERVAL,
}
_DECIMALS = frozenset({_D.DECIMAL, _D.BIGDECIMAL})
_LISTS = frozenset({_D.LIST, _D.ARRAY})
# Texts such as VARCHAR(10) take a length, which has no effect.
_LENGTHS = frozenset({_D.VARCHAR, _D.TEXT, _D.CHAR, _D.NCHAR, _D.NVARCHAR, _D.BPCHAR})
_NAMES = (*(str(t) for t in dict.fromkeys(_PLAIN.values())), "DECIMAL")


def bind_type(node: exp.Expr, span: Span | None = None) -> SQLType:
    """The SQL type that a type name stands for; `span` is where to point when the name has no position.

    Raises CatalogError for an unknown name, UnsupportedError for types not built, BinderError for a bad
    DECIMAL.
    """
    span = span_of(node) or span
    if not isinstance(node, exp.DataType):
        raise messages.unknown_type(node.name, _NAMES, span)
    kind = node.this
    params = node.expressions
    if kind in _DECIMALS:
        return _decimal(params, span)
    if kind in _PLAIN:
        if params and kind not in _LENGTHS:
            raise messages.unsupported(f"Parameters of type {_PLAIN[kind]} are", span)
        return _PLAIN[kind]
    if kind in _LISTS and len(params) == 1 and not node.args.get("values"):
        return list_of(bind_type(params[0], span))
    if kind is _D.MAP and len(params) == 2:
        return map_of(bind_type(params[0], span), bind_type(params[1], span))
    if kind is _D.STRUCT:
        return struct_of(
            *((p.name, bind_type(p.args["kind"], span)) for p in params if isinstance(p, exp.ColumnDef))
        )
    if kind is _D.USERDEFINED:
        raise messages.unknown_type(str(node.args.get("kind") or "?"), _NAMES, span)
    raise messages.unsupported(f"Type {getattr(kind, 'value', kind)} is", span)


def _decimal(params: list[exp.Expr], span: Span | None) -> SQLType:
    numbers = []
    for param in params:
        inner = param.this if isinstance(param, exp.DataTypeParam) else param
        reject_unknown_args(inner, "this", span=span)
        if not isinstance(inner, exp.Literal) or not str(inner.this).isdigit():
            raise messages.syntax("The width and scale of a DECIMAL are whole numbers", span)
        numbers.append(int(inner.this))
    width, scale = {0: (18, 3), 1: (*numbers, 0)}.get(len(numbers), tuple(numbers[:2]))
    if len(numbers) > 2 or not (1 <= width <= MAX_DECIMAL_WIDTH and 0 <= scale <= width):
        raise messages.bad_decimal(width, scale, span)
    return decimal(width, scale)
