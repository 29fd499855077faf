"""The device of the doubles, for the tests of the doubles themselves."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import doubles
import pytest


@pytest.fixture
def device(double: doubles.Device) -> Iterator[doubles.Device]:
    """`import pylibcudf` and `import rmm` give the doubles; their device starts with zero counters."""
    yield double
    gc.collect()
