"""Rows that LIMIT has seen, counted by morsel."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tandemdb.physical.operators import _PrefixSums

STEPS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9), st.integers(-1, 60)), max_size=80)


@given(STEPS)
def test_rows_seen_up_to_a_morsel(steps: list[tuple[int, int, int]]) -> None:
    sums = _PrefixSums()
    counts: dict[int, int] = {}
    for place, number, asked in steps:
        sums.add(place, number)
        counts[place] = counts.get(place, 0) + number
        assert sums.up_to(asked) == sum(n for other, n in counts.items() if other <= asked)
