"""Strings one after another."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from ...arguments import library
from ...errors import expects, logic_error
from .._strings import optional_text, strings, text_of, texts_of
from ..column import Column
from ..scalar import Scalar
from ..table import Table
from ..types import TypeId


class SeparatorOnNulls(IntEnum):
    YES = 0
    NO = 1


class OutputIfEmptyList(IntEnum):
    EMPTY_STRING = 0
    NULL_ELEMENT = 1


def _joined(
    parts: list[str | None], between: str, instead: str | None, separate: SeparatorOnNulls
) -> str | None:
    if instead is None:
        return (
            None if any(part is None for part in parts) else between.join(p for p in parts if p is not None)
        )
    if separate is SeparatorOnNulls.YES:
        return between.join(instead if part is None else part for part in parts)
    found = ""
    for i, part in enumerate(parts):
        found += (between if i and part is not None and parts[i - 1] is not None else "") + (part or instead)
    return found


@library
def concatenate(
    strings_columns: Table,
    separator: Column | Scalar,
    narep: Scalar | None = None,
    col_narep: Scalar | None = None,
    separate_nulls: SeparatorOnNulls = SeparatorOnNulls.YES,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """The texts of each row as one; NULL where one is NULL, unless another text is to stand for it."""
    columns = strings_columns.columns()
    expects(bool(columns), logic_error("At least one column must be specified"))
    rows = [texts_of(column).to_pylist() for column in columns]
    if isinstance(separator, Scalar):
        expects(len(columns) > 1, logic_error("At least two columns must be specified"))
        between, instead = text_of(separator, "separator"), optional_text(narep)
        return strings(
            [_joined(list(row), between, instead, separate_nulls) for row in zip(*rows, strict=True)]
        )
    expects(
        separator.size() == strings_columns.num_rows(),
        logic_error("Separators column should be the same size"),
    )
    no_between, instead = optional_text(narep), optional_text(col_narep)
    found: list[str | None] = []
    for between, row in zip(texts_of(separator).to_pylist(), zip(*rows, strict=True), strict=True):
        used = no_between if between is None else between
        found.append(None if used is None else _joined(list(row), used, instead, separate_nulls))
    return strings(found)


@library
def join_strings(
    input: Column, separator: Scalar, narep: Scalar, stream: Any = None, mr: Any = None
) -> Column:
    """One row with all texts; NULLs are left out, unless another text is to stand for them."""
    between, instead = text_of(separator, "separator"), optional_text(narep)
    parts = texts_of(input).to_pylist()
    if not parts:
        return strings([])
    kept = [instead if p is None else p for p in parts if p is not None or instead is not None]
    # Nothing but NULLs, and nothing to stand for them: NULL.
    return strings([between.join(str(p) for p in kept) if kept else None])


@library
def join_list_elements(
    lists_strings_column: Column,
    separator: Column | Scalar,
    separator_narep: Scalar,
    string_narep: Scalar,
    separate_nulls: SeparatorOnNulls,
    empty_list_policy: OutputIfEmptyList,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """The elements of each list as one text."""
    lists = lists_strings_column
    texts = lists.type().id() is TypeId.LIST and lists._kind.children[0].dtype.id() is TypeId.STRING
    expects(texts, logic_error("The input column must be of type lists of strings"))
    rows = lists._rows.to_pylist()
    instead = optional_text(string_narep)
    if isinstance(separator, Scalar):
        betweens: list[str | None] = [text_of(separator, "separator")] * len(rows)
    else:
        expects(separator.size() == len(rows), logic_error("Separators column should be the same size"))
        no_between = optional_text(separator_narep)
        betweens = [no_between if b is None else b for b in texts_of(separator).to_pylist()]
    empty = "" if empty_list_policy is OutputIfEmptyList.EMPTY_STRING else None
    found: list[str | None] = []
    for row, between in zip(rows, betweens, strict=True):
        if row is None or between is None:
            found.append(None)
        elif all(part is None for part in row):
            found.append(empty)
        else:
            found.append(_joined(row, between, instead, separate_nulls))
    return strings(found)
