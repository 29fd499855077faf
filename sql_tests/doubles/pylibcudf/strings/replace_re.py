"""Matches of patterns replaced."""

from __future__ import annotations

import re
from typing import Any

from ...arguments import library
from ...errors import expects, logic_error
from .._strings import each, text_of
from ..column import Column
from ..scalar import Scalar
from .regex_program import RegexProgram


@library
def replace_re(
    input: Column,
    pattern: RegexProgram,
    replacement: Scalar | None = None,
    max_replace_count: int = -1,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """Each match, or the first few, replaced."""
    other = "" if replacement is None else text_of(replacement, "replacement")
    if max_replace_count == 0:
        return each(input, lambda text: text)
    return each(input, lambda text: pattern._compiled.sub(lambda _: other, text, max(max_replace_count, 0)))


@library
def replace_with_backrefs(
    input: Column, prog: RegexProgram, replacement: str, stream: Any = None, mr: Any = None
) -> Column:
    """Each match replaced by a text in which `\\\\1` stands for the first group."""
    parts = re.split(r"\\(\d{1,2})|\$\{(\d{1,2})\}", replacement)
    pieces: list[str | int] = []
    for i, part in enumerate(parts):
        if part is not None:
            pieces.append(part if i % 3 == 0 else int(part))
    groups = [piece for piece in pieces if isinstance(piece, int)]
    expects(
        all(g <= prog._compiled.groups for g in groups),
        logic_error("Group index numbers must be in the range"),
    )

    def changed(match: re.Match[str]) -> str:
        return "".join(p if isinstance(p, str) else match[p] or "" for p in pieces)

    return each(input, lambda text: prog._compiled.sub(changed, text))
