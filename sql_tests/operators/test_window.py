"""Window functions against their definition: every function, every frame, every type."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Sequence
from typing import Any

import pytest
from operators.harness import Relation, Runner, comparable, new_column, relation, rows_of
from operators.window_reference import FrameError, window_values
from tandemdb.physical import nodes, pipeline
from tandemdb.physical.windows import create_window
from tandemdb.planner import logical
from tandemdb.planner.errors import SqlError
from tandemdb.planner.expr import (
    DEFAULT_FRAME,
    Cast,
    Expr,
    Frame,
    FrameBound,
    Literal,
    SortKey,
    WindowCall,
)
from tandemdb.planner.functions import AGGREGATES, resolve
from tandemdb.planner.functions.windows import FUNCTIONS, NOT_OVER_WINDOWS
from tandemdb.planner.types import (
    BIGINT,
    BLOB,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    HUGEINT,
    INTEGER,
    INTERVAL,
    NULL,
    SMALLINT,
    TIME,
    TIMESTAMP,
    TIMESTAMP_NS,
    UBIGINT,
    VARCHAR,
    SQLType,
    decimal,
)

NAN = float("nan")
VALUES: dict[str, tuple[SQLType, list[Any]]] = {
    "i": (INTEGER, [None, 0, 1, 1, -7, 2**31 - 1, -(2**31)]),
    "s": (SMALLINT, [None, 3, -3]),
    "l": (BIGINT, [None, 0, 5, 5, 2**63 - 1, -(2**63)]),
    "u": (UBIGINT, [None, 0, 5, 2**64 - 1, 2**63]),
    "h": (HUGEINT, [None, 0, 5, 2**63, -(10**35)]),
    "d": (decimal(15, 2), [None, 0, 100, -250, 10**15 - 1]),
    "w": (decimal(38, 3), [None, 0, 1500, 10**25, -(10**35)]),
    "f": (DOUBLE, [None, 0.0, -0.0, 0.1, 1.75, -2.25, 1e17]),
    "n": (DOUBLE, [None, 0.0, NAN, float("inf"), -1.0]),
    "r": (FLOAT, [None, 0.5, -1.25]),
    "t": (VARCHAR, [None, "", "a", "b", "ab", "much longer than eight bytes", "ä€"]),
    "x": (BLOB, [None, b"", b"\0", b"\xff", b"longer than eight"]),
    "b": (BOOLEAN, [None, True, False]),
    "y": (DATE, [None, 0, -1, 20000]),
    "c": (TIME, [None, 0, 86_399_999_999, 5]),
    "z": (TIMESTAMP, [None, 0, -1, 1_600_000_000_000_001]),
    "a": (TIMESTAMP_NS, [None, 0, -1, 1_600_000_000_000_000_001]),
    "v": (INTERVAL, [None, (0, 0, 0), (1, 0, 0), (0, 30, 0), (-1, 2, 3), (1, 1, 86_400_000_001)]),
}
FIXED = {"p": INTEGER, "q": VARCHAR, "k": INTEGER, "j": INTEGER, "o": BIGINT, "m": BIGINT, "e": BOOLEAN}
PRECEDING, FOLLOWING = FrameBound("unbounded preceding"), FrameBound("unbounded following")
HERE = FrameBound("current row")
WHOLE = Frame("rows", PRECEDING, FOLLOWING)


@functools.cache
def table(seed: int, rows: int, names: str) -> Relation:
    """Random rows. `p` and `q` divide them, `k` (with NULLs) and `j` order them, `o` (at least 0) and `m`
    (any number or NULL) are offsets, `e` filters; `below` and `above` are k less and plus two."""
    rng = random.Random(seed)
    types = {name: VALUES[name][0] for name in names}
    data = []
    for _ in range(rows):
        k = rng.choice([None, 0, 1, 2, 4, 5, 9])
        edges = (None, None) if k is None else (k - 2, k + 2)
        fixed = (
            rng.choice([None, 0, 1]),
            rng.choice([None, "", "left", "the right one"]),
            k,
            rng.randrange(50),
            rng.choice([0, 1, 1, 2, 5, 2**63 - 1]),
            rng.choice([None, 0, 1, 2, -1, -2, 2**63 - 1, -(2**63)]),
            rng.choice([None, True, True, False]),
            *edges,
        )
        data.append((*fixed, *(rng.choice(VALUES[name][1]) for name in names)))
    return relation(data, **FIXED, below=INTEGER, above=INTEGER, **types)


def call_of(
    data: Relation,
    function: str,
    *args: str | Literal,
    frame: Frame = DEFAULT_FRAME,
    where: str | None = None,
    distinct: bool = False,
    ignore_nulls: bool = False,
) -> WindowCall:
    """`function(args) OVER (frame)`, bound."""
    known = next((f for f in FUNCTIONS if f.name == function), None) or AGGREGATES[function]
    exprs: list[Expr] = [data[a] if isinstance(a, str) else a for a in args]
    kinds, values = [e.type for e in exprs], [e.value if isinstance(e, Literal) else None for e in exprs]
    bound = resolve(function, known.overloads, kinds, values.__getitem__, None)
    exprs = [
        e if e.type == t else Literal(t, e.value) if isinstance(e, Literal) else Cast(t, e)
        for e, t in zip(exprs, bound.args, strict=True)
    ]
    condition = None if where is None else data[where]
    return WindowCall(bound.result, function, tuple(exprs), frame, condition, distinct, ignore_nulls)


def by(data: Relation, *names: str, descending: bool = False, nulls_first: bool = False) -> list[SortKey]:
    """ORDER BY of columns."""
    return [SortKey(data[name], descending, nulls_first) for name in names]


def run(
    runner: Runner,
    data: Relation,
    partition: Sequence[str],
    order: Sequence[SortKey],
    calls: Sequence[WindowCall],
    storage: str = "plain",
) -> list[tuple[Any, ...]]:
    """The values of the calls; the kept column `row` says that rows come out as they came in."""
    numbered = relation([(*row, i) for i, row in enumerate(data.rows)], row=BIGINT)
    numbered = Relation((*data.columns, numbered.columns[0]), numbered.rows)
    made = [new_column(call.function, call.type) for call in calls]
    parts = tuple(data[name] for name in partition)
    plan = logical.Window(
        logical.Values(numbered.columns, ()), parts, tuple(order), tuple(made), tuple(calls)
    )
    wanted = frozenset({numbered.column("row").id, *(c.id for c in made)})
    node = create_window(plan, wanted, numbered.node(), new_column)
    assert isinstance(node, nodes.Window)
    steps = [node.input] if isinstance(node.input, nodes.Project) else []
    found = runner.run(0, runner.relation(numbered, storage), steps, pipeline.WindowSink(node))
    rows = rows_of(found.batches(), runner.batch_size)
    assert [row[0] for row in rows] == list(range(len(data.rows)))
    return [row[1:] for row in rows]


def check(
    runner: Runner,
    data: Relation,
    partition: Sequence[str],
    order: Sequence[SortKey],
    calls: Sequence[WindowCall],
    storage: str = "plain",
) -> None:
    """What the operator gives is what the definition says."""
    found = run(runner, data, partition, order, calls, storage)
    parts = [data[name] for name in partition]
    for i, call in enumerate(calls):
        expected = [near(v) for v in window_values(data, parts, order, call)]
        assert [near(row[i]) for row in found] == expected, (call, partition, order)


def built(runner: Runner, data: Relation, calls: Sequence[WindowCall]) -> list[WindowCall]:
    """The calls that the runner's device has."""

    def node(call: WindowCall) -> nodes.Window:
        made = (new_column(call.function, call.type),)
        return nodes.Window(
            input=data.node(), kept=(), partition=(), order=(), call_columns=made, calls=(call,)
        )

    return [call for call in calls if runner.supports(node(call))]


def near(value: Any) -> Any:
    """As `comparable`, with 9 digits: sums of doubles are added in other orders."""
    value = comparable(value)
    return float(f"{value:.9g}") if isinstance(value, float) and abs(value) < 1e300 else value


def offset(kind: str, of: Expr) -> FrameBound:
    return FrameBound(kind, of)


def number(value: int | None) -> Literal:
    return Literal(BIGINT, value)


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
        if function in NOT_OVER_WINDOWS or function == "count_star" or known.constants:
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
