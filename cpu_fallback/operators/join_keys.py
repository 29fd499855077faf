"""Key columns of a join as words that compare equal on both sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pyarrow as pa

from ...physical.nodes import JoinKey
from ..kernels import arrays, keys
from ..kernels.arrays import I64, U64, Valid
from ..kernels.interner import StringInterner
from .comparable import comparable, is_text
from .rows import used


class KeyWords(NamedTuple):
    """Rows of key words; rows not `valid` match nothing, `nulls` are the NULLs that match NULL."""

    words: tuple[I64, ...]
    valid: Valid
    nulls: U64 | None


class JoinKeys:
    """Normalises the keys of one join: the build side interns its strings, the probe side looks them up."""

    def __init__(self, keys_: Sequence[JoinKey], check: Callable[[], None]) -> None:
        self.types = [key.left.type for key in keys_]
        self.null_equal = [key.null_equal for key in keys_]
        self.interners = [StringInterner(check) if is_text(kind) else None for kind in self.types]

    def build(self, columns: Sequence[pa.Array]) -> KeyWords:
        """Words of build rows."""
        return self._words(columns, add=True)

    def probe(self, columns: Sequence[pa.Array]) -> KeyWords:
        """Words of probe rows; threads may share this."""
        return self._words(columns, add=False)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return sum(i.nbytes for i in self.interners if i is not None)

    def _words(self, columns: Sequence[pa.Array], *, add: bool) -> KeyWords:
        stored = [used(comparable(kind, column)) for kind, column in zip(self.types, columns, strict=True)]
        found = keys.normalise(stored, self.interners, add)
        if not any(self.null_equal):
            return KeyWords(found.words, found.valid, None)
        strict = (c for c, equal in zip(stored, self.null_equal, strict=True) if not equal)
        return KeyWords(found.words, arrays.and_valid(*map(arrays.validity_bytes, strict)), found.nulls)
