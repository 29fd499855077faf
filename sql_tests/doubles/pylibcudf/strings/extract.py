"""Groups of patterns as columns."""

from __future__ import annotations

from typing import Any

from ...arguments import library
from ...errors import expects, logic_error
from .._strings import strings, texts_of
from ..column import Column
from ..table import Table
from .regex_program import RegexProgram


def _groups(input: Column, prog: RegexProgram) -> list[tuple[str | None, ...]]:
    nothing = (None,) * prog._compiled.groups
    found = []
    for text in texts_of(input).to_pylist():
        match = None if text is None else prog._compiled.search(text)
        found.append(nothing if match is None else match.groups())
    return found


@library
def extract(input: Column, prog: RegexProgram, stream: Any = None, mr: Any = None) -> Table:
    """A column for each group of the first match; NULL where nothing matches."""
    count = prog._compiled.groups
    expects(count > 0, logic_error("Group indicators not found in regex pattern"))
    rows = _groups(input, prog)
    return Table([strings([row[i] for row in rows]) for i in range(count)], input.size())


@library
def extract_single(
    input: Column, prog: RegexProgram, group: int, stream: Any = None, mr: Any = None
) -> Column:
    """One group of the first match."""
    expects(0 <= group < prog._compiled.groups, logic_error("group index out of range"))
    return strings([row[group] for row in _groups(input, prog)])
