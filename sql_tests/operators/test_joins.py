"""Joins of every kind against a definition written out in Python."""

from __future__ import annotations

import random
from typing import Any

import pytest
from operators.harness import Relation, Runner, comparable, new_column, relation, rows_of
from tandemdb.physical import nodes, pipeline
from tandemdb.planner.errors import InvalidInputError
from tandemdb.planner.expr import Comparison, Expr
from tandemdb.planner.logical import JoinKind
from tandemdb.planner.types import BIGINT, BOOLEAN, DOUBLE, HUGEINT, INTEGER, VARCHAR, SQLType, decimal

NAN = float("nan")
KEY_VALUES: dict[str, tuple[SQLType, list[Any]]] = {
    "bigint": (BIGINT, [None, 0, 1, 2, -1, 2**63 - 1, -(2**63)]),
    "integer": (INTEGER, [None, 0, 1, 5, 7, -3]),
    "varchar": (VARCHAR, [None, "", "a", "b", "ab", "a longer string than eight bytes", "ä"]),
    "double": (DOUBLE, [None, 0.0, -0.0, 1.5, NAN, float("inf"), -1e300]),
    "hugeint": (HUGEINT, [None, 0, 1, -1, 2**63, -(2**63) - 1, 10**38 - 1]),
    "decimal": (decimal(30, 2), [None, 0, 100, -250, 10**20, -(10**29)]),
    "null": (BIGINT, [None]),
}
LEFT_KINDS = (JoinKind.INNER, JoinKind.LEFT, JoinKind.SEMI, JoinKind.ANTI, JoinKind.MARK)
RIGHT_KINDS = (JoinKind.RIGHT, JoinKind.FULL, JoinKind.RIGHT_SEMI, JoinKind.RIGHT_ANTI)
BUILD, PROBE, REST = 0, 1, 2


def sides(key: str, seed: int, left_rows: int = 40, right_rows: int = 23) -> tuple[Relation, Relation]:
    """Left (k, a) and right (j, b) rows with keys of one type."""
    kind, values = KEY_VALUES[key]
    rng = random.Random(seed)
    left = [(rng.choice(values), rng.choice([None, *range(6)])) for _ in range(left_rows)]
    right = [(rng.choice(values), rng.choice([None, *range(6)])) for _ in range(right_rows)]
    return relation(left, k=kind, a=INTEGER), relation(right, j=kind, b=INTEGER)


def equal(x: Any, y: Any) -> bool | None:
    """SQL's =: NULL for NULL, NaN equal to NaN."""
    return None if x is None or y is None else comparable(x) == comparable(y)


def both(x: bool | None, y: bool | None) -> bool | None:
    """Three-valued AND."""
    if x is False or y is False:
        return False
    return None if x is None or y is None else True


def expected(kind: JoinKind, left: list, right: list, match: Any, mark: Any = None) -> list:
    """The join's rows by its definition. `match(l, r)` and `mark(l, r)` are three-valued."""
    pairs = [[r for r in right if match(lrow, r) is True] for lrow in left]
    unmatched = [r for r in right if not any(match(lrow, r) is True for lrow in left)]
    matched = [r for r in right if any(match(lrow, r) is True for lrow in left)]
    none_left, none_right = (None, None), (None, None)
    inner = [(*lrow, *r) for lrow, found in zip(left, pairs, strict=True) for r in found]
    outer = [(*lrow, *r) for lrow, found in zip(left, pairs, strict=True) for r in found or [none_right]]
    owed = [(*none_left, *r) for r in unmatched]
    if kind is JoinKind.MARK:
        rows = []
        for lrow, found in zip(left, pairs, strict=True):
            marks = [mark(lrow, r) for r in found]
            value = True if True in marks else None if None in marks else False
            rows.append((*lrow, value))
        return rows
    return {
        JoinKind.INNER: inner,
        JoinKind.LEFT: outer,
        JoinKind.SINGLE: outer,
        JoinKind.RIGHT: inner + owed,
        JoinKind.FULL: outer + owed,
        JoinKind.SEMI: [lrow for lrow, found in zip(left, pairs, strict=True) if found],
        JoinKind.ANTI: [lrow for lrow, found in zip(left, pairs, strict=True) if not found],
        JoinKind.RIGHT_SEMI: matched,
        JoinKind.RIGHT_ANTI: unmatched,
    }[kind]


def output(kind: JoinKind, left: Relation, right: Relation, mark: Any = None) -> tuple:
    """The columns of a join."""
    if kind is JoinKind.MARK:
        return (*left.columns, mark)
    if kind in (JoinKind.SEMI, JoinKind.ANTI):
        return left.columns
    if kind in (JoinKind.RIGHT_SEMI, JoinKind.RIGHT_ANTI):
        return right.columns
    return (*left.columns, *right.columns)


def run_join(
    runner: Runner, node: Any, left: Relation, right: Relation, storage: str
) -> list[tuple[Any, ...]]:
    """Build, probe, and what is left over."""
    other = "plain" if storage == "dictionary" else storage
    runner.run(BUILD, runner.relation(right, storage), [], pipeline.BuildSink(node))
    hashed = isinstance(node, nodes.HashJoin)
    probe = pipeline.ProbeTransform(node, BUILD) if hashed else pipeline.LoopTransform(node, BUILD)
    source = runner.relation(left, other)
    if node.kind in (JoinKind.RIGHT_SEMI, JoinKind.RIGHT_ANTI):
        runner.run(PROBE, source, [probe], pipeline.DiscardSink())
        rows: list[tuple[Any, ...]] = []
    else:
        found = runner.run(PROBE, source, [probe], pipeline.CollectSink(node.columns))
        rows = rows_of(found.batches(), runner.batch_size)
    if node.kind in RIGHT_KINDS:
        rest = runner.maker.source(pipeline.LeftoverSource(node, BUILD))
        found = runner.run(REST, rest, [], pipeline.CollectSink(node.columns))
        rows += rows_of(found.batches(), runner.batch_size)
    return rows


def plain(rows: list) -> list:
    """Expected rows in the form of rows_of."""
    return [tuple(comparable(v) for v in row) for row in rows]


def less(left: Expr, right: Expr) -> Comparison:
    return Comparison(BOOLEAN, "<", left, right)


def is_less(x: Any, y: Any) -> bool | None:
    return None if x is None or y is None else x < y


@pytest.mark.parametrize("kind", [*LEFT_KINDS[:-1], *RIGHT_KINDS], ids=lambda k: k.value)
@pytest.mark.parametrize("condition", ["keys", "residual"])
def test_hash_join(runner: Runner, kind: JoinKind, condition: str) -> None:
    for seed, key in enumerate(KEY_VALUES):
        storage = runner.storage(seed)
        left, right = sides(key, seed, runner.rows(40), runner.rows(23))
        for null_equal in (False, True):
            node = nodes.HashJoin(
                kind=kind,
                left=left.node(),
                right=right.node(),
                keys=(nodes.JoinKey(left["k"], right["j"], null_equal),),
                residual=less(left["a"], right["b"]) if condition == "residual" else None,
                columns=output(kind, left, right),
            )

            def match(lrow: Any, r: Any, null_equal: bool = null_equal) -> bool | None:
                same = equal(lrow[0], r[0])
                if null_equal:
                    same = bool(same) or (lrow[0] is None and r[0] is None)
                return same if condition == "keys" else both(same, is_less(lrow[1], r[1]))

            found = run_join(runner, node, left, right, storage)
            assert found == plain(expected(kind, left.rows, right.rows, match)), (key, storage, null_equal)


@pytest.mark.parametrize("kind", [*LEFT_KINDS[:-1], *RIGHT_KINDS], ids=lambda k: k.value)
@pytest.mark.parametrize("condition", [True, False])
def test_nested_loop_join(runner: Runner, kind: JoinKind, condition: bool) -> None:
    for seed in range(2):
        storage = runner.storage(2 * seed)
        left, right = sides("varchar", seed, 17, 9)
        node = nodes.NestedLoopJoin(
            kind=kind,
            left=left.node(),
            right=right.node(),
            condition=less(left["a"], right["b"]) if condition else None,
            columns=output(kind, left, right),
        )
        found = run_join(runner, node, left, right, storage)
        match = (lambda lrow, r: is_less(lrow[1], r[1])) if condition else (lambda lrow, r: True)
        assert found == plain(expected(kind, left.rows, right.rows, match)), storage


@pytest.mark.parametrize("empty", ["left", "right", "both"])
@pytest.mark.parametrize("hashed", [True, False], ids=["hash", "loop"])
def test_empty_sides(runner: Runner, empty: str, hashed: bool) -> None:
    for kind in (*LEFT_KINDS, *RIGHT_KINDS, JoinKind.SINGLE):
        left, right = sides("bigint", 1, 0 if empty != "right" else 5, 0 if empty != "left" else 5)
        mark = new_column("mark", BOOLEAN)
        common = {
            "kind": kind,
            "left": left.node(),
            "right": right.node(),
            "columns": output(kind, left, right, mark),
            "mark": mark if kind is JoinKind.MARK else None,
        }
        term = Comparison(BOOLEAN, "=", left["k"], right["j"])
        if kind is JoinKind.MARK:
            node: Any = (
                nodes.HashJoin(**common, keys=(), mark_keys=(nodes.JoinKey(left["k"], right["j"]),))
                if hashed
                else nodes.NestedLoopJoin(**common, mark_terms=(term,))
            )
        elif hashed:
            node = nodes.HashJoin(**common, keys=(nodes.JoinKey(left["k"], right["j"]),))
        else:
            node = nodes.NestedLoopJoin(**common, condition=term)
        found = run_join(runner, node, left, right, "plain")
        wanted = expected(
            kind, left.rows, right.rows, lambda lrow, r: False, lambda lrow, r: equal(lrow[0], r[0])
        )
        assert found == plain(wanted), kind


MARK_SHAPES = {
    # What the join has besides: correlation keys, mark keys, a residual, other mark terms.
    "in": (0, 1, False, False),
    "correlated in": (1, 1, False, False),
    "rows in": (0, 2, False, False),
    "correlated rows in": (1, 2, False, False),
    "residual": (1, 1, True, False),
    "other term": (0, 1, False, True),
    "all": (1, 1, True, True),
    "exists": (1, 0, False, False),
    "exists residual": (1, 0, True, False),
}


@pytest.mark.parametrize("shape", MARK_SHAPES)
@pytest.mark.parametrize("hashed", [True, False], ids=["hash", "loop"])
def test_mark_join(runner: Runner, shape: str, hashed: bool) -> None:
    keys, mark_keys, residual, other = MARK_SHAPES[shape]
    rng = random.Random(shape)
    for values in ([1, 2], [None, 1, 2, 3], [None]):
        left = relation(
            [[rng.choice(values) for _ in range(5)] for _ in range(13)], **dict.fromkeys("abcde", INTEGER)
        )
        right = relation(
            [[rng.choice(values) for _ in range(5)] for _ in range(7)], **dict.fromkeys("vwxyz", INTEGER)
        )
        mark = new_column("mark", BOOLEAN)
        pairs = [(left[p], right[q]) for p, q in zip("abc", "vwx", strict=True)]
        corr, terms = pairs[:keys], pairs[keys : keys + mark_keys]
        condition = less(left["d"], right["y"]) if residual else None
        extra = (less(left["e"], right["z"]),) if other else ()

        def match(lrow: Any, r: Any) -> bool | None:
            found: bool | None = True
            for i in range(keys):
                found = both(found, equal(lrow[i], r[i]))
            return both(found, is_less(lrow[3], r[3])) if residual else found

        def term(lrow: Any, r: Any) -> bool | None:
            found: bool | None = True
            for i in range(keys, keys + mark_keys):
                found = both(found, equal(lrow[i], r[i]))
            return both(found, is_less(lrow[4], r[4])) if other else found

        common = {
            "kind": JoinKind.MARK,
            "left": left.node(),
            "right": right.node(),
            "mark": mark,
            "columns": (*left.columns, mark),
        }
        if hashed:
            node: Any = nodes.HashJoin(
                **common,
                keys=tuple(nodes.JoinKey(p, q) for p, q in corr),
                residual=condition,
                mark_keys=tuple(nodes.JoinKey(p, q) for p, q in terms),
                mark_rest=extra,
            )
        else:
            from tandemdb.planner.expr import conjunction

            equalities = [Comparison(BOOLEAN, "=", p, q) for p, q in corr]
            node = nodes.NestedLoopJoin(
                **common,
                condition=conjunction([*equalities, *([condition] if condition else [])]),
                mark_terms=(*(Comparison(BOOLEAN, "=", p, q) for p, q in terms), *extra),
            )
        found = run_join(runner, node, left, right, "plain")
        assert found == expected(JoinKind.MARK, left.rows, right.rows, match, term), values


@pytest.mark.parametrize("hashed", [True, False], ids=["hash", "loop"])
def test_single_join(runner: Runner, hashed: bool) -> None:
    left = relation([(i % 5, i) for i in range(12)], k=BIGINT, a=INTEGER)
    for right_keys, fails in (([0, 1, 2, 9], False), ([0, 1, 1, 7], True)):
        right = relation([(k, k) for k in right_keys], j=BIGINT, b=INTEGER)
        for residual in (None, less(left["a"], right["b"])):
            columns = output(JoinKind.SINGLE, left, right)
            common = {"kind": JoinKind.SINGLE, "left": left.node(), "right": right.node(), "columns": columns}
            keys = (nodes.JoinKey(left["k"], right["j"]),)
            term = Comparison(BOOLEAN, "=", left["k"], right["j"])
            if hashed:
                node: Any = nodes.HashJoin(**common, keys=keys, residual=residual)
            elif residual is None:
                node = nodes.NestedLoopJoin(**common, condition=term)
            else:
                continue
            if fails and residual is None:
                with pytest.raises(InvalidInputError, match="More than one row returned by a subquery"):
                    run_join(runner, node, left, right, "plain")
                continue

            def match(lrow: Any, r: Any, residual: Any = residual) -> bool | None:
                same = equal(lrow[0], r[0])
                return same if residual is None else both(same, is_less(lrow[1], r[1]))

            found = run_join(runner, node, left, right, "plain")
            assert found == expected(JoinKind.SINGLE, left.rows, right.rows, match)


def test_two_keys_of_which_one_takes_null_for_equal(runner: Runner) -> None:
    rng = random.Random(5)
    values = [None, 1, 2]
    left = relation([[rng.choice(values), rng.choice(values)] for _ in range(20)], a=INTEGER, b=INTEGER)
    right = relation([[rng.choice(values), rng.choice(values)] for _ in range(9)], c=INTEGER, d=INTEGER)
    node = nodes.HashJoin(
        kind=JoinKind.FULL,
        left=left.node(),
        right=right.node(),
        keys=(nodes.JoinKey(left["a"], right["c"], True), nodes.JoinKey(left["b"], right["d"])),
        columns=output(JoinKind.FULL, left, right),
    )

    def match(lrow: Any, r: Any) -> bool:
        return lrow[0] == r[0] and equal(lrow[1], r[1]) is True

    found = run_join(runner, node, left, right, "plain")
    assert found == expected(JoinKind.FULL, left.rows, right.rows, match)
