"""DuckDB for tests that only ask it something: one connection a process, as opening one takes longer than
most of their queries.
"""

from __future__ import annotations

from functools import cache

import duckdb


@cache
def duck() -> duckdb.DuckDBPyConnection:
    """A connection on one thread, to ask only: what a test made in it would stay."""
    return duckdb.connect(config={"threads": 1})
