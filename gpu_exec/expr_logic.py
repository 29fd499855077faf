"""AND, OR, NOT: three-valued; errors of later terms surface only in rows that earlier ones leave open."""

from __future__ import annotations

from collections.abc import Sequence

from ..planner.types import BOOLEAN
from .values import Evaluation, Failure, Value, null_value


def negation(arg: Value, run: Evaluation) -> Value:
    """NOT; NULL stays NULL."""
    if arg.is_constant:
        return Value(BOOLEAN, None, None if arg.literal is None else not arg.literal)
    return run.boolean(run.ops.inverse(arg.column), arg)


def connective(args: Sequence[Value], run: Evaluation, *, conjunction: bool) -> Value:
    """N-ary AND or OR: as on the CPU terms that fail come last, each for the rows still open then."""
    first, *others = sorted(args, key=lambda term: bool(term.failures))
    result, failures = first, list(first.failures)
    for term in others:
        if term.failures:
            failures += _open(result, term.failures, run, conjunction)
        result = _fold(result, term, run, conjunction)
    return Value(BOOLEAN, result.column, result.literal, failures=tuple(failures))


def _open(
    known: Value, failures: tuple[Failure, ...], run: Evaluation, conjunction: bool
) -> tuple[Failure, ...]:
    """The failures in rows that what is known so far does not decide."""
    if known.is_constant:
        decided = known.literal is not None and known.literal is not conjunction
        return () if decided else failures
    if conjunction:
        undecided = run.ops.filled(known.column, run.ops.truth(True))
    else:
        undecided = run.ops.inverse(run.ops.is_true(known.column))
    return run.only_where(failures, undecided)


def _fold(left: Value, right: Value, run: Evaluation, conjunction: bool) -> Value:
    if left.is_constant and right.is_constant:
        return _constants(left, right, conjunction)
    if left.is_constant or right.is_constant:
        constant, other = (left, right) if left.is_constant else (right, left)
        if constant.literal is not None:
            return other if constant.literal is conjunction else constant
        null = run.ops.truth(None)
        made = run.ops.both(other.column, null) if conjunction else run.ops.either(other.column, null)
        return Value(BOOLEAN, made)
    fold = run.ops.both if conjunction else run.ops.either
    return Value(BOOLEAN, fold(left.column, right.column))


def _constants(left: Value, right: Value, conjunction: bool) -> Value:
    for value in (left, right):
        if value.literal is not None and value.literal is not conjunction:
            return value
    return null_value(BOOLEAN) if left.literal is None else right
