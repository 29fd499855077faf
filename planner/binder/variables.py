"""SET, RESET and SHOW."""

from __future__ import annotations

from sqlglot import exp

from ..frontend.commands import ResetCommand, SetCommand, ShowCommand
from ..statements import Describe, Query, ResetVariable, SetVariable, Show, Statement
from .constants import constant_argument
from .environment import Environment
from .expression import BindQuery


def bind_set(command: SetCommand, env: Environment, bind_query: BindQuery) -> Statement:
    """SET name = value; SET name = DEFAULT is RESET. Whether the setting exists and takes the value is
    checked where it is set.
    """
    if command.value is None:
        return ResetVariable(command.name)
    value = command.value
    if isinstance(value, exp.Column) and len(value.parts) == 1:
        return SetVariable(command.name, value.name)
    return SetVariable(command.name, constant_argument(value, command.name, env, bind_query))


def bind_reset(command: ResetCommand) -> Statement:
    """RESET name."""
    return ResetVariable(command.name)


def bind_show(command: ShowCommand, env: Environment, bind_query: BindQuery) -> Statement:
    """SHOW TABLES, SHOW ALL, or SHOW name: a setting if there is one of that name, else a table, which is
    described.
    """
    if command.what != "name":
        return Show(command.what)
    name = command.name
    if name.lower() in env.context.settings or env.context.catalog.lookup(name.split(".")) is None:
        return Show("setting", name.lower())
    identifiers = [exp.Identifier(this=part, quoted=True) for part in name.split(".")]
    for identifier in identifiers:
        identifier.update_positions(start=command.span.start, end=command.span.end - 1)
    table = exp.Table(**dict(zip(("this", "db", "catalog"), reversed(identifiers), strict=False)))
    bound = bind_query(exp.Select(expressions=[exp.Star()], from_=exp.From(this=table)), env)
    return Describe(Query(bound.plan, bound.names))
