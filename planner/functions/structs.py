"""Functions of structs and maps. The binder makes the calls whose types depend on names."""

from __future__ import annotations

from .. import messages
from ..coercion import common_type
from ..types import BIGINT, BOOLEAN, NULL, UBIGINT, SQLType, list_of, map_of, struct_of
from .lists import NULL_LIST, as_list
from .signature import (
    ANY,
    ANY_LIST,
    ANY_MAP,
    ANY_STRUCT,
    Bind,
    BoundTypes,
    Nulls,
    Overload,
    ScalarFunction,
    Values,
    same_type,
)

Kinds = tuple[SQLType, ...]
_NULL_MAP = map_of(NULL, NULL)


def as_map(kind: SQLType) -> SQLType:
    """NULL as a map of nothing known."""
    return _NULL_MAP if kind == NULL else kind


def _made(kinds: Kinds, values: Values) -> BoundTypes:
    keys, items = as_list(kinds[0]), as_list(kinds[1])
    return BoundTypes((keys, items), map_of(keys.element, items.element))


def _of_map(part: int | None) -> Bind:
    def bind(kinds: Kinds, values: Values) -> BoundTypes:
        kind = as_map(kinds[0])
        element = kind.element if part is None else kind.fields[part][1]
        return BoundTypes((kind,), list_of(element))

    return bind


def _with_part(name: str, part: int, result: str) -> Bind:
    """A map and a value of its keys (0) or values (1)."""

    def bind(kinds: Kinds, values: Values) -> BoundTypes:
        kind = as_map(kinds[0])
        wanted = common_type((kind.fields[part][1], kinds[1]))
        if wanted is None:
            raise messages.type_mismatch("mix", kind.fields[part][1], kinds[1], None, name)
        fields = [kind.fields[0][1], kind.fields[1][1]]
        fields[part] = wanted
        map_ = map_of(*fields)
        results = {"bool": BOOLEAN, "list": list_of(fields[1]), "value": fields[1]}
        return BoundTypes((map_, wanted), results[result])

    return bind


def _from_entries(kinds: Kinds, values: Values) -> BoundTypes:
    if kinds[0] == NULL:
        return BoundTypes(kinds, NULL)
    held = kinds[0]
    if held == NULL_LIST:
        return BoundTypes((held,), _NULL_MAP)
    if not held.element.is_struct or len(held.element.fields) != 2:
        raise messages.bad_argument(
            "map_from_entries", f"a list of structs of two fields is needed, not {held}", None
        )
    return BoundTypes((held,), map_of(*(kind for _, kind in held.element.fields)))


def _merged(kinds: Kinds, values: Values) -> BoundTypes:
    common = common_type(kinds)
    if common is None or not common.is_map:
        raise messages.type_mismatch("mix", kinds[0], kinds[-1], None, "map_concat")
    return BoundTypes((common,) * len(kinds), common)


def _extracted(kinds: Kinds, values: Values) -> BoundTypes:
    place = values(1)
    place = 1 if place is None else place  # the binder refuses what is no constant
    size = len(kinds[0].fields)
    if not isinstance(place, int) or not 1 <= place <= size:
        raise messages.bad_argument("struct_extract", f"the position is a number from 1 to {size}", None)
    return BoundTypes((kinds[0], BIGINT), kinds[0].fields[place - 1][1])


def _row(kinds: Kinds, values: Values) -> BoundTypes:
    return BoundTypes(kinds, struct_of(*(("", kind) for kind in kinds)))


_ANYS = (Overload((), struct_of()), Overload((ANY,), None, variadic=ANY, bind=_row))

FUNCTIONS = (
    ScalarFunction("struct_pack", _ANYS, "A struct of the values", ("row",), nulls=Nulls.HANDLED),
    ScalarFunction(
        "struct_extract",
        (Overload((ANY_STRUCT, BIGINT), None, bind=_extracted),),
        "A field of a struct, by name or position",
        ("struct_extract_at",),
        constants=(1,),
    ),
    ScalarFunction(
        "map",
        (Overload((), _NULL_MAP), Overload((ANY_LIST, ANY_LIST), None, bind=_made)),
        "A map from keys to values",
        can_fail=True,
    ),
    ScalarFunction("map_keys", (Overload((ANY_MAP,), None, bind=_of_map(0)),), "The keys of a map"),
    ScalarFunction("map_values", (Overload((ANY_MAP,), None, bind=_of_map(1)),), "The values of a map"),
    ScalarFunction(
        "map_entries", (Overload((ANY_MAP,), None, bind=_of_map(None)),), "Keys and values as structs"
    ),
    ScalarFunction(
        "map_from_entries",
        (Overload((ANY_LIST,), None, bind=_from_entries),),
        "A map of structs of key and value",
        can_fail=True,
    ),
    ScalarFunction(
        "map_extract",
        (Overload((ANY_MAP, ANY), None, bind=_with_part("map_extract", 0, "list")),),
        "A list with the value of a key, empty where there is none",
        ("element_at",),
        nulls=Nulls.HANDLED,
    ),
    ScalarFunction(
        "map_extract_value",
        (Overload((ANY_MAP, ANY), None, bind=_with_part("map_extract_value", 0, "value")),),
        "The value of a key, NULL where there is none",
    ),
    ScalarFunction(
        "map_contains",
        (Overload((ANY_MAP, ANY), None, bind=_with_part("map_contains", 0, "bool")),),
        "Whether a map has a key",
    ),
    ScalarFunction(
        "map_contains_value",
        (Overload((ANY_MAP, ANY), None, bind=_with_part("map_contains_value", 1, "bool")),),
        "Whether a map has a value",
    ),
    ScalarFunction(
        "map_concat",
        (Overload((ANY_MAP,), None, variadic=ANY_MAP, bind=_merged),),
        "Maps put together; of a key in several the last value counts",
        nulls=Nulls.HANDLED,
    ),
    ScalarFunction("cardinality", (Overload((ANY_MAP,), UBIGINT),), "Number of entries of a map"),
    ScalarFunction(
        "list_transform",
        (Overload((ANY_LIST, ANY), None, bind=same_type),),
        "Each element as a function makes it",
        ("array_transform", "list_apply", "array_apply", "apply"),
        nulls=Nulls.HANDLED,
        can_fail=True,
    ),
    ScalarFunction(
        "list_filter",
        (Overload((ANY_LIST, ANY), None, bind=same_type),),
        "The elements for which a function is true",
        ("array_filter", "filter"),
        nulls=Nulls.HANDLED,
        can_fail=True,
    ),
    ScalarFunction(
        "list_reduce",
        (
            Overload((ANY_LIST, ANY), None, bind=same_type),
            Overload((ANY_LIST, ANY, ANY), None, bind=same_type),
        ),
        "All elements put together by a function of two",
        ("array_reduce", "reduce"),
        nulls=Nulls.HANDLED,
        can_fail=True,
    ),
)
