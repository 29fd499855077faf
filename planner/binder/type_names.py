"""A SQL type by its name alone, as Python users give it."""

from __future__ import annotations

from sqlglot import exp

from .. import messages_udf as messages
from ..errors import ParserError, SqlError
from ..frontend.parse import parse_script
from ..types import SQLType
from .types import bind_type


def parse_type(text: str) -> SQLType:
    """The type that a text such as 'bigint' or 'DECIMAL(10,2)' names. Raises SqlError where it is none.

    >>> str(parse_type("decimal(4, 1)"))
    'DECIMAL(4,1)'
    """
    try:
        (parsed,) = parse_script(f"SELECT CAST(NULL AS {text}\n)")
    except (ParserError, ValueError) as error:
        raise messages.no_sql_type(text) from error
    found = parsed.ast.expressions if isinstance(parsed.ast, exp.Select) else []
    if len(found) != 1 or type(found[0]) is not exp.Cast or not isinstance(found[0].this, exp.Null):
        raise messages.no_sql_type(text)
    try:
        return bind_type(found[0].args["to"])
    except SqlError as error:
        error.span = None  # a place in a text that nobody wrote
        raise
