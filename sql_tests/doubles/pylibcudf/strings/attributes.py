"""Lengths of strings."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...arguments import library
from .._strings import INT32, of_array, texts_of
from ..column import Column


@library
def count_characters(source_strings: Column, stream: Any = None, mr: Any = None) -> Column:
    return of_array(INT32, pc.utf8_length(texts_of(source_strings)))


@library
def count_bytes(source_strings: Column, stream: Any = None, mr: Any = None) -> Column:
    return of_array(INT32, pc.binary_length(texts_of(source_strings)))


@library
def code_points(source_strings: Column, stream: Any = None, mr: Any = None) -> Column:
    """The code points of all characters of all texts, one after the other; NULL has none."""
    texts = texts_of(source_strings).drop_null().to_pylist()
    return of_array(INT32, pa.array([ord(character) for text in texts for character in text], pa.int32()))
