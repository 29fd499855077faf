"""The texts of errors about window functions."""

from __future__ import annotations

from .candidates import did_you_mean
from .errors import BinderError, ParserError, Span, SqlError


def not_allowed(clause: str, span: Span | None) -> SqlError:
    """OVER in a clause that is evaluated before windows are."""
    hint = "Use QUALIFY to filter by a window function." if clause in ("WHERE", "HAVING") else None
    return BinderError(
        "window_not_allowed", f"Window functions are not allowed in {clause}", span=span, hint=hint
    )


def nested(inside: str, span: Span | None) -> SqlError:
    """`inside`: 'another window function', 'an aggregate'."""
    return BinderError(
        "nested_window",
        f"A window function stands inside {inside}",
        span=span,
        hint="Compute the inner one in a subquery.",
    )


def needs_over(name: str, span: Span | None) -> SqlError:
    """A call of a window function as if it were an ordinary one."""
    return BinderError(
        "needs_over",
        f'"{name}" is a window function and needs OVER',
        span=span,
        hint=f"For example: {name}(...) OVER (ORDER BY ...)",
    )


def not_for_function(what: str, name: str, span: Span | None) -> SqlError:
    """`what`: 'DISTINCT', 'FILTER', 'IGNORE NULLS', 'ORDER BY among the arguments'."""
    return BinderError(
        "not_for_window_function", f'{what} is not for the window function "{name}"', span=span
    )


def ignore_nulls_of_aggregate(name: str, span: Span | None) -> SqlError:
    """Aggregates say themselves what NULLs are to them."""
    return BinderError(
        "not_for_window_function",
        f'IGNORE NULLS and RESPECT NULLS are not for aggregates, and "{name}" is one',
        span=span,
    )


def unknown_window(name: str, known: list[str], span: Span | None) -> SqlError:
    """OVER name, without such a name in WINDOW."""
    return ParserError(
        "unknown_window", f'Window "{name}" does not exist', span=span, hint=did_you_mean(name, known)
    )


def duplicate_window(name: str, span: Span | None) -> SqlError:
    """The same name twice in WINDOW."""
    return ParserError("duplicate_window", f'Window "{name}" is already defined', span=span)


def overrides(what: str, name: str, span: Span | None) -> SqlError:
    """`what`: a clause that a window takes from the one it is based on, and has itself."""
    return ParserError("window_overrides", f'{what} of window "{name}" cannot be given anew', span=span)


def based_on_frame(name: str, span: Span | None) -> SqlError:
    """OVER (name ...), where the window has a frame."""
    return ParserError(
        "window_overrides",
        f'Window "{name}" has a frame, so that no other can be based on it',
        span=span,
        hint=f"OVER {name}, without parentheses, takes it as it is.",
    )


def wrong_frame(problem: str, span: Span | None) -> SqlError:
    """Ends of a frame that never have a row between them."""
    return ParserError("wrong_frame", problem, span=span)


def range_order(span: Span | None) -> SqlError:
    """RANGE with a distance, with no or several ORDER BY keys."""
    return BinderError(
        "range_order",
        "RANGE with a distance needs exactly one ORDER BY expression",
        span=span,
        hint="ROWS and GROUPS count rows and groups of equal rows, whatever the order.",
    )


def range_of_null(span: Span | None) -> SqlError:
    """RANGE NULL PRECEDING."""
    return BinderError("range_of_null", "The distance of RANGE cannot be NULL", span=span)


def order_all(span: Span | None) -> SqlError:
    """ORDER BY ALL in a window."""
    return ParserError("order_all", "ORDER BY ALL is not for windows", span=span)


def qualify_without_window(span: Span | None) -> SqlError:
    """QUALIFY in a query that has no window function."""
    return BinderError(
        "qualify_without_window",
        "QUALIFY needs a window function in the SELECT list or in its condition",
        span=span,
        hint="WHERE filters rows, and HAVING groups.",
    )
