"""No source file is longer than 600 lines: past that it holds more than one concept."""

from pathlib import Path

from product_tree import ROOT, modules

LIMIT = 600


def sources() -> list[Path]:
    tests = sorted(path.relative_to(ROOT) for path in (ROOT / "sql_tests").rglob("*.py"))
    return [*modules(), *tests]


def test_files_are_within_the_limit() -> None:
    lengths = {str(path): len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in sources()}
    assert {path: lines for path, lines in lengths.items() if lines > LIMIT} == {}
