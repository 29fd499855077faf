"""Regular expressions: constant ones that RE2 and libcudf read alike, see `gpu_exec/regex.py`."""

from __future__ import annotations

from collections.abc import Sequence

from ...planner.expr import Call
from ...planner.types import BOOLEAN, VARCHAR
from .. import regex
from ..number import nulled
from ..texts import program, text_column, text_scalar
from ..values import Evaluation, Value
from .registry import scalar


def _options(args: Sequence[Value], place: int) -> str:
    return args[place].literal if len(args) > place else ""


@scalar("regexp_matches", "regexp_full_match")
def matches(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Whether the expression matches somewhere, or the whole string."""
    ops, whole = run.ops, node.function == "regexp_full_match"
    found = regex.search(args[1].literal, _options(args, 2), whole=whole)
    call = ops.plc.strings.contains.contains_re
    made = call(run.column(args[0]), program(found.text, found.flags, ops), stream=ops.stream)
    return Value(BOOLEAN, made)


@scalar("regexp_extract")
def extract(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The first match or one of its groups (0: all of it); the empty string where there is none."""
    ops, column = run.ops, run.column(args[0])
    group = args[2].literal if len(args) > 2 else 0
    found = regex.extraction(args[1].literal, group, _options(args, 3))
    if found is None:
        made = text_column("", run.rows, ops)
    else:
        single = ops.plc.strings.extract.extract_single
        made = single(column, program(found.text, found.flags, ops), 0, stream=ops.stream)
        made = ops.filled(made, text_scalar("", ops))
    return Value(VARCHAR, nulled(made, ops.is_null(column), ops) if column.null_count() else made)


@scalar("regexp_replace")
def replace(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The first match, or with option g all of them, replaced."""
    ops, column = run.ops, run.column(args[0])
    found = regex.replacement(args[1].literal, args[2].literal, _options(args, 3))
    prog = program(found.expression.text, found.expression.flags, ops)
    calls = ops.plc.strings.replace_re
    if found.references:
        return Value(VARCHAR, calls.replace_with_backrefs(column, prog, found.text, stream=ops.stream))
    most = -1 if found.every else 1
    made = calls.replace_re(column, prog, text_scalar(found.text, ops), most, stream=ops.stream)
    return Value(VARCHAR, made)
