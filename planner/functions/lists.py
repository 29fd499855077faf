"""Functions of lists. Those that lists share with texts (`length`, `||`, `contains`) have an overload here
that joins theirs."""

from __future__ import annotations

from .. import messages
from ..coercion import common_type
from ..types import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    FLOAT,
    INTEGER,
    INTERVAL,
    NULL,
    TIMESTAMP,
    TIMESTAMPTZ,
    UBIGINT,
    VARCHAR,
    SQLType,
    list_of,
    struct_of,
)
from .signature import ANY, ANY_LIST, Bind, BoundTypes, Nulls, Overload, ScalarFunction, Values

Kinds = tuple[SQLType, ...]
NULL_LIST = list_of(NULL)


def as_list(kind: SQLType) -> SQLType:
    """NULL as a list of nothing known."""
    return NULL_LIST if kind == NULL else kind


def shared(name: str, kinds: Kinds) -> SQLType:
    """The common type of members of several arguments. Raises BinderError where there is none."""
    found = common_type(kinds)
    if found is None:
        raise messages.type_mismatch("mix", kinds[0], kinds[-1], None, name)
    return found


def returning(result: SQLType | None, *others: SQLType) -> Bind:
    """A list and arguments of the given types to `result` (None: the list)."""

    def bind(kinds: Kinds, values: Values) -> BoundTypes:
        first = as_list(kinds[0])
        if result is None and kinds[0] == NULL:
            return BoundTypes(kinds, NULL)
        return BoundTypes((first, *others[: len(kinds) - 1]), first if result is None else result)

    return bind


def _with_element(name: str, result: SQLType | None, *, first: bool = True) -> Bind:
    """A list and a value of its element type; `result` None is the list."""

    def bind(kinds: Kinds, values: Values) -> BoundTypes:
        held, value = (kinds[0], kinds[1]) if first else (kinds[1], kinds[0])
        element = shared(name, (as_list(held).element, value))
        list_ = list_of(element)
        args = (list_, element) if first else (element, list_)
        return BoundTypes(args, list_ if result is None else result)

    return bind


def _joined(name: str, result: SQLType | None) -> Bind:
    """Lists of one element type."""

    def bind(kinds: Kinds, values: Values) -> BoundTypes:
        if all(kind == NULL for kind in kinds):
            return BoundTypes(kinds, NULL)
        list_ = list_of(shared(name, tuple(as_list(kind).element for kind in kinds)))
        return BoundTypes((list_,) * len(kinds), list_ if result is None else result)

    return bind


def _extracted(kinds: Kinds, values: Values) -> BoundTypes:
    return BoundTypes((as_list(kinds[0]), BIGINT), as_list(kinds[0]).element)


def _resized(kinds: Kinds, values: Values) -> BoundTypes:
    held = as_list(kinds[0])
    if len(kinds) == 2:
        return BoundTypes((held, BIGINT), held)
    held = list_of(shared("list_resize", (held.element, kinds[2])))
    return BoundTypes((held, BIGINT, held.element), held)


def _flattened(kinds: Kinds, values: Values) -> BoundTypes:
    if kinds[0] == NULL:
        return BoundTypes(kinds, NULL)
    outer = kinds[0]
    if outer.element == NULL:
        return BoundTypes((outer,), NULL_LIST)
    if not outer.element.is_list:
        raise messages.bad_argument("flatten", f"a list of lists is needed, not {outer}", None)
    return BoundTypes((outer,), outer.element)


def _zipped(kinds: Kinds, values: Values) -> BoundTypes:
    lists = [as_list(kind) for kind in kinds]
    if kinds[-1] == BOOLEAN and len(kinds) > 1:
        lists.pop()
    for kind in lists:
        if not kind.is_list:
            raise messages.bad_argument("list_zip", f"lists are needed, not {kind}", None)
    result = list_of(struct_of(*(("", kind.element) for kind in lists)))
    return BoundTypes((*lists, *kinds[len(lists) :]), result)


def _numbers(kinds: Kinds, values: Values) -> BoundTypes:
    single = all(kind.is_list and kind.element == FLOAT for kind in kinds)
    element = FLOAT if single else DOUBLE
    return BoundTypes((list_of(element),) * 2, element)


def _chosen(other: SQLType) -> Bind:
    return returning(None, list_of(other))


_ONE = (Overload((ANY_LIST,), None, bind=returning(None)),)
_WORDS = tuple(
    Overload((ANY_LIST, *(VARCHAR,) * n), None, bind=returning(None, VARCHAR, VARCHAR)) for n in range(3)
)
_GRADES = tuple(
    Overload((ANY_LIST, *(VARCHAR,) * n), None, bind=returning(list_of(BIGINT), VARCHAR, VARCHAR))
    for n in range(3)
)
_PAIR = (Overload((ANY_LIST, ANY_LIST), None, bind=_numbers),)
_STEPS = tuple(Overload((BIGINT,) * n, list_of(BIGINT)) for n in (1, 2, 3))
_SERIES = (
    *_STEPS,
    Overload((TIMESTAMP, TIMESTAMP, INTERVAL), list_of(TIMESTAMP)),
    Overload((TIMESTAMPTZ, TIMESTAMPTZ, INTERVAL), list_of(TIMESTAMPTZ)),
)
_TEXTS = list_of(VARCHAR)

FUNCTIONS = (
    ScalarFunction(
        "list_value",
        (
            Overload((), NULL_LIST),
            Overload((ANY,), None, variadic=ANY, bind=lambda kinds, _: BoundTypes(kinds, list_of(kinds[0]))),
        ),
        "A list of the values",
        ("list_pack",),
        nulls=Nulls.HANDLED,
    ),
    ScalarFunction(
        "list_extract",
        (Overload((ANY_LIST, BIGINT), None, bind=_extracted),),
        "The element at a position, from 1",
    ),
    ScalarFunction(
        "list_slice",
        (
            *(
                Overload((ANY_LIST, *(BIGINT,) * n), None, bind=returning(None, *(BIGINT,) * n))
                for n in (2, 3)
            ),
            Overload((VARCHAR, BIGINT, BIGINT), VARCHAR),
        ),
        "The elements from one position to another, with a step",
        can_fail=True,
    ),
    ScalarFunction(
        "list_contains",
        (Overload((ANY_LIST, ANY), None, bind=_with_element("list_contains", BOOLEAN)),),
        "Whether a value is an element",
        ("list_has", "array_contains", "array_has"),
    ),
    ScalarFunction(
        "list_position",
        (Overload((ANY_LIST, ANY), None, bind=_with_element("list_position", INTEGER)),),
        "Position of the first element equal to a value, NULL if there is none",
        ("list_indexof", "array_position", "array_indexof"),
        nulls=Nulls.HANDLED,
    ),
    ScalarFunction(
        "list_concat",
        (
            Overload((), NULL_LIST),
            Overload((ANY_LIST,), None, variadic=ANY_LIST, bind=_joined("list_concat", None)),
        ),
        "Lists put together; NULL is no element",
        ("list_cat", "array_concat", "array_cat"),
        nulls=Nulls.HANDLED,
    ),
    ScalarFunction(
        "list_append",
        (Overload((ANY_LIST, ANY), None, bind=_with_element("list_append", None)),),
        "The list with one more element at its end",
        ("array_append", "array_push_back"),
        nulls=Nulls.HANDLED,
    ),
    ScalarFunction(
        "list_prepend",
        (Overload((ANY, ANY_LIST), None, bind=_with_element("list_prepend", None, first=False)),),
        "The list with one more element at its start",
        ("array_prepend",),
        nulls=Nulls.HANDLED,
    ),
    ScalarFunction("list_distinct", _ONE, "Its different elements, without NULL", ("array_distinct",)),
    ScalarFunction(
        "list_unique",
        (Overload((ANY_LIST,), None, bind=returning(UBIGINT)),),
        "Number of different elements that are not NULL",
        ("array_unique",),
    ),
    ScalarFunction(
        "list_sort", _WORDS, "Elements in order", ("array_sort",), can_fail=True, constants=(1, 2)
    ),
    ScalarFunction(
        "list_reverse_sort",
        _WORDS[:2],
        "Elements in descending order",
        ("array_reverse_sort",),
        can_fail=True,
        constants=(1,),
    ),
    ScalarFunction(
        "list_grade_up",
        _GRADES,
        "Positions of the elements in order",
        ("array_grade_up", "grade_up"),
        can_fail=True,
        constants=(1, 2),
    ),
    ScalarFunction("list_reverse", _ONE, "Elements from the last to the first", ("array_reverse",)),
    ScalarFunction(
        "list_resize",
        (
            Overload((ANY_LIST, BIGINT), None, bind=_resized),
            Overload((ANY_LIST, BIGINT, ANY), None, bind=_resized),
        ),
        "Cut or filled up to a number of elements",
        ("array_resize",),
        nulls=Nulls.HANDLED,
        can_fail=True,
    ),
    ScalarFunction(
        "list_zip",
        (Overload((ANY_LIST,), None, variadic=ANY, bind=_zipped),),
        "Structs of the elements at each position",
        ("array_zip",),
        nulls=Nulls.HANDLED,
    ),
    ScalarFunction(
        "list_has_any",
        (Overload((ANY_LIST, ANY_LIST), None, bind=_joined("list_has_any", BOOLEAN)),),
        "Whether the lists share an element",
        ("array_has_any", "&&"),
    ),
    ScalarFunction(
        "list_has_all",
        (Overload((ANY_LIST, ANY_LIST), None, bind=_joined("list_has_all", BOOLEAN)),),
        "Whether the first list has every element of the second",
        ("array_has_all", "@>"),
    ),
    ScalarFunction(
        "list_intersect",
        (Overload((ANY_LIST, ANY_LIST), None, bind=_joined("list_intersect", None)),),
        "The different elements that both lists have",
        ("array_intersect",),
    ),
    ScalarFunction(
        "list_select",
        (Overload((ANY_LIST, ANY_LIST), None, bind=_chosen(BIGINT)),),
        "The elements at the positions of the second list",
        ("array_select",),
        can_fail=True,
    ),
    ScalarFunction(
        "list_where",
        (Overload((ANY_LIST, ANY_LIST), None, bind=_chosen(BOOLEAN)),),
        "The elements where the second list is true",
        ("array_where",),
        can_fail=True,
    ),
    ScalarFunction(
        "flatten", (Overload((ANY_LIST,), None, bind=_flattened),), "Elements of all lists in a list"
    ),
    ScalarFunction("list_distance", _PAIR, "Euclidean distance", can_fail=True),
    ScalarFunction("list_cosine_similarity", _PAIR, "Cosine of the angle between two vectors", can_fail=True),
    ScalarFunction(
        "list_cosine_distance", _PAIR, "1 less the cosine of the angle between two vectors", can_fail=True
    ),
    ScalarFunction("list_inner_product", _PAIR, "Inner product", ("list_dot_product",), can_fail=True),
    ScalarFunction(
        "list_negative_inner_product",
        _PAIR,
        "Inner product, negated",
        ("list_negative_dot_product",),
        can_fail=True,
    ),
    ScalarFunction("range", _SERIES, "Numbers or times from one to another, without the last", can_fail=True),
    ScalarFunction(
        "generate_series", _SERIES, "Numbers or times from one to another, with the last", can_fail=True
    ),
    ScalarFunction(
        "string_split",
        (Overload((VARCHAR, VARCHAR), _TEXTS),),
        "Parts of a text between separators",
        ("str_split", "string_to_array", "split"),
        nulls=Nulls.HANDLED,
    ),
    ScalarFunction(
        "string_split_regex",
        tuple(Overload((VARCHAR,) * n, _TEXTS) for n in (2, 3)),
        "Parts of a text between matches of a regular expression",
        ("str_split_regex", "regexp_split_to_array"),
        can_fail=True,
    ),
    ScalarFunction(
        "regexp_extract_all",
        (
            Overload((VARCHAR, VARCHAR), _TEXTS),
            Overload((VARCHAR, VARCHAR, INTEGER), _TEXTS),
            Overload((VARCHAR, VARCHAR, INTEGER, VARCHAR), _TEXTS),
        ),
        "All matches of a regular expression, or of one of its groups",
        can_fail=True,
        constants=(3,),
    ),
    ScalarFunction(
        "list_join",
        (Overload((_TEXTS, VARCHAR), VARCHAR),),
        "Texts put together with a separator; NULL is left out",
        nulls=Nulls.HANDLED,
    ),
    ScalarFunction(
        "list_aggregate",
        (Overload((ANY_LIST, VARCHAR), None, variadic=ANY, bind=returning(NULL)),),
        "An aggregate function of the elements",
        ("list_aggr", "array_aggregate", "array_aggr", "aggregate"),
        nulls=Nulls.HANDLED,
        can_fail=True,
    ),
    ScalarFunction(
        "array_length",
        (
            Overload((ANY_LIST,), None, bind=returning(BIGINT)),
            Overload((ANY_LIST, BIGINT), None, bind=returning(BIGINT, BIGINT)),
        ),
        "Number of elements",
        can_fail=True,
    ),
)
