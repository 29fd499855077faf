"""Strings split at delimiters."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from ....arguments import library
from ....errors import expects, logic_error
from ..._kinds import Kind
from ..._strings import STRING, strings, text_of, texts_of
from ...column import Column, made
from ...scalar import Scalar
from ...table import Table
from ...types import DataType, TypeId


def _pieces(input: Column, delimiter: Scalar, maxsplit: int) -> list[list[str] | None]:
    """The pieces of each text; at blanks, without empty pieces, where the delimiter is empty."""
    mark = text_of(delimiter, "delimiter") or None
    limit = maxsplit if maxsplit > 0 else -1
    return [None if text is None else text.split(mark, limit) for text in texts_of(input).to_pylist()]


@library
def split(
    strings_column: Column, delimiter: Scalar, maxsplit: int, stream: Any = None, mr: Any = None
) -> Table:
    """A column for each piece; NULL where a text has no more."""
    rows = _pieces(strings_column, delimiter, maxsplit)
    width = max((len(row) for row in rows if row is not None), default=1)
    return Table([strings([_at(row, i) for row in rows]) for i in range(max(width, 1))], len(rows))


def _at(row: list[str] | None, index: int) -> str | None:
    return row[index] if row is not None and index < len(row) else None


@library
def split_record(
    strings: Column, delimiter: Scalar, maxsplit: int, stream: Any = None, mr: Any = None
) -> Column:
    """A list of the pieces of each text."""
    kind = Kind(DataType(TypeId.LIST), (Kind(STRING),))
    return made(kind, pa.array(_pieces(strings, delimiter, maxsplit), pa.list_(pa.string())))


@library
def split_part(input: Column, delimiter: Scalar, index: int, stream: Any = None, mr: Any = None) -> Column:
    """One piece of each text; NULL where it has fewer."""
    expects(index >= 0, logic_error("index must be non-negative"))
    return strings([_at(row, index) for row in _pieces(input, delimiter, -1)])
