"""Scalar macros: a call is replaced by the macro's expression before anything is bound."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from .. import messages_macros
from ..catalog import Macro
from ..frontend import nesting_depth, parse_script, span_of, tokenize
from ..frontend.commands import CreateMacroCommand
from ..statements import CreateMacro
from .checks import refuse_unknown
from .drop import own_name
from .environment import Environment
from .expression import BindQuery
from .names import expression_name

_NAMED = (exp.PropertyEQ, exp.Kwarg)


def bind_create_macro(command: CreateMacroCommand, env: Environment, bind_query: BindQuery) -> CreateMacro:
    """The expression is bound once, with NULL for each parameter, to find its errors."""
    name = own_name(command.name)
    names = [node.this for node, _ in command.parameters]
    for place, (node, _) in enumerate(command.parameters):
        if node.this.lower() in (n.lower() for n in names[:place]):
            raise messages_macros.duplicate_parameter(node.this, span_of(node))
    for node, default in command.parameters:
        if default is not None and _parsed(default).find(exp.Column):
            raise messages_macros.column_in_default(node.this, span_of(node))
    parameters = tuple((node.this, default) for node, default in command.parameters)
    nothing = {n.lower(): exp.Null() for n in names}
    body = _with_arguments(command.body.copy(), nothing)
    bind_query(exp.Select(expressions=[body]), Environment(env.context))
    _, depth = nesting_depth(tokenize(command.sql))
    macro = Macro(name, parameters, command.sql, depth)
    return CreateMacro(macro, command.if_not_exists, command.or_replace)


def expand_macros(node: exp.Expr, macros: Mapping[str, Macro]) -> exp.Expr:
    """The tree with every call of a macro replaced. A result column keeps the name of the call."""
    if not macros:
        return node
    for select in list(node.find_all(exp.Select)):
        for item in select.expressions:
            if not isinstance(item, exp.Alias) and any(
                _called(c, macros) for c in item.find_all(exp.Anonymous)
            ):
                identifier = exp.Identifier(this=expression_name(item), quoted=True)
                alias = exp.Alias(alias=identifier)
                alias.meta.update(item.meta)
                item.replace(alias)
                alias.set("this", item)
    return _expanded(node, macros, ())


def _called(call: exp.Anonymous, macros: Mapping[str, Macro]) -> Macro | None:
    # The function of a table is an Anonymous as well.
    if isinstance(call.parent, exp.Table) or not isinstance(call.this, str):
        return None
    return macros.get(call.this.lower())


def _expanded(node: exp.Expr, macros: Mapping[str, Macro], inside: tuple[str, ...]) -> exp.Expr:
    """The tree with calls replaced from the innermost out; `inside` are the macros being expanded."""
    for call in reversed(list(node.find_all(exp.Anonymous))):
        macro = _called(call, macros)
        if macro is None:
            continue
        key = macro.name.lower()
        if key in inside:
            raise messages_macros.recursive(macro.name, span_of(call))
        refuse_unknown(call, ("this", "expressions"))
        body = _parsed(macro.sql)
        _move(body, call)
        body = _expanded(exp.Paren(this=body), macros, (*inside, key))
        body = _applied(body, _arguments(call, macro))
        if call is node:
            node = body
        else:
            call.replace(body)
    return node


def _move(body: exp.Expr, call: exp.Expr) -> None:
    """Errors point to the call."""
    for part in body.walk():
        for key in ("start", "end", "line", "col"):
            part.meta.pop(key, None)
            if key in call.meta:
                part.meta[key] = call.meta[key]


def _arguments(call: exp.Anonymous, macro: Macro) -> dict[str, exp.Expr]:
    given: dict[str, exp.Expr] = {}
    names = [name.lower() for name, _ in macro.parameters]
    for place, argument in enumerate(call.expressions):
        named = isinstance(argument, _NAMED)
        if not named and place >= len(names):
            raise messages_macros.wrong_arguments(macro, span_of(call))
        key = argument.this.name.lower() if named else names[place]
        if key not in names or key in given:
            raise messages_macros.wrong_arguments(macro, span_of(call))
        given[key] = argument.expression if named else argument
    for name, default in macro.parameters:
        if name.lower() not in given:
            if default is None:
                raise messages_macros.wrong_arguments(macro, span_of(call))
            given[name.lower()] = _parsed(default)
    return given


def _applied(body: exp.Expr, given: Mapping[str, exp.Expr]) -> exp.Expr:
    """The expression with its parameters replaced. Columns in arguments are those around the call: where they
    would come into a query of the expression, whose tables may have columns of their names, the arguments
    become columns themselves.
    """
    inner = any(
        column.name.lower() in given and len(column.parts) == 1
        for query in body.find_all(exp.Query)
        for column in query.find_all(exp.Column)
    )
    if not inner or not any(value.find(exp.Column) for value in given.values()):
        return _with_arguments(body, given)
    named = [
        exp.Alias(this=value.copy(), alias=exp.Identifier(this=name, quoted=True))
        for name, value in given.items()
    ]
    alias = exp.TableAlias(this=exp.Identifier(this="macro arguments", quoted=True))
    row = exp.Subquery(this=exp.Select(expressions=named), alias=alias)
    return exp.Subquery(this=exp.Select(expressions=[body], from_=exp.From(this=row)))


def _with_arguments(body: exp.Expr, given: Mapping[str, exp.Expr]) -> exp.Expr:
    """The expression with its parameters replaced."""
    for column in list(body.find_all(exp.Column)):
        if len(column.parts) == 1 and column.name.lower() in given:
            value = given[column.name.lower()].copy()
            new = value if isinstance(value, (exp.Literal, exp.Null, exp.Column)) else exp.Paren(this=value)
            if column is body:
                body = new
            else:
                column.replace(new)
    return body


def _parsed(text: str) -> exp.Expr:
    (parsed,) = parse_script(f"SELECT {text}")
    assert isinstance(parsed.ast, exp.Select)
    return parsed.ast.expressions[0]
