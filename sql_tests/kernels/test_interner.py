"""Codes of strings: exact, in order of first appearance, the same from every storage."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.oracles import QUICK, TEXT, numbered, optional, sliced
from tandemdb.cpu_fallback.kernels.interner import StringInterner

STORAGES = {
    "string": lambda values: sliced(values, pa.string()),
    "large": lambda values: sliced(values, pa.large_string()),
    "dictionary": lambda values: sliced(values, pa.string()).dictionary_encode(),
    "small codes": lambda values: sliced(values, pa.dictionary(pa.int8(), pa.string())),
    "null in dictionary": lambda values: sliced(values, pa.string()).dictionary_encode("encode"),
}


def one_hash(offsets: np.ndarray, data: np.ndarray) -> np.ndarray:
    return np.zeros(len(offsets) - 1, dtype=np.uint64)


@pytest.mark.parametrize("bad", [False, True])
@given(
    batches=st.lists(
        st.tuples(st.sampled_from(sorted(STORAGES)), st.lists(optional(TEXT), max_size=30)), max_size=4
    )
)
@QUICK
def test_codes_lookups_and_strings(bad: bool, batches: list[tuple[str, list[str | None]]]) -> None:
    interner = StringInterner(hasher=one_hash) if bad else StringInterner()
    known: dict[str, int] = {}
    for storage, values in batches:
        arr = STORAGES[storage](values)
        assert interner.lookup(arr).tolist() == [-1 if v is None else known.get(v, -1) for v in values]
        codes = interner.intern(arr).tolist()
        strings = interner.strings().to_pylist()
        assert [None if code < 0 else strings[code] for code in codes] == values
        assert len(set(strings)) == len(strings)
        if not pa.types.is_dictionary(arr.type):  # entries of a dictionary may come in another order
            before = dict(known)
            assert codes == [-1 if v is None else numbered([v], before)[0] for v in values]
        known = {string: code for code, string in enumerate(strings)}
        assert len(interner) == len(known)


@pytest.mark.parametrize("length", range(1, 25))
def test_strings_that_differ_in_one_byte_are_different(length: int) -> None:
    texts = ["a" * i + "b" + "a" * (length - i - 1) for i in range(length)]
    interner = StringInterner(hasher=one_hash)
    assert interner.intern(pa.array(texts)).tolist() == list(range(length))
    assert interner.intern(pa.array(texts[::-1])).tolist() == list(range(length))[::-1]


def test_growth_through_many_sizes() -> None:
    texts = [f"string number {i}" * (i % 3) + str(i) for i in range(60_000)]
    interner = StringInterner()
    for start in range(0, len(texts), 7_000):
        part = pa.array(texts[start : start + 7_000])
        assert interner.intern(part).tolist() == list(range(start, start + len(part)))
    assert interner.intern(pa.array(texts[::-1])).tolist() == list(range(len(texts)))[::-1]
    assert interner.strings(pa.large_string()).to_pylist() == texts
    assert interner.nbytes > sum(map(len, texts))


def test_only_the_dictionary_entries_that_rows_use_are_interned() -> None:
    arr = pa.DictionaryArray.from_arrays(pa.array([2, None, 2]), pa.array(["a", "b", "c"]))
    interner = StringInterner()
    assert interner.intern(arr).tolist() == [0, -1, 0]
    assert interner.strings().to_pylist() == ["c"]
    assert interner.intern(arr.take(pa.array([0, 1]))).tolist() == [0, -1]
    more = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), arr.dictionary)
    assert interner.intern(more).tolist() == [1, 2, 0]


def test_a_dictionary_may_repeat_an_entry() -> None:
    arr = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["a", "a"]))
    assert StringInterner().intern(arr).tolist() == [0, 0]


def test_merge_maps_the_codes_of_the_other_interner() -> None:
    ours, theirs = StringInterner(), StringInterner()
    ours.intern(pa.array(["a", "b"]))
    theirs.intern(pa.array(["b", "c"]))
    assert ours.merge(theirs).tolist() == [1, 2]
    assert ours.strings().to_pylist() == ["a", "b", "c"]


def test_strings_already_given_out_do_not_change() -> None:
    interner = StringInterner()
    interner.intern(pa.array(["a"]))
    given_out = interner.strings()
    interner.intern(pa.array([str(i) for i in range(5_000)]))
    assert given_out.to_pylist() == ["a"]


def test_null_arrays_and_blobs() -> None:
    interner = StringInterner()
    assert interner.intern(pa.nulls(2)).tolist() == [-1, -1]
    assert interner.lookup(pa.nulls(1)).tolist() == [-1]
    assert interner.intern(pa.array([b"\xff\x00", b"\xff"], pa.binary())).tolist() == [0, 1]
    assert interner.strings(pa.binary()).to_pylist() == [b"\xff\x00", b"\xff"]
