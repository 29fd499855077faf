"""INSERT ... VALUES (?, ...) with many sets of parameters as one INSERT of the rows of a table."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from ..frontend import Parsed

# A name that no statement has written by itself: of a table that holds one row a set of parameters.
GIVEN_ROWS = "parameters of executemany"


def insert_of_given_rows(parsed: Parsed) -> tuple[Parsed, tuple[str, ...]] | None:
    """The statement with `SELECT ... FROM` the table GIVEN_ROWS in place of its one row of VALUES, and the
    parameters, which are that table's columns. None where the sets of parameters must be executed one by one:
    parameters inside of expressions, whose type depends on each value, and all other statements.

    INSERT INTO t VALUES (?, ?::DATE, 5)  ->  INSERT INTO t SELECT "1", "2"::DATE, 5 FROM "parameters of ..."
    """
    node = parsed.ast
    if not isinstance(node, exp.Insert) or any(
        value for key, value in node.args.items() if key not in ("this", "expression")
    ):
        return None
    values = node.args.get("expression")
    if not isinstance(values, exp.Values) or len(values.expressions) != 1:
        return None
    if any(value for key, value in values.args.items() if key != "expressions"):
        return None
    row = values.expressions[0].copy()
    if not isinstance(row, exp.Tuple):
        return None
    keys: list[str] = []
    cells: list[exp.Expr] = []
    for cell in row.expressions:
        own = cell.this if isinstance(cell, exp.Cast) else cell
        if isinstance(own, exp.Placeholder):
            key = str(own.this) if own.this else str(len(keys) + 1)
            if own.this and key.isdigit():
                return None  # ?2, $2: in an order of their own
            if key not in keys:
                keys.append(key)
            name = exp.Identifier(this=key, quoted=True)
            column = exp.Column(this=name, table=exp.Identifier(this=GIVEN_ROWS, quoted=True))
            for made in (name, column):
                made.meta.update(own.meta)
            if own is cell:
                cell = column
            else:
                own.replace(column)
        elif cell.find(exp.Placeholder, exp.Query) or _is_default(cell):
            return None
        cells.append(cell)
    if not keys:
        return None
    source = exp.Table(this=exp.Identifier(this=GIVEN_ROWS, quoted=True))
    query = exp.Select(expressions=cells, from_=exp.From(this=source))
    rewritten = node.copy()
    rewritten.set("expression", query)
    return replace(parsed, ast=rewritten), tuple(keys)


def _is_default(cell: exp.Expr) -> bool:
    return isinstance(cell, (exp.Var, exp.Column)) and cell.name.upper() == "DEFAULT"
