"""Random tables: the double against loops in plain Python that say the same."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from doubles.testing import col, rows, table, values

I64, F64, TEXT = pa.int64(), pa.float64(), pa.string()
SEEDS = range(12)
NO_ROW = -(2**31)
pytestmark = pytest.mark.usefixtures("device")


def column_of(rng: np.random.Generator, count: int) -> tuple[Any, list[Any]]:
    """A column of few different values, some NULL, often sliced; and its values."""
    kind, choices = [
        (I64, [0, 1, -5, 2**63 - 1]),
        (F64, [0.0, -0.0, math.nan, 1.5, -math.inf]),
        (TEXT, ["", "a", "b", "é"]),
        (pa.bool_(), [True, False]),
    ][rng.integers(4)]
    picked = [
        choices[i] if i < len(choices) else None for i in rng.integers(len(choices) + 1, size=count + 2)
    ]
    skip = int(rng.integers(3))
    whole = [*picked[:skip], *picked[2:]]
    return col(kind, whole, skip), picked[2:]


def key(value: Any) -> Any:
    """A value that is equal for equal keys."""
    if isinstance(value, float):
        return "nan" if math.isnan(value) else value + 0.0
    return value


def place(value: Any, *, down: bool, before: bool) -> tuple[int, Any]:
    """A value that sorts as the library does."""
    rank = (0 if before else 2) if value is None else 1
    plain: Any = 0 if value is None else value
    if isinstance(plain, float):
        plain = (1, 0.0) if math.isnan(plain) else (0, plain)
    if isinstance(plain, str):
        plain = plain.encode()
    return (rank, plain) if not down else (-rank, _Down(plain))


class _Down:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: _Down) -> bool:
        return other.value < self.value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Down) and self.value == other.value

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize("seed", SEEDS)
def test_sorts(seed: int) -> None:
    import pylibcudf as plc

    rng = np.random.default_rng(seed)
    count, width = int(rng.integers(0, 30)), int(rng.integers(1, 4))
    made = [column_of(rng, count) for _ in range(width)]
    down, before = rng.integers(2, size=width).astype(bool), rng.integers(2, size=width).astype(bool)
    orders = [plc.types.Order.DESCENDING if d else plc.types.Order.ASCENDING for d in down]
    nulls = [plc.types.NullOrder.BEFORE if b else plc.types.NullOrder.AFTER for b in before]
    found = values(plc.sorting.stable_sorted_order(table(*(c for c, _ in made)), orders, nulls))
    wanted = sorted(
        range(count),
        key=lambda i: tuple(
            place(v[i], down=d, before=b) for (_, v), d, b in zip(made, down, before, strict=True)
        ),
    )
    assert found == wanted


@pytest.mark.parametrize("seed", SEEDS)
def test_groups(seed: int) -> None:
    import pylibcudf as plc

    rng = np.random.default_rng(seed)
    count, width = int(rng.integers(0, 40)), int(rng.integers(1, 3))
    made = [column_of(rng, count) for _ in range(width)]
    numbers = [int(v) if v else None for v in rng.integers(0, 9, size=count)]
    groups: dict[Any, list[Any]] = defaultdict(list)
    for i in range(count):
        groups[tuple(key(v[i]) for _, v in made)].append(numbers[i])
    a = plc.aggregation
    request = plc.groupby.GroupByRequest(
        col(I64, numbers), [a.sum(), a.min(), a.count(plc.types.NullPolicy.EXCLUDE), a.collect_list()]
    )
    keys, results = plc.groupby.GroupBy(table(*(c for c, _ in made)), plc.types.NullPolicy.INCLUDE).aggregate(
        [request]
    )
    found = {tuple(key(v) for v in k): row for k, row in zip(values(keys), values(results[0]), strict=True)}
    assert found.keys() == groups.keys()
    for name, of in groups.items():
        valid = [v for v in of if v is not None]
        assert found[name] == (sum(valid) if valid else None, min(valid, default=None), len(valid), of)


@pytest.mark.parametrize("equal", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_joins(seed: int, equal: bool) -> None:
    import pylibcudf as plc

    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, 15, size=2)
    left_made, right_made = [], []
    for _ in range(int(rng.integers(1, 3))):
        kind_seed = int(rng.integers(1 << 30))
        for size, made in zip(sizes, (left_made, right_made), strict=True):
            # The same kind of column on both sides, with other values.
            side = np.random.default_rng(kind_seed)
            choice = int(side.integers(4))
            while True:
                column, found = column_of(rng, int(size))
                if column.type().id() == _kinds()[choice]:
                    break
            made.append((column, found))
    nulls = plc.types.NullEquality.EQUAL if equal else plc.types.NullEquality.UNEQUAL
    left, right = table(*(c for c, _ in left_made)), table(*(c for c, _ in right_made))
    pairs = [
        (i, j)
        for i, j in itertools.product(range(sizes[0]), range(sizes[1]))
        if all(
            key(a[i]) == key(b[j]) and (equal or a[i] is not None)
            for (_, a), (_, b) in zip(left_made, right_made, strict=True)
        )
    ]
    alone = [i for i in range(sizes[0]) if i not in {p[0] for p in pairs}]
    rest = [j for j in range(sizes[1]) if j not in {p[1] for p in pairs}]
    assert rows(plc.join.inner_join(left, right, nulls)) == sorted(pairs)
    outer = [*pairs, *((i, NO_ROW) for i in alone)]
    assert rows(plc.join.left_join(left, right, nulls)) == sorted(outer)
    assert rows(plc.join.full_join(left, right, nulls)) == sorted([*outer, *((NO_ROW, j) for j in rest)])
    assert sorted(values(plc.join.left_semi_join(left, right, nulls))) == sorted({p[0] for p in pairs})
    assert sorted(values(plc.join.left_anti_join(left, right, nulls))) == alone


def _kinds() -> list[Any]:
    import pylibcudf as plc

    return [plc.TypeId.INT64, plc.TypeId.FLOAT64, plc.TypeId.STRING, plc.TypeId.BOOL8]


@pytest.mark.parametrize("seed", SEEDS)
def test_arithmetic_of_128_bits(seed: int) -> None:
    from doubles.kernels import i128

    rng = np.random.default_rng(seed)

    def wrapped(value: int) -> int:
        return (value + 2**127) % 2**128 - 2**127

    xs, ys = ([wrapped(v * (-1) ** i) for i, v in enumerate(some_small(rng))] for _ in range(2))
    a, b = i128.of_ints(xs), i128.of_ints(ys)
    assert i128.to_ints(i128.add(a, b)) == [wrapped(x + y) for x, y in zip(xs, ys, strict=True)]
    assert i128.to_ints(i128.subtract(a, b)) == [wrapped(x - y) for x, y in zip(xs, ys, strict=True)]
    assert i128.to_ints(i128.multiply(a, b)) == [wrapped(x * y) for x, y in zip(xs, ys, strict=True)]
    assert i128.less(a, b).tolist() == [x < y for x, y in zip(xs, ys, strict=True)]
    quotient, rest = (i128.to_ints(v) for v in i128.divide(a, b))
    for x, y, q, r in zip(xs, ys, quotient, rest, strict=True):
        if y:
            assert (q * y + r, abs(r) < abs(y), r == 0 or (r < 0) == (x < 0)) == (x, True, True)
    assert i128.to_ints(i128.sums(a, np.array([0, 7]))) == [wrapped(sum(xs[:7])), wrapped(sum(xs[7:]))]


def some_small(rng: np.random.Generator) -> list[int]:
    """Twenty integers of 0 to 127 bits."""
    return [int.from_bytes(rng.bytes(16), "little") >> int(rng.integers(1, 128)) for _ in range(20)]
