"""TPC-H on the GPU while its memory is short in every allocation, or in every call of the library, in turn.

At a hundredth of scale 1 a query makes 40 to 190 calls and 50 to 260 allocations: each fails once, and twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tandemdb
from doubles.injection import IN_TURN
from tandemdb.tpch import texts
from tandemdb.tpch.generate import Description, generate

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tpch") / "lake"
    assert generate(folder, Description(0.01), threads=1)
    return folder


@pytest.fixture
def con(double: Any, lake: Path, tmp_path: Path) -> Iterator[tandemdb.Connection]:
    del double
    config = {"threads": 1, "device": "gpu", "on_fallback": "error", "temp_directory": str(tmp_path)}
    with tandemdb.connect(lake=lake, config=config) as connection:
        yield connection
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("what", IN_TURN)
@pytest.mark.parametrize("query", texts.QUERIES)
def test_every_one_fails(con: Any, double: Any, query: int, what: str, times: int) -> None:
    IN_TURN[what](con, double, texts.load(query), times=times)
