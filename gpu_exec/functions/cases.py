"""upper and lower, and LIKE with and without regard to case.

libcudf's own tables of letters map some of them to several, or to others than ours: letters are replaced one
by one, by the table of the library that the CPU's functions use.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...planner.expr import Call
from ...planner.types import BOOLEAN, VARCHAR
from ..values import Evaluation, Value
from .registry import scalar

_SURROGATES = range(0xD800, 0xE000)


@functools.cache
def letters(case: str) -> dict[int | str, int | str]:
    """Every character that has another form in the case 'upper' or 'lower', and that form.

    >>> letters("upper")["é"], letters("lower")["K"], "ß" in letters("lower")
    ('É', 'k', False)
    """
    every = pa.array([chr(code) for code in range(1, 0x110000) if code not in _SURROGATES], pa.string())
    changed = pc.call_function(f"utf8_{case}", [every])
    different = pc.call_function("not_equal", [every, changed])
    pairs = zip(every.filter(different).to_pylist(), changed.filter(different).to_pylist(), strict=True)
    return dict(pairs)


def in_case(column: Any, case: str, run: Evaluation) -> Any:
    """Every letter in upper or lower case."""
    return run.ops.plc.strings.translate.translate(column, letters(case), stream=run.ops.stream)


@scalar("upper", "lower")
def change(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Each code point in the other case by itself."""
    return Value(VARCHAR, in_case(run.column(args[0]), node.function, run))


@scalar("like", "like_escape", "ilike", "ilike_escape")
def like(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Whether a string matches a constant pattern of % and _ as a whole; ILIKE compares lower-case forms."""
    column, pattern = run.column(args[0]), args[1].literal
    escape = args[2].literal if len(args) > 2 else None
    if node.function.startswith("i"):
        column = in_case(column, "lower", run)
        table = letters("lower")
        pattern = "".join(str(table.get(character, character)) for character in pattern)
    call = run.ops.plc.strings.contains.like
    return Value(BOOLEAN, call(column, pattern, escape or None, stream=run.ops.stream))
