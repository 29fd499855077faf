"""One line about each physical node: what it does, in a user's words."""

from __future__ import annotations

from collections.abc import Sequence

from ...physical import nodes
from ...physical.nodes import Node
from ...planner.expr import Column, Expr, SortKey, conjuncts
from ...planner.optimizer import printer_expressions as printer

_WIDTH = 60


def expression_text(expr: Expr, width: int = 400) -> str:
    """An expression with column names as they are; longer than `width` characters it ends in '...'."""
    text = printer.expression_text(expr, lambda _, name: name)
    # The outer pair of parentheses says nothing on a line of its own.
    if text.startswith("(") and text.endswith(")") and _closes_at_end(text):
        text = text[1:-1]
    return text if len(text) <= width else text[: width - 3] + "..."


def _closes_at_end(text: str) -> bool:
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return at == len(text) - 1
    return False


def sort_key_text(key: SortKey) -> str:
    """A sort key; the default placement of NULLs (last) is not shown."""
    return (
        expression_text(key.expr)
        + (" DESC" if key.descending else "")
        + (" NULLS FIRST" if key.nulls_first else "")
    )


def title(node: Node) -> str:
    """The operator's name."""
    match node:
        case nodes.TableScan():
            return "Scan"
        case nodes.HashJoin(kind=kind):
            return f"HashJoin {kind.value}"
        case nodes.NestedLoopJoin(kind=kind):
            return f"NestedLoopJoin {kind.value}"
        case nodes.HashAggregate(calls=calls, groups=groups):
            if groups and not calls:
                return "Distinct"
            return "Aggregate" if groups else "Aggregate (one group)"
        case nodes.Transfer(device=device):
            return f"Transfer to {device.value}"
        case nodes.Bridge():
            return "Bridge over the CPU"
        case _:
            return type(node).__name__


def details(node: Node) -> list[str]:
    """What the operator works with, most important first."""
    match node:
        case nodes.TableScan():
            return _scan_details(node)
        case nodes.Filter(predicate=predicate):
            return [_terms(predicate)]
        case nodes.Project(exprs=exprs, columns=columns):
            return [_list(_named(exprs, columns))]
        case nodes.Bridge(exprs=exprs, columns=columns, needed=needed):
            moved = _list([column.name for column in needed]) or "no column"
            return [f"on the CPU: {_list(_named(exprs, columns))}", f"moved there: {moved}"]
        case nodes.HashJoin():
            on = [
                f"{expression_text(k.left)} = {expression_text(k.right)}"
                for k in (*node.keys, *node.mark_keys)
            ]
            rest = [*conjuncts(node.residual), *node.mark_rest]
            return [_list([*on, *(expression_text(t, _WIDTH) for t in rest)], " AND ")]
        case nodes.NestedLoopJoin(condition=condition, mark_terms=terms):
            texts = [expression_text(t, _WIDTH) for t in (*conjuncts(condition), *terms)]
            return [_list(texts, " AND ")] if texts else []
        case nodes.HashAggregate(groups=groups, calls=calls):
            lines = [f"by {_list([expression_text(g, _WIDTH) for g in groups])}"] if groups else []
            return [*lines, *([_list([expression_text(c, _WIDTH) for c in calls])] if calls else [])]
        case nodes.Window(partition=partition, order=order, calls=calls):
            lines = [f"partition by {_list([expression_text(e) for e in partition])}"] if partition else []
            lines += [f"order by {_list([sort_key_text(k) for k in order])}"] if order else []
            return [*lines, _list([expression_text(c, _WIDTH) for c in calls])]
        case nodes.Unnest(lists=lists):
            return [_list([expression_text(e, _WIDTH) for e in lists])]
        case nodes.Sort(keys=keys):
            return [_list([sort_key_text(k) for k in keys])]
        case nodes.TopN(keys=keys, limit=limit, offset=offset):
            return [
                f"{limit} rows{f' after {offset}' if offset else ''}",
                _list([sort_key_text(k) for k in keys]),
            ]
        case nodes.Limit(limit=limit, offset=offset):
            count = "all" if limit is None else str(limit)
            return [f"{count} rows{f' after {offset}' if offset else ''}"]
        case nodes.Values(literals=rows):
            return [f"{len(rows)} row{'s' if len(rows) != 1 else ''}"]
        case nodes.Cte(name=name) | nodes.CteScan(name=name):
            return [name]
        case nodes.Recursion(name=name, distinct=distinct):
            return [f"{name}, {'without repeated rows' if distinct else 'all rows'}"]
        case nodes.WorkingScan(name=name, whole=whole):
            return [f"{name}, {'all rows so far' if whole else 'rows of the last round'}"]
        case _:
            return []


def _named(exprs: Sequence[Expr], columns: Sequence[Column]) -> list[str]:
    shown = []
    for column, expression in zip(columns, exprs, strict=True):
        text = expression_text(expression, _WIDTH)
        shown.append(text if text == column.name else f"{text} AS {column.name}")
    return shown


def _scan_details(node: nodes.TableScan) -> list[str]:
    name = node.table.name
    lines = [name if not node.alias or node.alias == name else f"{name} AS {node.alias}"]
    columns = [*node.names, *node.hidden_names]
    lines.append(f"columns {_list(columns)}" if columns else "no columns")
    if node.predicate is not None:
        lines.append(f"where {_terms(node.predicate)}")
    if node.runtime_filters:
        lines.append(f"runtime filter on {_list([f.column.name for f in node.runtime_filters])}")
    return lines


def _terms(predicate: Expr) -> str:
    return _list([expression_text(t, _WIDTH) for t in conjuncts(predicate)], " AND ")


def _list(texts: list[str], between: str = ", ", most: int = 8) -> str:
    shown = between.join(texts[:most])
    return shown if len(texts) <= most else f"{shown}{between}... {len(texts) - most} more"
