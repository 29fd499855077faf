"""Makes a failing query smaller: drops and replaces parts of its syntax tree while it still fails the
same way.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import sqlglot
from sqlglot import expressions as exp
from sqlglot.errors import SqlglotError

OPTIONAL = (
    "where",
    "having",
    "order",
    "limit",
    "offset",
    "distinct",
    "with_",
    "group",
    "materialized",
    "escape",
    "side",
)
LISTS = ("expressions", "joins", "ifs")


def reduce(sql: str, fails: Callable[[str], bool], attempts: int = 400) -> str:
    """The smallest query found in `attempts` tries for which `fails` still holds; the query itself at
    worst.
    """
    best, left = sql, attempts
    progress = True
    while progress and left > 0:
        progress, index = False, 0
        while left > 0:
            found = candidates(best, index)
            if found is None:
                break
            for candidate in found:
                if size(candidate) < size(best) and left > 0:
                    left -= 1
                    if fails(candidate):
                        best, progress = candidate, True
                        break
            else:
                index += 1
    return best


@functools.lru_cache(maxsize=64)
def size(sql: str) -> int:
    """The number of nodes of the query's syntax tree."""
    return sum(1 for _ in sqlglot.parse_one(sql, read="duckdb").walk())


def candidates(sql: str, index: int) -> list[str] | None:
    """The query with the node number `index` of its tree made smaller, in each way; None beyond the last
    node.
    """
    try:
        tree = sqlglot.parse_one(sql, read="duckdb")
    except SqlglotError:
        return None
    if index >= sum(1 for _ in tree.walk()):
        return None
    texts = []
    for smaller in _smaller(tree, index):
        try:
            text = smaller.sql("duckdb")
            sqlglot.parse_one(text, read="duckdb")
        except (SqlglotError, ValueError):
            # Not every tree can be written as text: where a part that the syntax needs is gone.
            continue
        texts.append(text)
    return texts


def _smaller(tree: exp.Expression, index: int) -> Iterator[exp.Expression]:
    """The tree with its node number `index` (in walk order) made smaller in each way that fits."""
    node = _at(tree, index)
    if isinstance(node, exp.SetOperation):
        yield from _replaced(tree, index, lambda found: [found.left, found.right])
    for name in OPTIONAL:
        if node.args.get(name):
            copy = tree.copy()
            _at(copy, index).set(name, None)
            yield copy
    for name in LISTS:
        items = node.args.get(name)
        if isinstance(items, list) and (len(items) > 1 or name == "joins"):
            for at in range(len(items) - 1, -1, -1):
                copy = tree.copy()
                target = _at(copy, index)
                target.set(name, [item for i, item in enumerate(target.args[name]) if i != at])
                yield copy
    if index and isinstance(node, (exp.Condition, exp.Case, exp.Subquery, exp.Interval)) and not _fixed(node):
        yield from _replaced(tree, index, _operands)


def _fixed(node: exp.Expression) -> bool:
    """Leaves, and literals that other nodes need as they are."""
    return isinstance(
        node, (exp.Column, exp.Literal, exp.Identifier, exp.Null, exp.Boolean, exp.Star, exp.If)
    )


def _operands(node: exp.Expression) -> list[exp.Expression]:
    """What an expression can be replaced with: its operands, NULL, true."""
    found = [child for child in node.iter_expressions() if isinstance(child, exp.Condition)]
    return [*found, exp.true() if isinstance(node, exp.Predicate) else exp.null()]


def _replaced(
    tree: exp.Expression, index: int, choices: Callable[[exp.Expression], list[exp.Expression]]
) -> Iterator[exp.Expression]:
    for at in range(len(choices(_at(tree, index)))):
        copy = tree.copy()
        node = _at(copy, index)
        replacement = choices(node)[at].copy()
        if node is copy:
            yield replacement
        else:
            node.replace(replacement)
            yield copy


def _at(tree: exp.Expression, index: int) -> exp.Expression:
    for number, node in enumerate(tree.walk()):
        if number == index:
            return node
    raise AssertionError("no such node")


def top_order(sql: str) -> str:
    """The ORDER BY of the whole query in a normal form; "" where there is none."""
    order = sqlglot.parse_one(sql, read="duckdb").args.get("order")
    return order.sql("duckdb") if order else ""
