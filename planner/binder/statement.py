"""A parsed statement of any kind to a bound one."""

from __future__ import annotations

from sqlglot import exp

from .. import messages
from ..errors import SqlError
from ..frontend import Parsed, span_of
from ..frontend.commands import (
    AcceptedCommand,
    Ast,
    CopyCommand,
    CreateMacroCommand,
    CreateViewCommand,
    DeallocateCommand,
    DescribeCommand,
    ExecuteCommand,
    ExplainCommand,
    PrepareCommand,
    ResetCommand,
    SetCommand,
    SetUserVariableCommand,
    ShowCommand,
    TransactionCommand,
    TruncateCommand,
    UnsupportedCommand,
)
from ..statements import (
    Accepted,
    BindContext,
    Deallocate,
    Describe,
    Explain,
    Query,
    Statement,
    Transaction,
)
from .alter import bind_alter
from .changes import bind_delete, bind_truncate, bind_update
from .copy import bind_copy
from .create import bind_create_table, bind_create_view
from .drop import bind_drop
from .environment import Environment
from .index import bind_create_index
from .insert import bind_insert
from .macros import bind_create_macro, expand_macros
from .parameters import check_parameters
from .prepared import bind_execute, bind_prepare, bind_set_user_variable
from .query import bind_query
from .variables import bind_reset, bind_set, bind_show


def bind(parsed: Parsed, context: BindContext) -> Statement:
    """Binds one statement. Raises SqlError with its place in `parsed.sql`.

    Deep statements need room for recursion: see frontend.run_deep and `parsed.depth`.
    """
    try:
        check_parameters(parsed.ast, context)
        return _bind(parsed.ast, Environment(context))
    except SqlError as error:
        error.sql = error.sql or parsed.sql
        raise


def _bind(ast: Ast, env: Environment) -> Statement:
    if isinstance(ast, exp.Expr):
        ast = expand_macros(ast, env.context.macros)
    match ast:
        case ExplainCommand():
            return Explain(_bind(ast.statement, env), ast.analyze, ast.format, ast.cost)
        case CopyCommand():
            return bind_copy(ast, env, bind_query)
        case DescribeCommand():
            return Describe(_query(ast.query, env))
        case SetCommand():
            return bind_set(ast, env, bind_query)
        case ResetCommand():
            return bind_reset(ast)
        case ShowCommand():
            return bind_show(ast, env, bind_query)
        case CreateViewCommand():
            return bind_create_view(ast, env, bind_query)
        case PrepareCommand():
            return bind_prepare(ast, env, _bind)
        case ExecuteCommand():
            return bind_execute(ast, env, bind_query)
        case DeallocateCommand():
            return Deallocate(ast.name)
        case SetUserVariableCommand():
            return bind_set_user_variable(ast, env, bind_query)
        case AcceptedCommand():
            return Accepted(ast.name)
        case UnsupportedCommand():
            raise messages.unsupported(f"{ast.name} is", ast.span)
        case exp.Create(this=exp.Index()):
            return bind_create_index(ast, env, bind_query)
        case exp.Create():
            return bind_create_table(ast, env, bind_query)
        case exp.Insert():
            return bind_insert(ast, env, bind_query)
        case exp.Update():
            return bind_update(ast, env, bind_query)
        case exp.Delete():
            return bind_delete(ast, env, bind_query)
        case exp.Alter():
            return bind_alter(ast, env, bind_query)
        case CreateMacroCommand():
            return bind_create_macro(ast, env, bind_query)
        case TransactionCommand():
            return Transaction(ast.kind, ast.read_only)
        case TruncateCommand():
            return bind_truncate(ast, env)
        case exp.Drop():
            return bind_drop(ast)
        case exp.Query() | exp.Values():
            return _query(ast, env)
        case _:
            raise messages.unsupported("This statement is", span_of(ast))


def _query(node: exp.Expr, env: Environment) -> Query:
    bound = bind_query(node, env)
    return Query(bound.plan, bound.names)
