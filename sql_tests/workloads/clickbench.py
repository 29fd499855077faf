"""The queries of ClickBench as SQL, see clickbench.sql."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("clickbench.sql")
SUMS = 90
"""Sums of one query."""


@dataclass(frozen=True)
class Query:
    """One query: its text, and whether any rows of its result without LIMIT are right."""

    sql: str
    any_rows: bool

    @property
    def whole(self) -> str:
        """The query without LIMIT."""
        return re.sub(r"\s+LIMIT .*", "", self.sql)


def queries(rows: int) -> dict[str, Query]:
    """The queries by their name, "1" to "43", for a table of that many rows."""
    sums = ["sum(ResolutionWidth)", *(f"sum(ResolutionWidth + {more})" for more in range(1, SUMS))]
    replaced = {
        "{sums}": ", ".join(sums),
        "{some}": str(rows // 100),
        "{offset}": str(min(rows // 1000, 100)),
    }
    text = FILE.read_text(encoding="utf-8")
    for name, value in replaced.items():
        text = text.replace(name, value)
    found = {}
    for number, mark, sql in re.findall(r"^-- (\d+)( any rows)?\n(.*?);\n", text, re.DOTALL | re.MULTILINE):
        found[number] = Query(sql, bool(mark))
    return found
