"""Errors found while a statement runs that are not about its text."""

from __future__ import annotations

import traceback

from .errors import EngineError


def internal_error(error: BaseException) -> EngineError:
    """A bug of ours: told in one sentence with the place in our code; the cause is chained for developers."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename.rsplit('/', 1)[-1]}, line {frames[-1].lineno})" if frames else ""
    what = str(error).splitlines()[0] if str(error) else "no message"
    return EngineError(
        "internal",
        f"TandemDB failed: {type(error).__name__}: {what}{place}",
        hint="this is a bug; the session can go on. Please report it with the statement",
    )
