"""A small TPC-H lake for the tests of this folder."""

from pathlib import Path

import pytest
from tandemdb.tpch.generate import Description, generate

SCALE = 0.01


@pytest.fixture(scope="session")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """TPC-H at scale 0.01, with several row groups in the large tables."""
    folder = tmp_path_factory.mktemp("lake") / "small"
    assert generate(folder, Description(SCALE, row_group_bytes="256KiB"), threads=1)
    return folder
