"""The range of the values that a key of a join has on its build side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class KeyRange:
    """What a finished build side says about rows of the other side.

    `low` and `high` bound the key's values in the form of literals (None: not known); with no value at all it
    is `empty`, and then no row can match. Rows whose own key is NULL never match.
    """

    def __init__(self, low: int | None, high: int | None, *, empty: bool) -> None:
        self.low = low
        self.high = high
        self.empty = empty

    def overlaps(self, low: Any, high: Any) -> bool:
        """Whether a value between `low` and `high` (None: unbounded) may match.

        >>> KeyRange(3, 7, empty=False).overlaps(8, None), KeyRange(3, 7, empty=False).overlaps(None, 3)
        (False, True)
        """
        if self.empty:
            return False
        below = high is not None and self.low is not None and high < self.low
        above = low is not None and self.high is not None and low > self.high
        return not below and not above

    @classmethod
    def together(cls, parts: Iterable[KeyRange]) -> KeyRange:
        """The range of the values of all parts.

        >>> both = KeyRange.together([KeyRange(1, 2, empty=False), KeyRange(None, None, empty=True)])
        >>> both.low, both.high, both.empty
        (1, 2, False)
        """
        some = [part for part in parts if not part.empty]
        lows = [part.low for part in some if part.low is not None]
        highs = [part.high for part in some if part.high is not None]
        if not some or len(lows) < len(some) or len(highs) < len(some):
            return cls(None, None, empty=not some)
        return cls(min(lows), max(highs), empty=False)
