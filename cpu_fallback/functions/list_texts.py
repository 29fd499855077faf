"""Texts to lists of texts: split by a text or a regular expression, all matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import SQLType
from .. import compute
from ..vector import Vector, null_constant
from .graphemes import graphemes
from .regexp import Options, _each, _run
from .registry import Evaluate, scalar
from .rowwise import of_literals, row_values, rowwise

# Characters that stand for the start and the end of a match; of these, two that no text holds are used.
_MARKS = [chr(code) for code in range(0xE000, 0xE100)]


def split_one(text: str, separator: str) -> tuple[str, ...]:
    """The parts between separators; characters for an empty one.

    >>> split_one("a,b", ","), split_one("", ""), split_one("", ",")
    (('a', 'b'), (), ('',))
    """
    if not separator:
        return tuple(graphemes(text))
    return tuple(text.split(separator))


@scalar("string_split")
def string_split(call: Call) -> Evaluate:
    """With a NULL separator the text is one part."""
    split = rowwise(split_one, call.type)
    whole = rowwise(lambda text: (text,), call.type)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        text, separator = args
        if text.is_null:
            return null_constant(call.type)
        if separator.is_null:
            return whole((text,), n)
        if separator.is_constant or separator.valid is None:
            return split(args, n)
        known = separator.valid
        parts = split(args, n).expand(n)
        from ..expr_merge import Piece, merge

        alone = whole((text.expand(n),), n).expand(n)
        return merge(call.type, [Piece(known, None, parts), Piece(~known, None, alone)], n)

    return evaluate


def _by_pattern(function: Callable[..., Any], type_: SQLType) -> Evaluate:
    """`function(texts, pattern, ...)` once where everything but the text is constant."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        text, *rest = args
        if not all(arg.is_constant for arg in rest):
            return _each(function, type_, args, n)
        array = text.expand(n).decoded().array
        values = _run(function, array, *(arg.value for arg in rest)).to_pylist()
        return of_literals(type_, values)

    return evaluate


class _Rows(list):  # type: ignore[type-arg]
    """Values by row, with the method of arrow arrays that callers use."""

    def to_pylist(self) -> list[Any]:
        """The values."""
        return list(self)


def _marks(texts: Any) -> tuple[str, str]:
    found = [mark for mark in _MARKS if not compute.any_true(compute.contains(texts, mark))]
    if len(found) < 2:
        raise messages.invalid_input("Texts with all private characters cannot be matched")
    return found[0], found[1]


def _marked(texts: Any, pattern: str, group: int) -> tuple[Any, str, str]:
    """The texts with the group of every match between two marks, and the rest of the match left out."""
    begin, end = _marks(texts)
    return compute.replace_regex(texts, pattern, f"{begin}\\{group}{end}", None), begin, end


@scalar("string_split_regex")
def string_split_regex(call: Call) -> Evaluate:
    """The parts between matches; an expression that matches nothing splits characters."""

    def split(texts: Any, pattern: str, letters: str = "") -> Any:
        chosen = Options(letters).apply(pattern)
        marked, begin, end = _marked(texts, chosen, 0)
        return _Rows(None if text is None else _outside(text, begin, end) for text in marked.to_pylist())

    return _by_pattern(split, call.type)


def _outside(text: str, begin: str, end: str) -> tuple[str, ...]:
    """What stands around the marked matches; empty ones at the edges split nothing off."""
    pieces = text.split(begin)
    parts = [pieces[0]]
    for number, piece in enumerate(pieces[1:], 1):
        match, _, rest = piece.partition(end)
        if not match and ((not parts[-1] and number == 1) or (not rest and number == len(pieces) - 1)):
            parts[-1] += rest
        else:
            parts.append(rest)
    return tuple(parts)


@scalar("regexp_extract_all")
def regexp_extract_all(call: Call) -> Evaluate:
    """Every match, or the group of every match."""

    def extract(texts: Any, pattern: str, group: int = 0, letters: str = "") -> Any:
        if not 0 <= group <= 9:
            raise messages.invalid_input("Group index must be between 0 and 9!")
        marked, begin, end = _marked(texts, Options(letters).apply(pattern), group)
        return _Rows(None if text is None else _inside(text, begin, end) for text in marked.to_pylist())

    return _by_pattern(extract, call.type)


def _inside(text: str, begin: str, end: str) -> tuple[str, ...]:
    return tuple(piece.partition(end)[0] for piece in text.split(begin)[1:])


@scalar("list_join")
def list_join(call: Call) -> Evaluate:
    """'' for no texts; with a NULL separator nothing stands between them."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        lists, separator = args
        if lists.is_null:
            return null_constant(call.type)
        rows = row_values(lists.expand(n), n)
        between = row_values(separator.expand(n), n) if not separator.is_null else [""] * n
        values = [
            None if texts is None else ("" if sep is None else sep).join(t for t in texts if t is not None)
            for texts, sep in zip(rows, between, strict=False)
        ]
        return of_literals(call.type, values)

    return evaluate
