"""Regular expressions in RE2's syntax, run by arrow's RE2.

Options: c case-sensitive, i not, l literal, s dot matches a newline, m n p it does not, g (in replacing)
all matches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.text_patterns import glob_to_regex
from ...planner.types import BOOLEAN, VARCHAR, SQLType
from .. import compute
from ..dictionary import on_entries
from ..vector import Vector, null_constant
from .registry import Evaluate, scalar
from .rowwise import of_literals, row_values

# Text, pattern, and the row's further arguments to the result for an array of texts.
_OnArray = Callable[..., pa.Array]
# Arrow looks at an expression only when there is a text.
_ONE_TEXT = pa.array([""])


class Options:
    """The option letters of one call."""

    __slots__ = ("every", "flags", "literal")

    def __init__(self, letters: str, *, replacing: bool = False) -> None:
        self.literal = self.every = False
        insensitive = dot_all = False
        for letter in letters:
            if letter in "ci":
                insensitive = letter == "i"
            elif letter == "l":
                self.literal = True
            elif letter in "mnps":
                dot_all = letter == "s"
            elif letter == "g" and replacing:
                self.every = True
            elif letter == "g":
                raise messages.invalid_input("Option 'g' (global replace) is only valid for regexp_replace")
            elif not letter.isspace():
                raise messages.invalid_input(f"Unrecognized Regex option {letter}")
        self.flags = ("i" if insensitive else "") + ("s" if dot_all else "")

    def apply(self, pattern: str) -> str:
        """The pattern with these options in it."""
        if self.literal:
            pattern = quoted(pattern)
        return f"(?{self.flags}:{pattern})" if self.flags else pattern


def quoted(text: str) -> str:
    """An expression that matches exactly `text`."""
    return "".join(c if c.isalnum() or not c.isascii() else f"\\x{ord(c):02x}" for c in text)


def _run(function: _OnArray, array: pa.Array, *constants: Any) -> pa.Array:
    try:
        return function(array, *constants)
    except pa.ArrowInvalid as error:
        raise messages.invalid_input(_reason(str(error))) from None


def _reason(text: str) -> str:
    """Arrow's message without its heading."""
    return re.sub(r"^Invalid (regular expression|replacement string): ", "", text)


def _by_pattern(function: _OnArray, result: SQLType, verify: _OnArray | None = None) -> Evaluate:
    """Runs `function(texts, pattern, ...)` once where everything but the text is constant, else once for
    each distinct rest of a row.
    """

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        text, *rest = args
        if all(arg.is_constant for arg in rest):
            constants = [arg.value for arg in rest]
            _run(verify or function, _ONE_TEXT, *constants)
            if text.valid is not None and not text.valid.any():
                return null_constant(result)
            return on_entries(text, lambda v: Vector.of_array(result, _run(function, v.array, *constants)))
        return _each(function, result, args, n)

    return evaluate


def _each(function: _OnArray, result: SQLType, args: Sequence[Vector], n: int) -> Vector:
    valid = np.ones(n, dtype=np.bool_)
    for arg in args:
        if not arg.is_constant and arg.valid is not None:
            valid &= arg.valid
    texts = args[0].expand(n).decoded().array
    groups: dict[tuple[Any, ...], list[int]] = {}
    keys = zip(*(row_values(arg, n) for arg in args[1:]), strict=False)
    for row, (key, ok) in enumerate(zip(keys, valid.tolist(), strict=False)):
        if ok:
            groups.setdefault(key, []).append(row)
    values: list[Any] = [None] * n
    for key, rows in groups.items():
        found = _run(function, compute.take(texts, np.array(rows)), *key).to_pylist()
        for row, value in zip(rows, found, strict=True):
            values[row] = value
    return of_literals(result, values)


@scalar("regexp_matches")
def regexp_matches(call: Call) -> Evaluate:
    """Whether the expression matches somewhere."""

    def search(texts: pa.Array, pattern: str, letters: str = "") -> pa.Array:
        return compute.matches_regex(texts, Options(letters).apply(pattern))

    return _by_pattern(search, BOOLEAN)


@scalar("regexp_full_match")
def regexp_full_match(call: Call) -> Evaluate:
    """Whether the expression matches the whole string."""

    def search(texts: pa.Array, pattern: str, letters: str = "") -> pa.Array:
        _refuse_bad(pattern)
        return compute.matches_regex(texts, f"\\A(?:{Options(letters).apply(pattern)})\\z")

    return _by_pattern(search, BOOLEAN)


@scalar("~~~")
def glob(call: Call) -> Evaluate:
    """Whether a pattern of GLOB matches the whole string."""

    def search(texts: pa.Array, pattern: str) -> pa.Array:
        regex = glob_to_regex(pattern)
        return compute.matches_regex(texts, _NOTHING if regex is None else f"\\A(?s:{regex})\\z")

    return _by_pattern(search, BOOLEAN)


# Matches no text.
_NOTHING = "[^\\x00-\\x{10FFFF}]"


def _refuse_bad(pattern: str) -> None:
    """Raises for an expression that only the brackets put around it would make whole."""
    compute.matches_regex(_ONE_TEXT, pattern)


@scalar("regexp_replace")
def regexp_replace(call: Call) -> Evaluate:
    r"""The first match, or with option g all of them, replaced; \1 stands for the first group."""

    def replace(texts: pa.Array, pattern: str, new: str, letters: str = "") -> pa.Array:
        options = Options(letters, replacing=True)
        return compute.replace_regex(texts, options.apply(pattern), new, None if options.every else 1)

    def verify(texts: pa.Array, pattern: str, new: str, letters: str = "") -> pa.Array:
        # A bad replacement is an error of the rows that it is used for.
        return compute.matches_regex(texts, Options(letters, replacing=True).apply(pattern))

    return _by_pattern(replace, VARCHAR, verify)


@scalar("regexp_extract")
def regexp_extract(call: Call) -> Evaluate:
    """The first match or one of its groups (0: all of it); the empty string where there is none."""

    def extract(texts: pa.Array, pattern: str, group: int = 0, letters: str = "") -> pa.Array:
        options = Options(letters)
        _refuse_bad(pattern)
        named = with_named_group(quoted(pattern) if options.literal else pattern, group)
        if named is None:
            return compute.if_else(texts.is_valid(), "", pa.scalar(None, pa.string()))
        flagged = f"(?{options.flags}:{named})" if options.flags else named
        return _extracted(texts, flagged)

    return _by_pattern(extract, VARCHAR)


def _extracted(texts: pa.Array, pattern: str) -> pa.Array:
    found = compute.extract_regex(texts, pattern).field("wanted")
    return compute.if_else(texts.is_valid(), compute.fill_null(found, ""), pa.scalar(None, pa.string()))


def with_named_group(pattern: str, group: int) -> str | None:
    """The pattern with group number `group` (0: all of it) named 'wanted' and no other group that captures;
    None if it has no such group.

    >>> with_named_group("(a)([(]b)", 2), with_named_group("(a)b", 0)
    ('(?:a)(?P<wanted>[(]b)', '(?P<wanted>(?:a)b)')
    """
    text, count = _regrouped(pattern, group)
    if group == 0:
        return f"(?P<wanted>{text})"
    return text if 0 < group <= count else None


def _regrouped(pattern: str, group: int) -> tuple[str, int]:
    """The pattern with only one of its groups capturing, and how many it had."""
    out: list[str] = []
    at = seen = 0
    in_class = False
    while at < len(pattern):
        character = pattern[at]
        if character == "\\":
            if pattern.startswith("\\Q", at):
                stop = pattern.find("\\E", at)
                stop = len(pattern) if stop < 0 else stop + 2
                out.append(pattern[at:stop])
                at = stop
                continue
            out.append(pattern[at : at + 2])
            at += 2
            continue
        if in_class:
            in_class = character != "]"
        elif character == "[":
            in_class = True
            # A bracket right at the start of a class stands for itself.
            literal = 2 if pattern.startswith("[^]", at) else 1 if pattern.startswith("[]", at) else 0
            out.append(pattern[at : at + 1 + literal])
            at += 1 + literal
            continue
        elif character == "(":
            name = re.match(r"\(\?P?<(\w+)>", pattern[at:])
            if name or not pattern.startswith("(?", at):
                seen += 1
                out.append("(?P<wanted>" if seen == group else "(?:")
                at += len(name[0]) if name else 1
                continue
        out.append(character)
        at += 1
    return "".join(out), seen
