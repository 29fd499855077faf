"""COPY: a query whose columns are made ready for the format, or an INSERT from a file's table function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp

from .. import messages_copy as messages
from .. import messages_query
from ..catalog import View
from ..copy_options import Destination, boolean, destination, format_of, text
from ..errors import SqlError
from ..expr import Expr, Literal, ref
from ..frontend import span_of
from ..frontend.copy_command import CopyCommand
from ..logical import Plan
from ..parquet_types import refuse_for_parquet
from ..statements import CopyFrom, CopyTo, Query
from ..types import DOUBLE, VARCHAR, SQLType, TypeId
from .calls import call
from .casting import cast_to
from .constants import constant_argument
from .drop import own_name
from .environment import Environment
from .expression import BindQuery
from .insert import bind_insert
from .plans import project

_STAMPS = (
    TypeId.TIMESTAMP, TypeId.TIMESTAMP_S, TypeId.TIMESTAMP_MS, TypeId.TIMESTAMP_NS, TypeId.TIMESTAMPTZ
)  # fmt: skip
# A DECIMAL of up to this many digits is written to JSON as the DOUBLE that it is read as.
_DOUBLE_DIGITS = 15
_READERS = {"csv": "read_csv", "json": "read_json", "parquet": "read_parquet"}


def bind_copy(node: CopyCommand, env: Environment, bind_query: BindQuery) -> CopyTo | CopyFrom:
    """COPY in either direction."""
    path = constant_argument(node.path, "COPY", env, bind_query)
    if not isinstance(path, str):
        raise messages.path_expected(node.path_span)
    options: dict[str, Any] = {}
    for option in node.options:
        if option.name in options:
            raise messages.repeated_option(option.name, option.span)
        value = option.value
        if isinstance(value, exp.Expr):
            value = constant_argument(value, "COPY", env, bind_query)
        options[option.name] = value
    if node.query is None:
        return _copy_from(node, path, options, env, bind_query)
    bound = bind_query(node.query, env)
    try:
        where = destination(path, options, bound.names)
    except SqlError as error:
        error.span = error.span or node.path_span
        raise
    types = tuple(column.type for column in bound.plan.schema)
    if where.format == "parquet":
        for name, kind in zip(bound.names, types, strict=True):
            refuse_for_parquet(name, kind)
        plan = bound.plan
    else:
        plan = _as_texts(bound.plan, bound.names, where, env)
    return CopyTo(Query(plan, bound.names), types, where)


def _as_texts(plan: Plan, names: Sequence[str], where: Destination, env: Environment) -> Plan:
    """All columns as VARCHAR, but nested ones."""
    exprs = [_as_text(ref(column), where) for column in plan.schema]
    return project(env.context.ids, plan, names, exprs)


def _as_text(expr: Expr, where: Destination) -> Expr:
    kind = expr.type
    if kind.is_nested:
        return expr
    shown = where.formats.get("date" if kind.id is TypeId.DATE else "timestamp")
    if shown is not None and (kind.id is TypeId.DATE or kind.id in _STAMPS):
        return call("strftime", [expr, Literal(VARCHAR, shown)])
    if where.format == "json" and _is_double(kind):
        expr = cast_to(expr, DOUBLE)
    return cast_to(expr, VARCHAR)


def _is_double(kind: SQLType) -> bool:
    return kind.id is TypeId.FLOAT or (kind.is_decimal and kind.width <= _DOUBLE_DIGITS)


def _copy_from(
    node: CopyCommand, path: str, options: Mapping[str, Any], env: Environment, bind_query: BindQuery
) -> CopyFrom:
    """INSERT INTO table (columns) SELECT * FROM read_...(path, the columns with their types, options)."""
    assert node.table is not None
    name = own_name(node.table)
    table = env.context.catalog.lookup((name,))
    if table is None:
        raise messages_query.unknown_table(name, env.context.catalog.names(), span_of(node.table))
    if isinstance(table, View):
        raise messages_query.not_a_table(name, "view", span_of(node.table))
    left = dict(options)
    form = left.pop("format", None)
    form = text("format", form).lower() if form is not None else format_of(path) or "csv"
    if form not in _READERS:
        raise messages.unknown_format(form, tuple(_READERS))
    listed = [column.this.lower() for column in node.columns]
    columns = {column.name.lower(): column for column in table.columns}
    unknown = next((column for column in node.columns if column.this.lower() not in columns), None)
    if unknown is not None:
        known = [column.name for column in table.columns]
        raise messages_query.unknown_column_of(table.name, unknown.this, known, span_of(unknown))
    chosen = [columns[key] for key in listed] if listed else list(table.columns)
    if form == "json" and "array" in left and boolean("array", left.pop("array")):
        left["format"] = "array"
    if form != "parquet":
        left["columns"] = {column.name: str(column.type) for column in chosen}
    arguments = [exp.Literal.string(path), *(_named(key, value) for key, value in left.items())]
    reader = exp.Anonymous(this=_READERS[form], expressions=arguments)
    reader.meta.update(start=node.path_span.start, end=node.path_span.end - 1)
    source = exp.Select(expressions=[exp.Star()], from_=exp.From(this=exp.Table(this=reader)))
    target: exp.Expr = node.table
    if node.columns:
        target = exp.Schema(this=target, expressions=list(node.columns))
    return CopyFrom(bind_insert(exp.Insert(this=target, expression=source), env, bind_query))


def _named(key: str, value: Any) -> exp.Expr:
    return exp.PropertyEQ(this=exp.to_identifier(key), expression=_tree(value))


def _tree(value: Any) -> exp.Expr:
    """A Python value as the syntax tree that stands for it."""
    match value:
        case bool():
            return exp.Boolean(this=value)
        case dict():
            pairs = [
                exp.PropertyEQ(this=exp.Identifier(this=name, quoted=True), expression=_tree(item))
                for name, item in value.items()
            ]
            return exp.Struct(expressions=pairs)
        case list() | tuple():
            return exp.Array(expressions=[_tree(item) for item in value])
        case int():
            return exp.Literal.number(value)
        case None:
            return exp.Null()
        case _:
            return exp.Literal.string(str(value))
