"""Names of columns that are computed with lists, structs, maps and lambdas; see `names`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from ..frontend.keywords import quote_name

Write = Callable[[exp.Expr], str]


def nested_printers(text: Write) -> dict[type[exp.Expr], Callable[[Any], str]]:
    """Printers by kind of node; `text` writes a node inside."""

    def many(nodes: list[exp.Expr]) -> str:
        return ", ".join(text(node) for node in nodes)

    def array(node: Any) -> str:
        items = node.expressions
        if len(items) == 1 and isinstance(items[0], exp.Comprehension):
            return comprehension(items[0])
        values = many(items)
        return f"(ARRAY[{values}])" if node.meta.get("array") else f"list_value({values})"

    def bracket(node: Any) -> str:
        return f"{text(node.this)}[{many(node.expressions)}]"

    def slice_(node: Any) -> str:
        begin, end, step = (node.args.get(key) for key in ("this", "expression", "step"))
        shown = f"{'' if begin is None else text(begin)}:{'' if end is None else text(end)}"
        if step is None:
            return shown
        return f"{shown}{'-' if end is None else ''}:{text(step)}"

    def lambda_(node: Any) -> str:
        return lambda_text([part.name for part in node.expressions], text(node.this))

    def comprehension(node: Any) -> str:
        names = [node.args["expression"].name]
        if node.args.get("position") is not None:
            names.append(node.args["position"].name)
        held, value, test = text(node.args["iterator"]), text(node.this), node.args.get("condition")
        if test is None:
            return f"list_apply({held}, {lambda_text(names, value)})"
        both = f'struct_pack("filter" := {text(test)}, result := {value})'
        made = f"list_apply({held}, {lambda_text(names, both)})"
        kept = f"list_filter({made}, {lambda_text(['elem'], _part('filter'))})"
        return f"list_apply({kept}, {lambda_text(['elem'], _part('result'))})"

    def struct(node: Any) -> str:
        fields = [f"{quote_name(f.this.name)} := {text(f.expression)}" for f in node.expressions]
        return f"struct_pack({', '.join(fields)})"

    def to_map(node: Any) -> str:
        pairs = node.this.expressions
        keys, values = many([pair.this for pair in pairs]), many([pair.expression for pair in pairs])
        return f'"map"(list_value({keys}), list_value({values}))'

    def dot(node: Any) -> str:
        inner, called = node.this, node.expression
        held = text(inner)
        root = inner
        while isinstance(root, exp.Dot):
            root = root.this
        if isinstance(called, exp.Anonymous) and not isinstance(root, exp.Identifier | exp.Column):
            return text(called).replace("(", f"({held}, " if called.expressions else f"({held}", 1)
        if isinstance(node.expression, exp.Identifier) and not isinstance(inner, exp.Identifier):
            held = f"({held})"
        return f"{held}.{text(node.expression)}"

    def pair(sign: str) -> Callable[[Any], str]:
        return lambda node: f"({text(node.this)} {sign} {text(node.expression)})"

    return {
        exp.Array: array,
        exp.Bracket: bracket,
        exp.Slice: slice_,
        exp.Lambda: lambda_,
        exp.Struct: struct,
        exp.ToMap: to_map,
        exp.Dot: dot,
        exp.ArrayContainsAll: pair("@>"),
        exp.ArrayContainedBy: pair("<@"),
        exp.ArrayOverlaps: pair("&&"),
    }


def lambda_text(names: list[str], body: str) -> str:
    """A lambda as it is written."""
    return f"(lambda {', '.join(quote_name(name) for name in names)}: {body})"


def _part(name: str) -> str:
    return f"struct_extract(elem, '{name}')"
