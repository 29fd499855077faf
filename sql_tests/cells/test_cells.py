"""Every cell has its record; the records themselves run as .slt files."""

from __future__ import annotations

import pytest
from cells.types import TYPES, CellType
from cells.write import cells, recorded


@pytest.mark.parametrize("type_", TYPES, ids=lambda type_: type_.name)
def test_every_cell_has_a_record(type_: CellType) -> None:
    assert recorded(type_) == [cell.name for cell in cells(type_)], "run sql_tests/cells/write.py"
