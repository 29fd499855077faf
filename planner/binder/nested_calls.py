"""Calls of functions of lists, structs and maps that are bound to others, by the types of their arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import messages, messages_nested
from ..coercion import arg_type, common_type
from ..errors import Span
from ..expr import Call, Case, Comparison, Expr, Literal
from ..folding import NotConstant, constant_value
from ..functions import find_aggregate
from ..types import BIGINT, BOOLEAN, NULL, VARCHAR, list_of
from .calls import call, constant_of, resolve_call, with_constants
from .casting import cast_all, cast_to, unify
from .fields import field_at, field_place

Special = Callable[[str, Sequence[Expr], Span | None, Span | None], Expr]


def list_value(args: Sequence[Expr], span: Span | None) -> Expr:
    """A list of the values, as their common type."""
    items = unify(args, "a list") if args else ()
    element = items[0].type if items else NULL
    return Call(list_of(element), "list_value", tuple(items), span=span)


def contains(held: Expr, value: Expr, span: Span | None) -> Expr:
    """`value IN held`, `contains(held, value)`: of a list, of the keys of a map, or of a text."""
    if held.type.is_map:
        return call("map_contains", (held, value), span, "contains")
    if held.type.is_list:
        return _with_element("list_contains", held, value, span)
    if held.type == NULL and not value.type.is_string:
        return Literal(BOOLEAN, None, span=span)
    return call("contains", (held, value), span)


def _with_element(name: str, held: Expr, value: Expr, span: Span | None, shown: str | None = None) -> Expr:
    """A call of a list and a value; a constant takes the type of the elements."""
    if held.type.is_list:
        element = common_type((held.type.element, arg_type(value)))
        if element is not None and (
            held.type.element == NULL
            or not value.type.is_string
            or element.is_string
            or isinstance(value, Literal)
        ):
            held, value = cast_to(held, list_of(element)), cast_to(value, element)
    return call(name, (held, value), span, shown or name)


def _searched(canonical: str) -> Special:
    def bound(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
        if len(args) != 2:
            return call(canonical, args, span, name)
        return _with_element(canonical, args[0], args[1], span, name)

    return bound


def _contains(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    return contains(args[0], args[1], span) if len(args) == 2 else call("contains", args, span, name)


def _list_value(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    return list_value(args, span)


def subscript(value: Expr, index: Expr, span: Span | None) -> Expr:
    """`value[index]`: an element, a character, a field or the value of a key."""
    kind = value.type
    if kind.is_map:
        return map_value(value, index, span)
    if kind.is_struct:
        return _field(value, index, span)
    if index.type == NULL and (kind.is_list or kind.is_string):
        return constant_of(Literal(NULL, None, span=span), value)
    if kind.is_string:
        return call("list_slice", (value, index, index), span, "array_extract")
    if kind == NULL:
        return Literal(VARCHAR, None, span=span)
    if not kind.is_list:
        raise messages.no_matching_function(
            "array_extract", [kind, index.type], ["array_extract(T[], BIGINT)"], span
        )
    return call("list_extract", (value, index), span, "array_extract")


def _field(value: Expr, index: Expr, span: Span | None) -> Expr:
    try:
        key = constant_value(index)
    except NotConstant:
        raise messages.constant_argument("struct_extract", "the name of the field", index.span) from None
    if isinstance(key, str) and not value.type.is_tuple:
        return field_at(value, field_place(value.type, key, index.span or span), span)
    if isinstance(key, int) and not isinstance(key, bool):
        if not value.type.is_tuple:
            raise messages_nested.bad_struct(
                "struct_extract with an integer key can only be used on unnamed structs, "
                "use a string key instead",
                index.span or span,
            )
        size = len(value.type.fields)
        if not 1 <= key <= size:
            raise messages_nested.bad_struct(
                f"Key index {key} for struct_extract out of range - expected an index between 1 and {size}",
                index.span or span,
            )
        return field_at(value, key - 1, span)
    raise messages_nested.no_such_field(str(key), [name for name, _ in value.type.fields], index.span or span)


def map_value(value: Expr, key: Expr, span: Span | None) -> Expr:
    """`map[key]`: NULL where there is no such key."""
    wanted = common_type((value.type.fields[0][1], arg_type(key)))
    return call(
        "map_extract_value", (value, key if wanted is None else cast_to(key, wanted)), span, "map_extract"
    )


def slice_of(value: Expr, begin: Expr | None, end: Expr | None, step: Expr | None, span: Span | None) -> Expr:
    """`value[begin:end:step]`; None for what is left out."""
    if value.type.is_string:
        if step is not None:
            raise messages.unsupported("Slices of texts with a step are", span, "Use list_slice of a list.")
    first = begin or Literal(BIGINT, 1)
    last = end or Literal(BIGINT, -1)
    if step is not None and (begin is None or end is None):
        down = call("sign", (step,), span)
        back = Comparison(BOOLEAN, "<", cast_to(down, BIGINT), Literal(BIGINT, 0))
        if begin is None:
            first = Case(BIGINT, ((back, Literal(BIGINT, -1)),), Literal(BIGINT, 1))
        if end is None:
            last = Case(BIGINT, ((back, Literal(BIGINT, 1)),), Literal(BIGINT, -1))
    args = (value, first, last) if step is None else (value, first, last, step)
    return call("list_slice", args, span, "array_slice")


def _extract(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    if len(args) != 2:
        raise messages.wrong_argument_count(name, "two arguments", len(args), at)
    return subscript(args[0], args[1], span)


def _struct_extract(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    if len(args) != 2 or not (args[0].type.is_struct or args[0].type == NULL):
        kinds = [arg_type(arg) for arg in args]
        raise messages.no_matching_function(name, kinds, [f"{name}(STRUCT, VARCHAR)"], span)
    return subscript(args[0], args[1], span)


def _slice(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    if len(args) in (3, 4):
        return slice_of(args[0], args[1], args[2], args[3] if len(args) == 4 else None, span)
    raise messages.wrong_argument_count(name, "three or four arguments", len(args), at)


def _aggregate(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    """list_aggregate(l, 'sum'): types as those of the aggregate over the elements."""
    if len(args) < 2:
        raise messages.wrong_argument_count(name, "a list and the name of an aggregate", len(args), at)
    try:
        wanted = constant_value(args[1])
    except NotConstant:
        wanted = None
    if not isinstance(wanted, str):
        raise messages.constant_argument(name, "the aggregate's name", args[1].span or span)
    return aggregate_of(name, wanted, args[0], args[2:], span, at)


def aggregate_of(
    shown: str, name: str, held: Expr, rest: Sequence[Expr], span: Span | None, at: Span | None
) -> Expr:
    """The aggregate called `name` over the elements of a list."""
    function = find_aggregate(name.lower())
    if function is None:
        raise messages.unknown_function(name, ("sum", "min", "max", "avg", "count", "string_agg"), at)
    if held.type == NULL:
        return Literal(NULL, None, span=span)
    if not held.type.is_list:
        raise messages.no_matching_function(shown, [held.type], [f"{shown}(T[])"], at)
    probe = Literal(held.type.element, None)
    if function.name == "count" and held.type.element == NULL:
        probe = Literal(BIGINT, None)
    bound = resolve_call(name, function.overloads, (probe, *rest), span)
    extra = with_constants(function, shown, cast_all((probe, *rest), bound.args))[1:]
    lists = cast_to(held, list_of(bound.args[0]))
    args = (lists, Literal(VARCHAR, function.name), *extra)
    return Call(bound.result, "list_aggregate", args, span=span)


def _named(aggregate: str) -> Special:
    def bound(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
        if not args:
            raise messages.wrong_argument_count(name, "a list", 0, at)
        return aggregate_of(name, aggregate, args[0], args[1:], span, at)

    return bound


def _to_string(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    """array_to_string(l, separator): texts of the elements put together; '' for an empty list."""
    if len(args) not in (1, 2):
        raise messages.wrong_argument_count(name, "a list and a separator", len(args), at)
    held, separator = args[0], args[1] if len(args) == 2 else Literal(VARCHAR, ",")
    if held.type == NULL:
        return Literal(VARCHAR, None, span=span)
    if not held.type.is_list:
        raise messages.no_matching_function(name, [a.type for a in args], [f"{name}(T[], VARCHAR)"], at)
    texts = cast_to(held, list_of(VARCHAR))
    return call("list_join", (texts, separator), span, name)


def _concat(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    if not any(arg.type.is_list for arg in args):
        return call("concat", args, span, name)
    if all(arg.type.is_list or arg.type == NULL for arg in args):
        return call("list_concat", args, span, name)
    other = next(arg for arg in args if not arg.type.is_list and arg.type != NULL)
    held = next(arg for arg in args if arg.type.is_list)
    raise messages.type_mismatch("concatenate", other.type, held.type, span)


def _push_front(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    if len(args) != 2:
        raise messages.wrong_argument_count(name, "a list and a value", len(args), at)
    return call("list_prepend", (args[1], args[0]), span, name)


def _pop(begin: int, end: int) -> Special:
    def bound(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
        if len(args) != 1:
            raise messages.wrong_argument_count(name, "a list", len(args), at)
        return call("list_slice", (args[0], Literal(BIGINT, begin), Literal(BIGINT, end)), span, name)

    return bound


_AGGREGATES: dict[str, str] = {
    f"list_{name}": name
    for name in (
        "sum min max avg count first last any_value median mode product stddev_pop stddev_samp var_pop "
        "var_samp bool_and bool_or bit_and bit_or bit_xor string_agg histogram sem skewness kurtosis "
        "kurtosis_pop entropy mad approx_count_distinct"
    ).split()
}  # fmt: skip

NESTED: dict[str, Special] = {
    "list_value": _list_value,
    "list_pack": _list_value,
    "contains": _contains,
    "concat": _concat,
    **dict.fromkeys(("list_contains", "list_has", "array_contains", "array_has"), _searched("list_contains")),
    **dict.fromkeys(
        ("list_position", "list_indexof", "array_position", "array_indexof"), _searched("list_position")
    ),
    **dict.fromkeys(("list_extract", "list_element", "array_extract"), _extract),
    **dict.fromkeys(("struct_extract", "struct_extract_at"), _struct_extract),
    **dict.fromkeys(("list_slice", "array_slice"), _slice),
    **dict.fromkeys(
        ("list_aggregate", "list_aggr", "array_aggregate", "array_aggr", "aggregate"), _aggregate
    ),
    **{name: _named(aggregate) for name, aggregate in _AGGREGATES.items()},
    "array_to_string": _to_string,
    "array_push_front": _push_front,
    "array_pop_back": _pop(1, -2),
    "array_pop_front": _pop(2, -1),
}
