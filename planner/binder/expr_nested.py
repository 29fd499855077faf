"""Lists, structs and maps as they are written, and calls with names or lambdas among their arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from .. import messages, messages_nested
from ..errors import Span
from ..expr import Call, Expr
from ..frontend.spans import span_of, token_span
from ..types import struct_of
from .calls import call
from .expr_core import ExpressionBinder, binds
from .expr_lambdas import bind_comprehension, bind_lambda_call
from .fields import field_at
from .guard import reject_unknown_args
from .nested_calls import list_value, slice_of, subscript


@binds(exp.Array)
def _array(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "expressions", "bracket_notation")
    items = node.expressions
    if len(items) == 1 and isinstance(items[0], exp.Comprehension):
        return bind_comprehension(binder, items[0])
    return list_value(binder.bind_all(items), span_of(node))


@binds(exp.Bracket)
def _bracket(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "expressions")
    value = binder.bind(node.this)
    (index,) = node.expressions or (None,)
    span = span_of(node)
    if index is None:
        raise messages.syntax("A subscript needs an index", span)
    if isinstance(index, exp.Slice):
        reject_unknown_args(index, "this", "expression", "step")
        parts = [index.args.get(key) for key in ("this", "expression", "step")]
        begin, end, step = (None if part is None else binder.bind(part) for part in parts)
        return slice_of(value, begin, end, step, span)
    return subscript(value, binder.bind(index), span)


def struct(names: Sequence[str], values: Sequence[Expr], span: Span | None) -> Expr:
    """A STRUCT of named fields. Raises BinderError for a name that comes twice."""
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen:
            raise messages_nested.bad_struct(f'Duplicate struct entry name "{name}"', span)
        seen.add(name.lower())
    kind = struct_of(*((name, value.type) for name, value in zip(names, values, strict=True)))
    return Call(kind, "struct_pack", tuple(values), span=span)


@binds(exp.Struct)
def _struct(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "expressions")
    names, values = _named(binder, node.expressions, span_of(node))
    if not names:
        raise messages.syntax("A struct needs a field", span_of(node))
    return struct(names, values, span_of(node))


def _named(
    binder: ExpressionBinder, nodes: Sequence[exp.Expr], span: Span | None
) -> tuple[list[str], list[Expr]]:
    """Names and values of `name := value`, of `name = value`, and of columns, which name themselves."""
    names: list[str] = []
    values: list[Expr] = []
    for node in nodes:
        if isinstance(node, exp.PropertyEQ | exp.Kwarg | exp.Alias):
            given = node.args["alias"] if isinstance(node, exp.Alias) else node.this
            names.append(given.name)
            values.append(binder.bind(node.this if isinstance(node, exp.Alias) else node.expression))
        elif isinstance(node, exp.Column):
            names.append(node.name)
            values.append(binder.bind(node))
        else:
            raise messages_nested.bad_struct(
                "Need named argument for struct pack, e.g., STRUCT_PACK(a := b)", span_of(node) or span
            )
    return names, values


def _struct_pack(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    names, values = _named(binder, node.expressions, token_span(node))
    if not names:
        raise messages_nested.bad_struct("Can't pack nothing into a struct", token_span(node))
    return struct(names, values, span_of(node))


def _row(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    if any(isinstance(arg, exp.PropertyEQ | exp.Kwarg) for arg in node.expressions):
        return _struct_pack(binder, node)
    values = binder.bind_all(node.expressions)
    return Call(struct_of(*(("", v.type) for v in values)), "struct_pack", values, span=span_of(node))


def _struct_insert(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    """The struct with further fields; struct_update also takes fields that it has."""
    span = span_of(node)
    if not node.expressions:
        raise messages.wrong_argument_count(
            node.name.lower(), "a struct and named values", 0, token_span(node)
        )
    held = binder.bind(node.expressions[0])
    if not held.type.is_struct or held.type.is_tuple:
        raise messages.bad_argument(
            node.name.lower(), "The first argument must be a STRUCT", held.span or span
        )
    names, values = _named(binder, node.expressions[1:], span)
    if not names:
        raise messages_nested.bad_struct("Can't insert nothing into a STRUCT", token_span(node))
    new = {name.lower(): value for name, value in zip(names, values, strict=True)}
    update = node.name.lower() == "struct_update"
    all_names = [name for name, _ in held.type.fields]
    fields = [
        new.pop(name.lower()) if update and name.lower() in new else field_at(held, place, span)
        for place, name in enumerate(all_names)
    ]
    rest = [(n, v) for n, v in zip(names, values, strict=True) if not update or n.lower() in new]
    return struct([*all_names, *(n for n, _ in rest)], [*fields, *(v for _, v in rest)], span)


def _struct_concat(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    parts = binder.bind_all(node.expressions)
    span = span_of(node)
    names: list[str] = []
    fields: list[Expr] = []
    for part in parts:
        if not part.type.is_struct:
            raise messages.bad_argument("struct_concat", "all arguments must be STRUCTs", part.span or span)
        names += [name for name, _ in part.type.fields]
        fields += [field_at(part, place, span) for place in range(len(part.type.fields))]
    if parts and all(part.type.is_tuple for part in parts):
        return Call(struct_of(*(("", f.type) for f in fields)), "struct_pack", tuple(fields), span=span)
    return struct(names, fields, span)


@binds(exp.ToMap)
def _to_map(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    """MAP {key: value, ...}."""
    reject_unknown_args(node, "this")
    pairs = node.this.expressions
    span = span_of(node)
    keys = list_value(binder.bind_all([pair.this for pair in pairs]), span)
    values = list_value(binder.bind_all([pair.expression for pair in pairs]), span)
    return call("map", (keys, values), span)


_PAIRS = {exp.ArrayContainsAll: "list_has_all", exp.ArrayOverlaps: "list_has_any"}


@binds(*_PAIRS)
def _pair(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "expression")
    args = (binder.bind(node.this), binder.bind(node.args["expression"]))
    return call(_PAIRS[type(node)], args, span_of(node))


@binds(exp.ArrayContainedBy)
def _contained(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "expression")
    args = (binder.bind(node.args["expression"]), binder.bind(node.this))
    return call("list_has_all", args, span_of(node), "<@")


def _array_of_query(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    from .expr_subqueries import bind_array

    if len(node.expressions) != 1 or not isinstance(node.expressions[0], exp.Query | exp.Values):
        raise messages.syntax("ARRAY(...) takes a query", token_span(node))
    return bind_array(binder, node.expressions[0], span_of(node))


def _unnest(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    from .unnests import bind_unnest  # which binds FROM too

    return bind_unnest(binder, node)


_LAMBDAS = {
    "list_transform": ("list_transform", "array_transform", "list_apply", "array_apply", "apply"),
    "list_filter": ("list_filter", "array_filter", "filter"),
    "list_reduce": ("list_reduce", "array_reduce", "reduce"),
}

# Calls whose arguments are not all expressions, by lower-case name.
WITH_SYNTAX: dict[str, Callable[[ExpressionBinder, exp.Expr], Expr]] = {
    "struct_pack": _struct_pack,
    "row": _row,
    "struct_insert": _struct_insert,
    "struct_update": _struct_insert,
    "struct_concat": _struct_concat,
    **dict.fromkeys(("unnest", "unlist"), _unnest),
    "array": _array_of_query,
    **{
        name: (lambda binder, node, canonical=canonical: bind_lambda_call(binder, canonical, node))
        for canonical, names in _LAMBDAS.items()
        for name in names
    },
}
