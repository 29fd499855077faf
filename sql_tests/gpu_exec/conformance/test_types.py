"""What the real library says of types without a device, and the double says the same."""

from __future__ import annotations

import itertools
from typing import Any

import doubles.pylibcudf as double
import pyarrow as pa
import pylibcudf as real
import pytest

IDS = [t.name for t in real.TypeId if t.name not in ("EMPTY", "NUM_TYPE_IDS")]


def kinds(library: Any) -> list[Any]:
    return [library.DataType(library.TypeId[name], -2 if "DECIMAL" in name else 0) for name in IDS]


REAL, DOUBLE = kinds(real), kinds(double)


def answer(function: Any, *args: Any) -> Any:
    """What a call gives; an error by its type."""
    try:
        return function(*args)
    except Exception as error:  # noqa: BLE001 - an error is an answer
        return type(error).__name__


@pytest.mark.parametrize("name", [name for name in real.traits.__all__ if name != "is_bit_castable"])
def test_traits(name: str) -> None:
    found = [getattr(double.traits, name)(kind) for kind in DOUBLE]
    assert found == [getattr(real.traits, name)(kind) for kind in REAL]


@pytest.mark.parametrize("function", ["traits.is_bit_castable", "unary.is_supported_cast"])
def test_pairs_of_types(function: str) -> None:
    module, name = function.split(".")
    ours, theirs = (getattr(getattr(library, module), name) for library in (double, real))
    for (a, x), (b, y) in itertools.product(zip(DOUBLE, REAL, strict=True), repeat=2):
        wanted = answer(theirs, x, y)
        assert answer(ours, a, b) == (wanted if isinstance(wanted, bool) else False), (x.id(), y.id())


@pytest.mark.parametrize("operator", [op.name for op in real.binaryop.BinaryOperator])
def test_operators_over_all_types(operator: str) -> None:
    ours, theirs = (library.binaryop.is_supported_operation for library in (double, real))
    mine, other = double.binaryop.BinaryOperator[operator], real.binaryop.BinaryOperator[operator]
    pairs = list(zip(DOUBLE, REAL, strict=True))
    wrong = [
        (x.id().name, y.id().name, z.id().name)
        for (a, x), (b, y), (c, z) in itertools.product(pairs, repeat=3)
        if ours(a, b, c, mine) != theirs(x, y, z, other)
    ]
    assert wrong == []


def test_sizes() -> None:
    assert [answer(double.types.size_of, kind) for kind in DOUBLE] == [
        answer(real.types.size_of, kind) for kind in REAL
    ]


ARROW = [
    *(
        pa.int8(),
        pa.int64(),
        pa.uint64(),
        pa.float32(),
        pa.float64(),
        pa.bool_(),
        pa.string(),
        pa.large_string(),
    ),
    *(
        pa.string_view(),
        pa.date32(),
        pa.date64(),
        pa.time64("us"),
        pa.binary(),
        pa.null(),
        pa.decimal32(5, 2),
    ),
    *(
        pa.timestamp("s"),
        pa.timestamp("us"),
        pa.timestamp("us", "UTC"),
        pa.duration("ns"),
        pa.decimal64(9, 2),
    ),
    *(pa.decimal128(20, 3), pa.decimal256(40, 3), pa.list_(pa.int64()), pa.struct([("x", pa.int64())])),
]


@pytest.mark.parametrize("arrow", ARROW, ids=str)
def test_types_of_arrow(arrow: pa.DataType) -> None:
    ours, theirs = answer(double.DataType.from_arrow, arrow), answer(real.DataType.from_arrow, arrow)
    if isinstance(theirs, str):
        assert ours == theirs
    else:
        assert (ours.id().name, ours.scale()) == (theirs.id().name, theirs.scale())


PATTERNS = [
    *(
        "(?i)abc",
        "(",
        "a(b",
        "a)b",
        "(?=a)",
        "(?!a)",
        "(?<=a)",
        "(?:a)",
        "(?P<n>a)",
        "(?<n>a)",
        "\\1",
        "(a)\\1",
    ),
    *(
        "a*?",
        "a*+",
        "a++",
        "a{2}",
        "a{2,}",
        "a{,2}",
        "a{2,3}?",
        "[[:alpha:]]",
        "\\p{L}",
        "[a",
        "a|",
        "|a",
        "",
    ),
    *(
        "\\bx\\b",
        "\\B",
        "\\A",
        "\\Z",
        "\\z",
        "^*",
        "*a",
        "+",
        "?",
        "a**",
        "[]a]",
        "[^]a]",
        "\\x41",
        "\\u0041",
    ),
    *(
        "\\Q",
        "\\e",
        "\\0",
        "(?#c)",
        "(?m)a",
        "a{1000}",
        "[z-a]",
        "\\h",
        "\\v",
        "\\R",
        "(a|b)*",
        "()",
        "$",
        "^",
    ),
    *(
        "(?s).",
        "[\\w-]",
        "\\",
        "a\\",
        "{",
        "}",
        "a{",
        "a{b}",
        "]",
        "a.c",
        "^a",
        "c$",
        "[a-c]+",
        "\\d",
        "\\w+",
    ),
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_that_are_refused(pattern: str) -> None:
    def create(library: Any) -> Any:
        strings = library.strings
        program = strings.regex_program.RegexProgram
        return answer(program.create, pattern, strings.regex_flags.RegexFlags.DEFAULT)

    ours, theirs = create(double), create(real)
    assert isinstance(ours, str) == isinstance(theirs, str), (ours, theirs)
    if isinstance(theirs, str):
        assert ours == theirs


def aggregations(library: Any) -> dict[str, Any]:
    made = library.aggregation
    return {
        **{
            name: getattr(made, name)()
            for name in (
                *(
                    "sum",
                    "product",
                    "min",
                    "max",
                    "count",
                    "any",
                    "all",
                    "sum_of_squares",
                    "mean",
                    "variance",
                ),
                *("std", "median", "argmax", "argmin", "nunique", "collect_list", "collect_set", "m2"),
            )
        },
        "count_all": made.count(library.types.NullPolicy.INCLUDE),
        "quantile": made.quantile([0.5]),
        "nth_element": made.nth_element(0),
        "rank": made.rank(made.RankMethod.FIRST),
    }


OURS, THEIRS = aggregations(double), aggregations(real)


@pytest.mark.parametrize("name", OURS)
def test_aggregations_have_the_same_kind(name: str) -> None:
    assert OURS[name].kind().name == THEIRS[name].kind().name


@pytest.mark.parametrize("name", OURS)
def test_reductions_over_all_types(name: str) -> None:
    for a, x in zip(DOUBLE, REAL, strict=True):
        wanted = real.reduce.is_valid_reduce_aggregation(x, THEIRS[name])
        assert double.reduce.is_valid_reduce_aggregation(a, OURS[name]) == wanted, x.id()


@pytest.mark.parametrize("name", OURS)
def test_what_groups_can_be_aggregated_by(name: str) -> None:
    """The double may know fewer than the real predicate, which says yes to what then fails; never more."""
    for a, x in zip(DOUBLE, REAL, strict=True):
        if double.aggregation.is_valid_aggregation(a, OURS[name]):
            assert real.aggregation.is_valid_aggregation(x, THEIRS[name]), x.id()


@pytest.mark.parametrize("name", OURS)
def test_windows_over_all_types(name: str) -> None:
    for a, x in zip(DOUBLE, REAL, strict=True):
        if double.rolling.is_valid_rolling_aggregation(a, OURS[name]):
            assert real.rolling.is_valid_rolling_aggregation(x, THEIRS[name]), x.id()
