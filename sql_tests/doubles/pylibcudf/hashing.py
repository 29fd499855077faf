"""Hashes of rows: the published algorithms, so that values are those of a device."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from ..arguments import library
from ..errors import data_type_error, expects
from ..kernels import hashes, storage
from . import traits
from ._hash_bytes import row_bytes
from ._strings import strings
from .column import Column, made
from .table import Table
from .types import DataType, TypeId

LIBCUDF_DEFAULT_HASH_SEED = 0
# What a NULL hashes to.
_NULL_32, _NULL_64 = 2**32 - 1, 2**64 - 1


def _checked(input: Table) -> None:
    for column in input.columns():
        known = traits.is_fixed_width(column.type()) or column.type().id() is TypeId.STRING
        expects(known, data_type_error("Unsupported column type for hash function."))


@library
def murmurhash3_x86_32(input: Table, seed: int = 0, stream: Any = None, mr: Any = None) -> Column:
    """32 bits a row: each column's hash is the seed of the next."""
    return made(DataType(TypeId.UINT32), storage.build(murmur(input, seed)))


def murmur(input: Table, seed: int) -> np.ndarray:
    _checked(input)
    found = np.full(input.num_rows(), seed, np.uint32)
    for i, column in enumerate(input.columns()):
        values = np.array(
            [
                _NULL_32 if data is None else hashes.murmur3_32(data, seed)
                for data in row_bytes(column._rows, column.type())
            ],
            np.uint32,
        )
        found = values if i == 0 else hashes.combined_32(found, values)
    return found


@library
def xxhash_64(input: Table, seed: int = 0, stream: Any = None, mr: Any = None) -> Column:
    """64 bits a row: each column's hash is the seed of the next."""
    _checked(input)
    found = [seed] * input.num_rows()
    for column in input.columns():
        rows = row_bytes(column._rows, column.type())
        found = [
            _NULL_64 if data is None else hashes.xxhash64(data, h)
            for data, h in zip(rows, found, strict=True)
        ]
    return made(DataType(TypeId.UINT64), storage.build(np.array(found, np.uint64)))


def _digests(input: Table, algorithm: str) -> Column:
    """The hash of the bytes of a row's columns one after the other, as text; a NULL has no bytes."""
    _checked(input)
    found = [hashlib.new(algorithm, usedforsecurity=False) for _ in range(input.num_rows())]
    for column in input.columns():
        for digest, data in zip(found, row_bytes(column._rows, column.type()), strict=True):
            digest.update(data or b"")
    return strings([digest.hexdigest() for digest in found])


@library
def md5(input: Table, stream: Any = None, mr: Any = None) -> Column:
    return _digests(input, "md5")


@library
def sha256(input: Table, stream: Any = None, mr: Any = None) -> Column:
    return _digests(input, "sha256")
