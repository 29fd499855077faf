"""LIKE with a constant pattern. A backslash means nothing special without ESCAPE, in libcudf too."""

from __future__ import annotations

from collections.abc import Sequence

from ...planner.expr import Call
from ...planner.types import BOOLEAN
from ..values import Evaluation, Value
from .registry import scalar


@scalar("like")
def like(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Whether a string matches a pattern of % and _."""
    pattern: str = args[1].literal
    return Value(BOOLEAN, run.ops.plc.strings.contains.like(args[0].column, pattern, stream=run.ops.stream))


@scalar("like_escape")
def like_escape(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The same with a character that takes the meaning from the one after it."""
    pattern, escape = args[1].literal, args[2].literal
    call = run.ops.plc.strings.contains.like
    return Value(BOOLEAN, call(args[0].column, pattern, escape or None, stream=run.ops.stream))
