"""The parameters of a statement: their numbers, and whether the values given are theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from sqlglot import exp

from .. import messages
from ..frontend import Ast, CreateViewCommand, span_of
from ..frontend.commands import CreateMacroCommand
from ..statements import BindContext


def check_parameters(ast: Ast, context: BindContext) -> None:
    """Numbers every plain `?` and compares the statement's parameters with the values given.

    Raises BinderError for a parameter without a value (also where it would never be evaluated), for a value
    without a parameter, and for parameters of what is stored as text; UnsupportedError for a statement that
    has both numbers and names.
    """
    places = sorted(_placeholders(ast), key=lambda node: node.meta.get("start", 0))
    _number(places)
    names = {node.this: node for node in places}
    numbered = [key for key in names if key.isdigit()]
    if numbered and len(numbered) < len(names):
        named = next(node for key, node in names.items() if not key.isdigit())
        raise messages.mixed_parameters(span_of(named))
    stored = isinstance(ast, (CreateMacroCommand, CreateViewCommand)) or (
        isinstance(ast, exp.Create) and not ast.expression
    )
    if stored and places:
        raise messages.parameter_not_allowed(span_of(places[0]))
    given = parameter_values(context.parameters)
    for key, node in names.items():
        if key.lower() not in given:
            raise messages.missing_parameter(f"${key}", span_of(node))
    wanted = {key.lower() for key in names}
    surplus = [key for key in given if key not in wanted]
    if surplus:
        raise messages.surplus_parameters(surplus, len(names))


def parameter_values(given: Any) -> dict[str, Any]:
    """The values by parameter, names in lower case; positions are names from '1' on."""
    if isinstance(given, Mapping):
        return {str(key).lower(): value for key, value in given.items()}
    return {str(number): value for number, value in enumerate(given, 1)}


def _number(places: list[exp.Expr]) -> None:
    """A plain `?` is the number after the largest one before it."""
    largest = 0
    for node in places:
        if not node.this:
            node.set("this", str(largest + 1))
        if node.this.isdigit():
            largest = max(largest, int(node.this))


def _placeholders(ast: Any) -> Iterator[exp.Expr]:
    if isinstance(ast, exp.Expr):
        yield from ast.find_all(exp.Placeholder)
    elif is_dataclass(ast):
        for field in fields(ast):
            yield from _placeholders(getattr(ast, field.name))
