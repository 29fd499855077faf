"""Relations and calls for the tests of windows, and the comparison with the reference."""

from __future__ import annotations

import functools
import random
from collections.abc import Sequence
from typing import Any

from operators.harness import Relation, Runner, comparable, new_column, relation, rows_of
from operators.window_reference import window_values
from tandemdb.physical import nodes, pipeline
from tandemdb.physical.windows import create_window
from tandemdb.planner import logical
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
from tandemdb.planner.functions.windows import FUNCTIONS
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
