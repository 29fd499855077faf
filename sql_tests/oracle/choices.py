"""The choices a generator makes: random numbers of a seed, in the words generators use."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """What generators draw from. Where alternatives differ in size, callers put the simplest first."""

    def __init__(self, source: random.Random | int | str) -> None:
        self._random = source if isinstance(source, random.Random) else random.Random(source)

    def below(self, n: int) -> int:
        return self._random.randrange(n)

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
