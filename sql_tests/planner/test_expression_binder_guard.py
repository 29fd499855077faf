"""No entry of a syntax node is ignored: an unknown one planted anywhere in an expression is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.bound_types import bind_tree, parse_expression
from sqlglot import exp
from tandemdb.planner.errors import SqlError, UnsupportedError

EXPRESSIONS = Path(__file__).with_name("expression_types.txt").read_text().splitlines()
# Types and names are bound by the type binder and the scope; queries by the query binder.
_ELSEWHERE = (exp.DataType, exp.DataTypeParam, exp.Identifier, exp.Var, exp.Query, exp.IntervalSpan)


def binds(text: str) -> bool:
    try:
        bind_tree(parse_expression(text))
    except SqlError:
        return False
    return True


@pytest.mark.parametrize("text", [t for t in EXPRESSIONS if binds(t)])
def test_planted_entries_are_refused(text: str) -> None:
    count = len(list(parse_expression(text).walk()))
    for position in range(count):
        tree = parse_expression(text)
        node = list(tree.walk())[position]
        if isinstance(node, _ELSEWHERE):
            continue
        node.args["planted"] = exp.Literal.string("x")
        with pytest.raises(UnsupportedError, match="PLANTED"):
            bind_tree(tree)
