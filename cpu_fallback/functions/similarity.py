"""How alike two texts are."""

from __future__ import annotations

from collections.abc import Sequence

from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import BIGINT, DOUBLE
from ..vector import Vector
from .registry import Check, Evaluate, Interruptible, scalar
from .rowwise import rowwise

# So much of a common beginning counts for Winkler, so many letters of it at most, from this similarity on.
_PREFIX_WEIGHT, _LONGEST_PREFIX, _WORTH_IT = 0.1, 4, 0.7


@scalar("damerau_levenshtein")
def damerau_levenshtein(call: Call) -> Evaluate:
    """See `transposed_distance`."""
    from ..kernels.edit_distance import transposed_distance

    def evaluate(args: Sequence[Vector], n: int, check: Check) -> Vector:
        return rowwise(lambda left, right: transposed_distance(left, right, check), BIGINT)(args, n)

    return Interruptible(evaluate)


@scalar("hamming")
def hamming(call: Call) -> Evaluate:
    """Number of places at which two texts of one length differ."""

    def one(left: str, right: str) -> int:
        if len(left) != len(right):
            raise messages.invalid_input("Mismatch Function: Strings must be of equal length!")
        if not left:
            raise messages.invalid_input("Mismatch Function: Strings must be of length > 0!")
        return sum(x != y for x, y in zip(left, right, strict=True))

    return rowwise(one, BIGINT)


@scalar("jaccard")
def jaccard(call: Call) -> Evaluate:
    """Size of the intersection of the sets of letters over that of their union."""

    def one(left: str, right: str) -> float:
        a, b = set(left), set(right)
        if not a or not b:
            raise messages.invalid_input("Jaccard Function: An argument too short!")
        return len(a & b) / len(a | b)

    return rowwise(one, DOUBLE)


def jaro(left: str, right: str) -> float:
    """M. A. Jaro's similarity (Journal of the American Statistical Association 84, 1989).

    >>> round(jaro("martha", "marhta"), 4)
    0.9444
    """
    if not left or not right:
        return 0.0
    reach = max(max(len(left), len(right)) // 2 - 1, 0)
    taken = bytearray(len(right))
    matched = []
    for at, letter in enumerate(left):
        start = max(0, at - reach)
        place = right.find(letter, start, at + reach + 1)
        while place >= 0 and taken[place]:
            place = right.find(letter, place + 1, at + reach + 1)
        if place >= 0:
            taken[place] = 1
            matched.append(letter)
    if not matched:
        return 0.0
    others = [letter for letter, flag in zip(right, taken, strict=True) if flag]
    moved = sum(a != b for a, b in zip(matched, others, strict=True)) // 2
    count = len(matched)
    return (count / len(left) + count / len(right) + (count - moved) / count) / 3.0


def jaro_winkler(left: str, right: str) -> float:
    """Jaro's similarity, raised by a common beginning (W. E. Winkler, 1990).

    >>> round(jaro_winkler("martha", "marhta"), 4)
    0.9611
    """
    similarity = jaro(left, right)
    if similarity <= _WORTH_IT:
        return similarity
    common = 0
    for a, b in zip(left[:_LONGEST_PREFIX], right, strict=False):
        if a != b:
            break
        common += 1
    return similarity + common * _PREFIX_WEIGHT * (1.0 - similarity)


_SIMILAR = {"jaro_similarity": jaro, "jaro_winkler_similarity": jaro_winkler}


@scalar(*_SIMILAR)
def similarity(call: Call) -> Evaluate:
    """Jaro's or Jaro and Winkler's; 0 below the third argument."""
    measure = _SIMILAR[call.function]

    def one(left: str, right: str, least: float = 0.0) -> float:
        value = measure(left, right)
        return value if value >= least else 0.0

    return rowwise(one, DOUBLE)
