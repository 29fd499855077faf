"""PREPARE, EXECUTE, and variables of a session."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from ..frontend.commands import Ast, ExecuteCommand, PrepareCommand, SetUserVariableCommand
from ..statements import Execute, Prepare, Query, SetUserVariable, Statement
from .environment import Environment
from .expression import BindQuery


def bind_prepare(
    command: PrepareCommand, env: Environment, bind: Callable[[Ast, Environment], Statement]
) -> Prepare:
    """PREPARE. Without parameters the statement is bound now, to find its errors; each EXECUTE binds it
    anew, as the catalog is by then.
    """
    if command.statement is not None:
        bind(command.statement, env)
    return Prepare(command.name, command.sql)


def bind_execute(command: ExecuteCommand, env: Environment, bind_query: BindQuery) -> Execute:
    """EXECUTE: its values may be any expressions."""
    return Execute(command.name, _query(command.values, env, bind_query), command.names, command.span)


def bind_set_user_variable(
    command: SetUserVariableCommand, env: Environment, bind_query: BindQuery
) -> SetUserVariable:
    """SET VARIABLE and RESET VARIABLE."""
    return SetUserVariable(command.name, _query(command.value, env, bind_query))


def _query(node: exp.Expr | None, env: Environment, bind_query: BindQuery) -> Query | None:
    if node is None:
        return None
    bound = bind_query(node, env)
    return Query(bound.plan, bound.names)
