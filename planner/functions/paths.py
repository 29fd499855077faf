"""Parts of paths of files."""

from __future__ import annotations

from ..types import BOOLEAN, VARCHAR
from .signature import Nulls, Overload, ScalarFunction

_PATH = (Overload((VARCHAR,), VARCHAR), Overload((VARCHAR, VARCHAR), VARCHAR))

FUNCTIONS = (
    ScalarFunction(
        "parse_dirname",
        _PATH,
        "The first folder; the second argument says what separates",
        nulls=Nulls.HANDLED,
    ),
    ScalarFunction("parse_dirpath", _PATH, "All up to the last separator", nulls=Nulls.HANDLED),
    ScalarFunction(
        "parse_filename",
        (
            *_PATH,
            Overload((VARCHAR, BOOLEAN), VARCHAR),
            Overload((VARCHAR, BOOLEAN, VARCHAR), VARCHAR),
        ),
        "What follows the last separator; with true without its extension",
        nulls=Nulls.HANDLED,
    ),
)
