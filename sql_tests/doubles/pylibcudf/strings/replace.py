"""Parts of strings replaced."""

from __future__ import annotations

from typing import Any

from ...arguments import library
from ...errors import expects, logic_error
from .._strings import each, text_of, texts_of
from ..column import Column
from ..scalar import Scalar


@library
def replace(
    input: Column, target: Scalar, repl: Scalar, maxrepl: int = -1, stream: Any = None, mr: Any = None
) -> Column:
    """Each target, or the first few, replaced."""
    part, other = text_of(target, "target"), text_of(repl, "repl")
    expects(bool(part), logic_error("Parameter target must not be empty string."))
    return each(input, lambda text: text.replace(part, other, maxrepl))


@library
def replace_multiple(
    input: Column, target: Column, repl: Column, maxrepl: int = -1, stream: Any = None, mr: Any = None
) -> Column:
    """Each of several targets replaced by its own text, or all by one; the first that fits counts."""
    targets, others = texts_of(target).to_pylist(), texts_of(repl).to_pylist()
    expects(None not in targets and None not in others, logic_error("Parameters must not have null strings"))
    expects(len(others) in (1, len(targets)), logic_error("Sizes for targets and repls should match"))
    pairs = [(t, others[0] if len(others) == 1 else others[i]) for i, t in enumerate(targets) if t]

    def changed(text: str) -> str:
        found, place = "", 0
        while place < len(text):
            for part, other in pairs:
                if text.startswith(part, place):
                    found, place = found + other, place + len(part)
                    break
            else:
                found, place = found + text[place], place + 1
        return found

    return each(input, changed)


@library
def replace_slice(
    input: Column,
    repl: Scalar | None = None,
    start: int = 0,
    stop: int = -1,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """The characters from `start` to `stop` replaced; -1 is the end."""
    other = "" if repl is None else text_of(repl, "repl")
    expects(stop < 0 or start <= stop, logic_error("Parameter start must be less than or equal to stop"))

    def changed(text: str) -> str:
        end = len(text) if stop < 0 else min(stop, len(text))
        begin = len(text) if start < 0 else min(start, len(text))
        return text[:begin] + other + text[max(end, begin) :]

    return each(input, changed)
