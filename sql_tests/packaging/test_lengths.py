"""No source file is longer than 600 lines: past that it holds more than one concept."""

from pathlib import Path

import pytest
from product_tree import ROOT, modules

LIMIT = 600


def sources() -> list[Path]:
    tests = sorted(path.relative_to(ROOT) for path in (ROOT / "sql_tests").rglob("*.py"))
    return [*modules(), *tests]


@pytest.mark.parametrize("path", sources(), ids=str)
def test_file_is_within_the_limit(path: Path) -> None:
    lines = len((ROOT / path).read_text(encoding="utf-8").splitlines())
    assert lines <= LIMIT, f"{path} has {lines} lines; split it by concept"
