"""Window functions against their definition: every function, every frame, every type."""

from __future__ import annotations

import itertools
import random

import pytest
from operators.harness import Relation, Runner, relation
from operators.window_calls import (
    FOLLOWING,
    HERE,
    PRECEDING,
    VALUES,
    WHOLE,
    built,
    by,
    call_of,
    check,
    number,
    offset,
    run,
    table,
)
from operators.window_reference import FrameError, window_values
from tandemdb.cpu_fallback.operators.window_gathered import NAMES as GATHERED
from tandemdb.planner.errors import SqlError
from tandemdb.planner.expr import (
    DEFAULT_FRAME,
    Frame,
    FrameBound,
    Literal,
    WindowCall,
)
from tandemdb.planner.functions import AGGREGATES, resolve
from tandemdb.planner.types import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    HUGEINT,
    INTEGER,
    INTERVAL,
    NULL,
    VARCHAR,
    SQLType,
    decimal,
)

ORDERS = (
    ([], []),
    (["p"], ["k"]),
    (["p", "q"], ["k", "j"]),
    ([], ["k"]),
)


@pytest.mark.parametrize("case", range(len(ORDERS)))
def test_ranks_and_other_rows(runner: Runner, case: int) -> None:
    """The functions that see their partition."""
    names, order = ORDERS[case]
    data = table(case, runner.rows(60), "it")
    calls = [
        call_of(data, name) for name in ("row_number", "rank", "dense_rank", "percent_rank", "cume_dist")
    ]
    calls += [call_of(data, "ntile", number(n)) for n in (1, 3, 1000)]
    calls.append(call_of(data, "ntile", number(None)))
    for function, nulls, value in itertools.product(("lag", "lead"), (False, True), ("i", "t")):
        calls.append(call_of(data, function, value, ignore_nulls=nulls))
        calls.append(call_of(data, function, value, "m", ignore_nulls=nulls))
        calls.append(call_of(data, function, value, number(-2), value, ignore_nulls=nulls))
        calls.append(call_of(data, function, value, "m", Literal(data[value].type, None), ignore_nulls=nulls))
    calls.append(call_of(data, "lag", "i", number(2), Literal(INTEGER, 77)))
    calls.append(call_of(data, "lead", "t", number(0), "q", ignore_nulls=True))
    calls.append(call_of(data, "lead", "i", "m", "j"))
    for descending, nulls_first in ((False, False), (True, True)):
        keys = by(data, *order, descending=descending, nulls_first=nulls_first)
        check(runner, data, names, keys, calls, runner.storage(case))


def bounds(data: Relation, unit: str, descending: bool) -> list[tuple[FrameBound, FrameBound]]:
    """Pairs of a frame's ends."""
    if unit == "range":
        first, last = ("above", "below") if descending else ("below", "above")
        before, after = offset("preceding", data[first]), offset("following", data[last])
        same = data["k"]
        further = [(offset("preceding", same), offset("following", same))]
    else:
        before, after = offset("preceding", number(2)), offset("following", number(1))
        further = [
            (offset("preceding", data["o"]), offset("following", data["o"])),
            (offset("preceding", number(0)), offset("following", number(0))),
            (offset("preceding", number(3)), offset("preceding", number(1))),
            (offset("following", number(1)), offset("following", number(3))),
            (offset("following", data["o"]), FOLLOWING),
            (PRECEDING, offset("preceding", data["o"])),
        ]
    plain = [(PRECEDING, HERE), (HERE, FOLLOWING), (HERE, HERE), (PRECEDING, FOLLOWING)]
    moving = [
        (before, HERE), (HERE, after), (before, after), (PRECEDING, before), (after, FOLLOWING),
        (before, FOLLOWING), (PRECEDING, after),
    ]  # fmt: skip
    return [*plain, *moving, *further]


EXCLUDES = ("no others", "current row", "group", "ties")


@pytest.mark.parametrize("unit", ["rows", "range", "groups"])
def test_frames(runner: Runner, unit: str) -> None:
    """Every frame, with calls that tell which rows are in it and in which order."""
    data = table(len(unit), runner.rows(30), "it")
    for number_, (up, down) in enumerate(
        zip(bounds(data, unit, False), bounds(data, unit, True), strict=True)
    ):
        descending = bool(number_ % 2)
        start, end = down if descending else up
        calls = []
        for exclude in EXCLUDES:
            frame = Frame(unit, start, end, exclude)
            calls += [
                call_of(data, "count_star", frame=frame),
                call_of(data, "sum", "j", frame=frame, where="e"),
                call_of(data, "first_value", "j", frame=frame),
                call_of(data, "last_value", "t", frame=frame, ignore_nulls=True),
                call_of(data, "nth_value", "i", number(2), frame=frame, ignore_nulls=bool(number_ % 2)),
                call_of(data, "nth_value", "j", "m", frame=frame),
                call_of(data, "min", "j", frame=frame, where="e"),
                call_of(data, "avg", "i", frame=frame),
            ]
        keys = by(data, "k", descending=descending, nulls_first=bool(number_ // 2 % 2))
        check(runner, data, ["p"] if number_ % 3 else [], keys, calls, runner.storage(number_))


def frames(data: Relation) -> list[Frame]:
    """A frame of each kind that is computed in another way."""
    return [
        WHOLE,
        DEFAULT_FRAME,
        Frame("rows", offset("preceding", number(3)), offset("following", number(1))),
        Frame("rows", offset("preceding", data["o"]), offset("following", number(2))),
        Frame("groups", offset("preceding", number(1)), HERE, "ties"),
    ]


def functions(name: str) -> list[tuple[str, ...]]:
    """Calls of aggregates that take a value column; arg_min of another by it."""
    kind = VALUES[name][0]
    found = []
    for function, known in AGGREGATES.items():
        # What is gathered is the aggregate of GROUP BY: slt/functions_statistics.slt compares it with DuckDB,
        # slt/nested_columns.slt does so for lists.
        if function == "count_star" or known.constants or function in (*GATHERED, "list", "histogram"):
            continue
        arguments = (name,) if len(known.overloads[0].params) == 1 else ("t", name)
        try:
            bound = resolve(
                function, known.overloads, [VALUES[a][0] for a in arguments], lambda i: None, None
            )
        except SqlError:
            continue
        if all(_castable(VALUES[a][0], t) for a, t in zip(arguments, bound.args, strict=True)):
            found.append((function, *arguments))
    assert kind.id is not BOOLEAN.id or ("bool_and", name) in found
    return found


def _castable(source: SQLType, target: SQLType) -> bool:
    return source == target or (source.is_numeric and not source.is_decimal and not target.is_decimal)


@pytest.mark.parametrize("name", VALUES)
def test_aggregates(runner: Runner, name: str) -> None:
    """Every aggregate that takes the type, over frames of every kind."""
    data = table(len(name), runner.rows(28), name if name == "t" else f"t{name}")
    for i, frame in enumerate(frames(data)):
        calls = []
        for function, *arguments in functions(name):
            where = "e" if len(calls) % 2 else None
            if function == "product" and name in "lhuw":
                continue  # beyond what the last digits of doubles agree on
            calls.append(call_of(data, function, *arguments, frame=frame, where=where))
        calls.append(call_of(data, "first_value", name, frame=frame, ignore_nulls=bool(i % 2)))
        calls.append(call_of(data, "lag", name, number(1), name))
        calls = built(runner, data, calls)
        assert len(calls) > 3 or not runner.supports(data.node())
        check(runner, data, ["p"], by(data, "k", "j"), calls, runner.storage(i))


QUICK_SETS = "idftv"
SETS = [name if name in QUICK_SETS else pytest.param(name, marks=pytest.mark.slow) for name in VALUES]


@pytest.mark.parametrize("name", SETS)
def test_sets(runner: Runner, name: str) -> None:
    """What depends on the set of values in a frame: DISTINCT, quantiles, the mode, texts put together."""
    data = table(len(name), runner.rows(28), name if name == "t" else f"t{name}")
    kind = VALUES[name][0]
    more = Frame("rows", offset("preceding", number(6)), offset("following", number(6)), "group")
    for i, frame in enumerate((*frames(data), more)):
        calls = []
        for function, *arguments in functions(name):
            if name == "v" and function != "count":
                continue  # which of equal intervals it is, nobody says
            if AGGREGATES[function].distinct_matters and function not in ("first", "last", "product"):
                calls.append(call_of(data, function, *arguments, frame=frame, where="e", distinct=True))
        for fraction in (0.3, -0.75, 1.0):
            calls.append(call_of(data, "quantile_disc", name, Literal(DOUBLE, fraction), frame=frame))
            if kind.is_numeric or kind.is_temporal:
                calls.append(call_of(data, "quantile_cont", name, Literal(DOUBLE, fraction), frame=frame))
        calls.append(call_of(data, "quantile_disc", name, Literal(DOUBLE, None), frame=frame))
        for separator in (" + ", "", None):
            args = ("t", Literal(VARCHAR, separator))
            calls.append(call_of(data, "string_agg", *args, frame=frame))
            calls.append(call_of(data, "string_agg", *args, frame=frame, distinct=True))
        if calls := built(runner, data, calls):
            check(runner, data, ["p"], by(data, "k", "j"), calls, runner.storage(i))


@pytest.mark.parametrize("name", VALUES)
def test_keys_of_every_type(runner: Runner, name: str) -> None:
    """Partitions and orders by a type, and RANGE frames whose edge is the key itself."""
    data = table(7, runner.rows(28), name)
    same = Frame("range", offset("preceding", data[name]), offset("following", data[name]))
    calls = [
        call_of(data, "rank"),
        call_of(data, "sum", "j", frame=DEFAULT_FRAME),
        call_of(data, "row_number"),
        call_of(data, "last_value", "j", frame=Frame("groups", HERE, offset("following", number(1)))),
    ]
    if VALUES[name][0].is_numeric or VALUES[name][0].is_temporal or VALUES[name][0] == INTERVAL:
        calls.append(call_of(data, "sum", "j", frame=same))
    for descending in (False, True):
        keys = by(data, name, descending=descending, nulls_first=descending)
        check(runner, data, [], keys, calls, runner.storage(descending))
    check(runner, data, [name], by(data, "j"), calls[:4], runner.storage(2))


@pytest.mark.parametrize("kind", [NULL, VARCHAR], ids=str)
def test_no_rows_and_only_nulls(runner: Runner, kind: SQLType) -> None:
    """No rows give none; where all is NULL sums are NULL and counts 0."""
    for rows in (0, 5):
        data = relation([(None, None)] * rows, k=INTEGER, v=kind)
        calls = [
            call_of(data, "count", "k"),
            call_of(data, "sum", "k", frame=WHOLE),
            call_of(data, "min", "v"),
            call_of(data, "first", "v"),
            call_of(data, "arg_max", "k", "v"),
            call_of(data, "lag", "v"),
            call_of(data, "row_number"),
        ]
        check(runner, data, ["v"], by(data, "k"), calls)


def test_constants(runner: Runner) -> None:
    """Literals as arguments."""
    data = table(3, runner.rows(10), "i")
    calls = [
        call_of(data, "sum", Literal(INTEGER, 3)),
        call_of(data, "count", Literal(VARCHAR, "text")),
        call_of(data, "max", Literal(decimal(38, 0), 10**37), frame=WHOLE),
        call_of(data, "lead", Literal(VARCHAR, "text"), number(1), Literal(VARCHAR, "none")),
        call_of(data, "first_value", Literal(DOUBLE, -0.5)),
    ]
    check(runner, data, [], by(data, "j"), calls)


def refused(runner: Runner, data: Relation, call: WindowCall) -> None:
    """The operator refuses what the definition refuses, for the same reason."""
    with pytest.raises(FrameError) as expected:
        window_values(data, [], by(data, "k"), call)
    with pytest.raises(SqlError, match=str(expected.value)):
        run(runner, data, [], by(data, "k"), [call])


def test_errors(runner: Runner) -> None:
    """Offsets below zero, NULL offsets of ROWS, no parts."""
    data = relation([(1, 1, None, -1, 3, 10**38 - 1), (2, 2, 0, 3, -1, 10**38 - 1)], k=INTEGER, j=INTEGER,
                    m=BIGINT, o=BIGINT, edge=INTEGER, w=HUGEINT)  # fmt: skip
    for kind in ("preceding", "following"):
        start = (lambda b: (b, FOLLOWING)) if kind == "preceding" else (lambda b: (PRECEDING, b))
        for unit, name in (("rows", "m"), ("rows", "o"), ("groups", "o"), ("range", "edge")):
            refused(
                runner, data, call_of(data, "count_star", frame=Frame(unit, *start(offset(kind, data[name]))))
            )
        for value in (-1, None):
            frame = Frame("rows", *start(offset(kind, number(value))))
            refused(runner, data, call_of(data, "count_star", frame=frame))
    refused(runner, data, call_of(data, "ntile", number(0)))
    refused(runner, data, call_of(data, "ntile", "o"))
    refused(runner, data, call_of(data, "sum", "w"))


def test_ordered_input_is_not_sorted_again(runner: Runner) -> None:
    """Rows that lie in order stay where they are, one partition after the other."""
    rows = [(p, k, k % 7) for p in range(3) for k in range(runner.rows(30))]
    data = relation(rows, p=INTEGER, k=INTEGER, j=INTEGER)
    frame = Frame("rows", offset("preceding", number(4)), offset("preceding", number(1)))
    calls = [call_of(data, name, "j", frame=frame) for name in ("sum", "max", "first_value", "avg")]
    check(runner, data, ["p"], by(data, "k"), [*calls, call_of(data, "lag", "j")])


@pytest.mark.parametrize("unit", ["rows", pytest.param("groups", marks=pytest.mark.slow)])
def test_long_frames(runner: Runner, unit: str) -> None:
    """Frames of several levels of a tree, and such that move on."""
    rng = random.Random(5)
    rows = [
        (rng.randrange(200), rng.random() - 0.5, rng.randrange(-9, 9), rng.randrange(0, 90))
        for _ in range(runner.rows(280))
    ]
    data = relation(rows, k=INTEGER, f=DOUBLE, i=INTEGER, o=BIGINT)
    for back in (number(60), data["o"]):
        frame = Frame(unit, offset("preceding", back), offset("following", number(20)), "current row")
        moving = Frame(unit, frame.start, frame.end)
        names = ("sum", "min", "var_samp", "product", "max")
        calls = [call_of(data, name, "f", frame=f) for name in names for f in (frame, moving)]
        calls += [call_of(data, name, "i", frame=moving) for name in ("bit_and", "bit_or", "bit_xor", "avg")]
        check(runner, data, [], by(data, "k"), calls)
