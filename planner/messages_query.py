"""Texts of the errors of the frontend, of queries and of statements: the only place that builds them.

Each function returns the error; the caller raises it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .candidates import did_you_mean
from .errors import (
    BinderError,
    CatalogError,
    InvalidInputError,
    ParserError,
    Span,
    SqlError,
    UnsupportedError,
)
from .messages import plural


# Syntax -----------------------------------------------------------------------------------------------------
def syntax_error(text: str | None, span: Span | None, hint: str | None = None) -> SqlError:
    """`text` is the token that does not fit, None at the end of the input."""
    where = "at end of input" if text is None else f'at or near "{text}"'
    return ParserError("syntax_error", f"syntax error {where}", span=span, hint=hint)


def unterminated(opening: str, span: Span) -> SqlError:
    """A string, quoted name or comment without its end; `opening` is how it begins."""
    what = {
        "'": "string",
        '"': "quoted name",
        "`": "quoted name",
        "$": "dollar-quoted string",
        "/": "comment",
    }.get(opening, "token")
    return ParserError("unterminated", f"unterminated {what}", span=span)


def compiled_parser() -> SqlError:
    """The parser's classes cannot be extended."""
    return UnsupportedError(
        "compiled_parser",
        "TandemDB extends sqlglot's parser, which its compiled build does not allow",
        hint="Uninstall the package sqlglotc: sqlglot works without it.",
    )


def empty_name(span: Span) -> SqlError:
    """A quoted name without letters."""
    return ParserError("empty_name", "zero-length delimited identifier", span=span)


def too_deep(depth: int, limit: int, span: Span) -> SqlError:
    """More nesting than the parser and the walks below it have room for."""
    return ParserError(
        "too_deep",
        f"the statement nests {depth:,} levels deep; the limit is {limit:,}",
        span=span,
        hint="Chains of AND, OR and UNION do not count; use IN lists, CTEs or temporary tables for the rest.",
    )


def too_long(limit: int, span: Span) -> SqlError:
    """A chain of operators that is as deep as it is long."""
    return ParserError(
        "too_deep",
        f"an expression of the statement chains more than {limit:,} operators",
        span=span,
        hint="Chains of AND and OR do not count; use a list, a CTE or a temporary table for the rest.",
    )


def beyond_depth() -> SqlError:
    """Binding went deeper than there is room for."""
    return ParserError(
        "too_deep",
        "the statement's parts (subqueries, CTEs, views, expressions) nest deeper than there is room for",
        hint="Put a part of it into a table with CREATE TABLE AS.",
    )


def explain_format(text: str, span: Span) -> SqlError:
    """EXPLAIN (FORMAT ...) with a format that does not exist."""
    return UnsupportedError(
        "explain_format",
        f'EXPLAIN format "{text}" is not supported',
        span=span,
        hint="Formats are text and json.",
    )


def not_explained() -> SqlError:
    """EXPLAIN of a statement that has no plan."""
    return UnsupportedError("explain", "EXPLAIN takes queries, CREATE TABLE AS, INSERT, UPDATE and DELETE")


def unknown_hint(name: str, known: Iterable[str], span: Span) -> SqlError:
    """/*+ name ... */ with a name that no hint has."""
    hint = did_you_mean(name, known) or f"Hints are {', '.join(known)}."
    return UnsupportedError("unknown_hint", f'there is no hint named "{name}"', span=span, hint=hint)


def bad_hint(text: str, span: Span) -> SqlError:
    """/*+ ... */ with something that is no hint."""
    return ParserError(
        "hint", f'a hint is a name or name(argument), not "{text}"', span=span, hint="/*+ device(gpu) */"
    )


def bad_hint_value(name: str, value: str, why: str, span: Span) -> SqlError:
    """A hint with an argument that it does not take."""
    return UnsupportedError("hint_value", f'the hint {name} cannot be "{value}": {why}', span=span)


def repeated_hint(name: str, span: Span) -> SqlError:
    """The same hint twice."""
    return UnsupportedError("repeated_hint", f"the hint {name} is given twice", span=span)


def misplaced_hint(span: Span) -> SqlError:
    """A hint at an inner query, where it would seem to hold for that alone."""
    return UnsupportedError(
        "misplaced_hint",
        "a hint is for a whole statement",
        span=span,
        hint="Write it directly after the statement's first SELECT.",
    )


# Names -----------------------------------------------------------------------------------------------------
def unknown_table(name: str, candidates: Iterable[str], span: Span | None) -> SqlError:
    """FROM a name that nothing has."""
    return CatalogError(
        "unknown_table", f'Table "{name}" does not exist', span=span, hint=did_you_mean(name, candidates)
    )


def unknown_pragma(name: str, known: Iterable[str], span: Span | None) -> SqlError:
    """PRAGMA of a name that is neither a setting nor anything else."""
    hint = did_you_mean(name, known) or "SHOW ALL lists the settings"
    return CatalogError("unknown_pragma", f'there is no PRAGMA named "{name}"', span=span, hint=hint)


def unknown_table_function(name: str, candidates: Iterable[str], span: Span | None) -> SqlError:
    """FROM a call of a name that no table function has."""
    return CatalogError(
        "unknown_table_function",
        f'Table function "{name}" does not exist',
        span=span,
        hint=did_you_mean(name, candidates),
    )


def unknown_view(name: str, candidates: Iterable[str], span: Span | None) -> SqlError:
    """DROP VIEW of a name that no view has."""
    return CatalogError(
        "unknown_view", f'View "{name}" does not exist', span=span, hint=did_you_mean(name, candidates)
    )


def not_a_table(name: str, kind: str, span: Span | None) -> SqlError:
    """`kind` is what it is: 'view' or 'table'."""
    return CatalogError("wrong_kind", f'"{name}" is a {kind}', span=span)


def unknown_alias(name: str, aliases: Iterable[str], span: Span | None) -> SqlError:
    """A qualifier that names no table of the FROM clause."""
    known = sorted(set(aliases), key=str.lower)
    hint = did_you_mean(name, known)
    if hint is None and known:
        hint = f"Tables here: {', '.join(known)}."
    return BinderError(
        "unknown_alias", f'There is no table "{name}" in this FROM clause', span=span, hint=hint
    )


def unknown_column_of(table: str, name: str, candidates: Sequence[str], span: Span | None) -> SqlError:
    """A column that the named table lacks."""
    hint = did_you_mean(name, candidates)
    if hint is None and len(candidates) <= 10:
        hint = f"Its columns: {', '.join(candidates)}."
    return BinderError("unknown_column", f'Table "{table}" has no column "{name}"', span=span, hint=hint)


def column_without_from(name: str, span: Span | None) -> SqlError:
    """A name in a query without FROM."""
    return BinderError(
        "unknown_column",
        f'Column "{name}" does not exist: the query has no FROM clause',
        span=span,
        hint="Text is written in single quotes.",
    )


def duplicate_alias(name: str, span: Span | None) -> SqlError:
    """Two tables of a FROM clause under one name."""
    return BinderError(
        "duplicate_alias",
        f'"{name}" names more than one table of this FROM clause',
        span=span,
        hint="Give each its own alias with AS.",
    )


def duplicate_cte(name: str, span: Span | None) -> SqlError:
    """Two queries of a WITH clause under one name."""
    return BinderError("duplicate_cte", f'WITH defines "{name}" twice', span=span)


def alias_too_early(name: str, span: Span | None) -> SqlError:
    """An alias of the SELECT list, used to the left of its definition."""
    return BinderError(
        "alias_too_early", f'Alias "{name}" is used before the SELECT item that defines it', span=span
    )


def alias_of_subquery(name: str, what: str, span: Span | None) -> SqlError:
    """`what`: 'a subquery' or 'a function that changes from call to call'."""
    return UnsupportedError(
        "unsupported",
        f'Alias "{name}" stands for {what} and cannot be used in another expression yet',
        span=span,
        hint="Define it in a subquery or CTE.",
    )


def alias_in_group_by(name: str, span: Span | None) -> SqlError:
    """An alias inside an expression of GROUP BY."""
    return BinderError(
        "alias_in_group_by",
        f'Alias "{name}" cannot be part of an expression in GROUP BY',
        span=span,
        hint="Group by the alias alone, or repeat its expression.",
    )


def too_many_column_names(table: str, given: int, has: int, span: Span | None) -> SqlError:
    """t(a, b, ...) with more names than columns."""
    return BinderError(
        "column_names",
        f'"{table}" has {plural(has, "column")}, but {plural(given, "name")} are given',
        span=span,
    )


# SELECT ----------------------------------------------------------------------------------------------------
def must_be_grouped(name: str, span: Span | None) -> SqlError:
    """A column outside aggregates that is not grouped by."""
    return BinderError(
        "must_be_grouped",
        f'Column "{name}" must appear in the GROUP BY clause or be used in an aggregate',
        span=span,
        hint=f'Add it to GROUP BY, or use any_value("{name}") if any of its values will do.',
    )


def not_a_group(span: Span | None) -> SqlError:
    """GROUPING(x) where rows are not grouped by x."""
    return BinderError(
        "not_a_group", "GROUPING takes expressions of GROUP BY, and this is none of them", span=span
    )


def grouping_without_groups(span: Span | None) -> SqlError:
    """GROUPING in a query without GROUP BY."""
    return BinderError("grouping_without_groups", "GROUPING needs a GROUP BY", span=span)


def position_out_of_range(clause: str, position: int, count: int, span: Span | None) -> SqlError:
    """ORDER BY 5 or GROUP BY 5 with fewer columns."""
    return BinderError(
        "position_out_of_range",
        f"{clause} position {position} is out of range: there {'is' if count == 1 else 'are'} "
        f"{plural(count, 'column')}",
        span=span,
    )


def constant_order(span: Span | None) -> SqlError:
    """ORDER BY a constant that is no position."""
    return BinderError("constant_order", "ORDER BY a constant has no effect", span=span)


def star_without_from(span: Span | None) -> SqlError:
    """SELECT * without FROM."""
    return BinderError("star_without_from", "* needs a FROM clause", span=span)


def star_empty(span: Span | None) -> SqlError:
    """SELECT * EXCLUDE (everything)."""
    return BinderError("star_empty", "The SELECT list has no column", span=span)


def not_in_star(name: str, clause: str, candidates: Iterable[str], span: Span | None) -> SqlError:
    """`clause`: EXCLUDE, REPLACE or RENAME."""
    return BinderError(
        "unknown_column",
        f'Column "{name}" of {clause} does not exist in the FROM clause',
        span=span,
        hint=did_you_mean(name, candidates),
    )


def listed_twice(name: str, clause: str, span: Span | None) -> SqlError:
    """`clause`: EXCLUDE, REPLACE, RENAME, USING, the columns of a table."""
    return BinderError("listed_twice", f'Column "{name}" stands twice in {clause}', span=span)


def negative_limit(clause: str, span: Span | None) -> SqlError:
    """`clause`: LIMIT or OFFSET."""
    return BinderError("negative_limit", f"{clause} cannot be negative", span=span)


def limit_type(clause: str, kind: object, span: Span | None) -> SqlError:
    """LIMIT or OFFSET of a value that is no number."""
    return BinderError("limit_type", f"{clause} needs an integer, not a value of type {kind}", span=span)


def values_length(wanted: int, given: int, span: Span | None) -> SqlError:
    """VALUES with rows of different length."""
    return BinderError(
        "values_length",
        f"The rows of VALUES differ in length: {wanted} and {given}",
        span=span,
    )


def bad_row(span: Span | None) -> SqlError:
    """VALUES with something else than a row."""
    return ParserError("bad_row", "A row of VALUES is a list of values in parentheses", span=span)


def set_operation_columns(kind: str, left: int, right: int, span: Span | None) -> SqlError:
    """`kind`: UNION, INTERSECT or EXCEPT."""
    return BinderError(
        "set_operation_columns",
        f"The sides of {kind} differ in their number of columns: {left} and {right}",
        span=span,
    )


def wrong_percentage(span: Span | None) -> SqlError:
    """LIMIT 101%."""
    return InvalidInputError("limit_percentage", "LIMIT takes a percentage from 0 to 100", span=span)


def repeated_name(name: str, span: Span | None) -> SqlError:
    """UNION BY NAME of a query with two columns of one name."""
    return BinderError(
        "repeated_name", f'UNION BY NAME takes each name once, and "{name}" stands twice', span=span
    )


def no_such_place(place: int, count: int, span: Span | None) -> SqlError:
    """#5 where FROM has fewer columns."""
    return BinderError(
        "position_out_of_range", f"Position {place} is out of range: FROM has {count} columns", span=span
    )


# Joins -----------------------------------------------------------------------------------------------------
def using_column(name: str, side: str, candidates: Iterable[str], span: Span | None) -> SqlError:
    """USING a column that one side lacks."""
    return BinderError(
        "using_column",
        f'Column "{name}" of USING does not exist on the {side} side of the join',
        span=span,
        hint=did_you_mean(name, candidates),
    )


def natural_without_columns(span: Span | None) -> SqlError:
    """NATURAL JOIN of tables without a common name."""
    return BinderError(
        "natural_join",
        "NATURAL JOIN finds no column of the same name on both sides",
        span=span,
        hint="Use CROSS JOIN for all pairs.",
    )


def join_without_condition(span: Span | None) -> SqlError:
    """JOIN without ON or USING."""
    return ParserError(
        "join_without_condition",
        "JOIN needs a condition: ON or USING",
        span=span,
        hint="Use CROSS JOIN for all pairs.",
    )


def cross_join_condition(span: Span | None) -> SqlError:
    """CROSS or NATURAL JOIN with ON or USING."""
    return ParserError("cross_join_condition", "CROSS JOIN and NATURAL JOIN take no condition", span=span)


def lateral_join_kind(kind: str, span: Span | None) -> SqlError:
    """RIGHT, FULL, ... JOIN LATERAL."""
    return BinderError(
        "lateral_join_kind",
        f"The right side of a {kind} JOIN cannot refer to columns of the left side",
        span=span,
        hint="Use INNER or LEFT JOIN.",
    )


def table_function_argument(name: str, span: Span | None) -> SqlError:
    """A table function with an argument that is no constant."""
    return BinderError("table_function_argument", f'Table function "{name}" takes constants only', span=span)


def table_function_usage(name: str, usage: str) -> SqlError:
    """A table function with arguments it does not take; `usage` is the form it is called in."""
    return BinderError("bad_arguments", f"{name} is called as {usage}")


def unsupported_range(name: str) -> SqlError:
    """range() or generate_series() of dates or timestamps."""
    return UnsupportedError("range_of_dates", f"{name} of dates and timestamps is not supported yet")


def zero_step(name: str) -> SqlError:
    """range() or generate_series() that never moves."""
    return InvalidInputError("bad_arguments", f"the step of {name} cannot be 0")


# Tables ----------------------------------------------------------------------------------------------------
def table_without_columns(name: str, span: Span | None) -> SqlError:
    """CREATE TABLE t()."""
    return ParserError("table_without_columns", f'Table "{name}" needs at least one column', span=span)


def column_without_type(name: str, span: Span | None) -> SqlError:
    """CREATE TABLE t(a)."""
    return ParserError("column_without_type", f'Column "{name}" needs a type', span=span)


def insert_columns(wanted: int, given: int, span: Span | None) -> SqlError:
    """INSERT with more or fewer values than columns."""
    return BinderError(
        "insert_columns",
        f"INSERT gives {plural(given, 'value')} a row for {plural(wanted, 'column')}",
        span=span,
    )


# Views -----------------------------------------------------------------------------------------------------
def in_view(name: str, error: SqlError, sql: str) -> SqlError:
    """An error inside a view's query, shown with the view's own text."""
    kind = type(error)
    return kind(error.code, f'In view "{name}": {error.message}', span=error.span, hint=error.hint, sql=sql)


def recursive_view(name: str, span: Span | None) -> SqlError:
    """A view that reads itself, by whatever detour."""
    return BinderError("recursive_view", f'View "{name}" refers to itself', span=span)
