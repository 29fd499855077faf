"""SQL text to syntax trees with positions. The only part, with the binder, that knows sqlglot."""

from .commands import (
    Ast,
    Command,
    CreateViewCommand,
    DescribeCommand,
    ExplainCommand,
    ResetCommand,
    SetCommand,
    ShowCommand,
    UnsupportedCommand,
)
from .deep import MAX_DEPTH, nesting_depth, run_deep
from .dialect import Caret, UnaryPlus
from .parse import Parsed, parse_script, parse_stored, split_script, tokenize
from .spans import span_of, token_span

__all__ = [
    "MAX_DEPTH",
    "Ast",
    "Caret",
    "Command",
    "CreateViewCommand",
    "DescribeCommand",
    "ExplainCommand",
    "Parsed",
    "ResetCommand",
    "SetCommand",
    "ShowCommand",
    "UnaryPlus",
    "UnsupportedCommand",
    "nesting_depth",
    "parse_script",
    "parse_stored",
    "run_deep",
    "span_of",
    "split_script",
    "token_span",
    "tokenize",
]
