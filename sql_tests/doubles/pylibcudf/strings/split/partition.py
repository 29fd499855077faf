"""Strings split in three."""

from __future__ import annotations

import re
from typing import Any

from ....arguments import library
from ..._strings import strings, text_of, texts_of
from ...column import Column
from ...scalar import Scalar
from ...table import Table


def _three(input: Column, delimiter: Scalar | None, *, last: bool) -> Table:
    mark = "" if delimiter is None else text_of(delimiter, "delimiter")
    rows = []
    for text in texts_of(input).to_pylist():
        if text is None:
            rows.append((None, None, None))
        elif mark:
            rows.append(text.rpartition(mark) if last else text.partition(mark))
        else:
            blanks = list(re.finditer("[\x00-\x20]", text))
            at = blanks[-1 if last else 0] if blanks else None
            whole = ("", "", text) if last else (text, "", "")
            rows.append(whole if at is None else (text[: at.start()], at[0], text[at.end() :]))
    return Table([strings([row[i] for row in rows]) for i in range(3)], len(rows))


@library
def partition(input: Column, delimiter: Scalar | None = None, stream: Any = None, mr: Any = None) -> Table:
    """What is before the first delimiter, it, and what is after; all in the first where there is none."""
    return _three(input, delimiter, last=False)


@library
def rpartition(input: Column, delimiter: Scalar | None = None, stream: Any = None, mr: Any = None) -> Table:
    """What is before the last delimiter, it, and what is after; all in the last where there is none."""
    return _three(input, delimiter, last=True)
