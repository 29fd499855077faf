"""The planted bugs: they fit the source as it is, and the fuzzer finds all but two of them."""

from __future__ import annotations

import pytest
from oracle.mutants import MUTANTS, ROOT, main, stale


def test_every_planted_bug_fits_the_source() -> None:
    assert len(MUTANTS) == 20
    assert len({mutant.name for mutant in MUTANTS}) == 20
    assert stale(ROOT) == []


@pytest.mark.slow
def test_the_fuzzer_finds_eighteen_of_twenty_planted_bugs() -> None:
    assert main(["--count", "1500", "--least", "18"]) == 0
