"""The doubles of the GPU libraries, in place of the real ones, for one test."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import doubles
import pytest


@pytest.fixture
def device() -> Iterator[doubles.Device]:
    """`import pylibcudf` and `import rmm` give the doubles; their device starts with zero counters."""
    with doubles.install() as found:
        yield found
    gc.collect()
