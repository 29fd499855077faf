"""Which SQL types Parquet files are written with."""

from __future__ import annotations

from . import messages_copy as messages
from .types import SQLType, TypeId


def refuse_for_parquet(name: str, kind: SQLType) -> None:
    """UnsupportedError for a column of a type that has no form in Parquet (that our writer knows)."""
    if kind.is_nested:
        for _, inner in kind.fields:
            refuse_for_parquet(name, inner)
        return
    if kind.id is TypeId.INTERVAL:
        raise messages.not_in_parquet(name, kind)
