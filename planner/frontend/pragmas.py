"""PRAGMA: settings, table functions called as statements, and switches that change nothing here."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from ..errors import Span
from .commands import AcceptedCommand, Ast, ResetCommand, SetCommand, ShowCommand

# PRAGMA name or PRAGMA name(arguments) is SELECT * FROM pragma_name(arguments).
_QUERIES = frozenset(
    {"table_info", "database_list", "version", "database_size", "platform", "user_agent", "collations"}
)
# They steer checks, storage or output of DuckDB that TandemDB does not have: results are the same with them.
_WITHOUT_EFFECT = frozenset(
    {
        "force_checkpoint",
        *(
            f"{verb}_{what}"
            for verb in ("enable", "disable")
            for what in (
                "verification",
                "verify_external",
                "verify_serializer",
                "verify_parallelism",
                "verify_fetch_row",
                "object_cache",
                "progress_bar",
                "print_progress_bar",
                "checkpoint_on_shutdown",
                "profiling",
                "profile",
                "logging",
            )
        ),
        "verify_external",
        "verify_serializer",
        "verify_parallelism",
        "verify_fetch_row",
    }
)
PRAGMAS = (*_QUERIES, *_WITHOUT_EFFECT, "show_tables", "enable_optimizer", "disable_optimizer")


def plain_pragma(name: str, span: Span) -> Ast | None:
    """PRAGMA name, where it is no query; None for an unknown one."""
    name = name.lower()
    if name == "show_tables":
        return ShowCommand("tables", "", span)
    if name == "disable_optimizer":
        return SetCommand("disabled_rules", exp.Literal.string("all"), span)
    if name == "enable_optimizer":
        return ResetCommand("disabled_rules", span)
    return AcceptedCommand(f"PRAGMA {name}") if name in _WITHOUT_EFFECT else None


def pragma_query(name: Token, arguments: Sequence[Token]) -> list[Token] | None:
    """Tokens of the query that PRAGMA name(arguments) is; None where it is none. Names among the arguments
    are texts.
    """
    if name.text.lower() not in _QUERIES:
        return None
    texts = [
        _near(token, TokenType.STRING, token.text)
        if token.token_type in (TokenType.VAR, TokenType.IDENTIFIER)
        else token
        for token in arguments
    ]
    return [
        _near(name, TokenType.FROM, "FROM"),
        _near(name, TokenType.VAR, f"pragma_{name.text.lower()}"),
        *(texts or [_near(name, TokenType.L_PAREN, "("), _near(name, TokenType.R_PAREN, ")")]),
    ]


def _near(place: Token, kind: TokenType, text: str) -> Token:
    """A token that is not written, at the place of one that is."""
    return Token(kind, text, start=place.start, end=place.end)
