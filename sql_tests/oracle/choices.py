"""Where a generator's choices come from: random numbers, Hypothesis, or a recorded list to replay and shrink.

A generator asks only `below(n)`, and puts the simplest alternative first. So a query is a list of small
integers, and a smaller list is a simpler query: that is all that shrinking needs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
LARGEST = 4096


class Source(Protocol):
    def below(self, n: int) -> int:
        """An integer in [0, n), n <= LARGEST."""
        ...


class Choices:
    """What generators draw from. Every draw goes through `below`, and `taken` is the record of them."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.taken: list[int] = []

    def below(self, n: int) -> int:
        value = self._source.below(n) if n > 1 else 0
        self.taken.append(value)
        return value

    def pick(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def between(self, low: int, high: int) -> int:
        """An integer in [low, high]; low is the simplest."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """True with that probability; False is the simpler answer."""
        return self.below(100) >= 100 - percent

    def weighted(self, options: Sequence[tuple[int, T]]) -> T:
        """One of the options, each with its weight; the first is the simplest."""
        at = self.below(sum(weight for weight, _ in options))
        for weight, option in options:
            if at < weight:
                return option
            at -= weight
        raise AssertionError("weights do not add up")

    def some(self, options: Sequence[T], least: int, most: int) -> list[T]:
        """Between `least` and `most` different options (fewer where there aren't so many), in their order."""
        count = min(self.between(least, most), len(options))
        left = list(range(len(options)))
        chosen = [left.pop(self.below(len(left))) for _ in range(count)]
        return [options[i] for i in sorted(chosen)]


class RandomSource:
    """Choices of a seed."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed)

    def below(self, n: int) -> int:
        return self._random.randrange(n)


class ReplaySource:
    """A recorded list of choices; beyond its end, and where a choice no longer fits, the simplest."""

    def __init__(self, taken: Iterable[int]) -> None:
        self._left = iter(taken)

    def below(self, n: int) -> int:
        value = next(self._left, 0)
        return value if value < n else n - 1


class HypothesisSource:
    """Choices that Hypothesis makes, records and shrinks."""

    strategies: dict[int, st.SearchStrategy[int]] = {}

    def __init__(self, draw: Callable[[st.SearchStrategy[int]], int]) -> None:
        self._draw = draw

    def below(self, n: int) -> int:
        if n not in self.strategies:
            self.strategies[n] = st.integers(0, n - 1)
        return self._draw(self.strategies[n])


@st.composite
def choices(draw: Any) -> Choices:
    """The strategy from which a Hypothesis test takes its choices."""
    return Choices(HypothesisSource(draw))


def shrink(taken: Sequence[int], fails: Callable[[Sequence[int]], bool], attempts: int = 400) -> list[int]:
    """A shorter or smaller list of choices for which `fails` still holds; greedy, at most `attempts` tries.

    Deletes runs of choices, longest first, then lowers single ones (to 0, to half, by one).
    """
    best = list(taken)
    left = attempts

    def accept(candidate: list[int]) -> bool:
        nonlocal best, left
        if left <= 0 or candidate == best:
            return False
        left -= 1
        if not fails(candidate):
            return False
        best = candidate
        return True

    improved = True
    while improved and left > 0:
        improved = False
        size = max(1, len(best) // 2)
        while size >= 1 and left > 0:
            at = 0
            while at < len(best) and left > 0:
                if accept(best[:at] + best[at + size :]):
                    improved = True
                else:
                    at += size
            size //= 2
        at = 0
        while at < len(best) and left > 0:
            for lower in sorted({0, best[at] // 2, best[at] - 1}):
                if 0 <= lower < best[at] and accept([*best[:at], lower, *best[at + 1 :]]):
                    improved = True
                    break
            at += 1
    return best
