"""string_agg over frames: texts are put together when their rows are given out, as they may be long."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from ...planner.expr import Literal, SortKey
from ...planner.types import NULL, SQLType
from .. import compute
from ..kernels.arrays import I32, I64, TextOverflow
from .aggregate_lists import histogram_over, list_over
from .aggregate_sorted import joined_texts
from .rows import take_array
from .sort_keys import order_words
from .window_aggregates import dense_ranks, one_word
from .window_call import Call
from .window_frames import Frames
from .window_functions import over
from .window_result import Result, frames_of_rows

# Members of frames that are put together at once, and their bytes: what is given out is reserved only then.
_MOST = 1 << 23
_MOST_BYTES = 1 << 25


@dataclass(frozen=True)
class Joined:
    """`texts` are those that count, in order, and `frames` over them; row i has frame `wanted[i]`, or i.
    With `codes`, equal texts of a frame count once."""

    texts: pa.Array
    frames: Frames
    wanted: I32 | None
    separator: str | None
    codes: I32 | None
    bounds: None = None

    @cached_property
    def _width(self) -> float:
        """Bytes of a text, on average."""
        texts = self.texts.dictionary if pa.types.is_dictionary(self.texts.type) else self.texts
        return texts.nbytes / max(len(texts), 1)

    def part(self, start: int, stop: int) -> pa.Array:
        """The values of some rows. TextOverflow where they are too many for one array."""
        chosen = np.arange(start, stop) if self.wanted is None else self.wanted[start:stop]
        # Row by row, the parts of each in turn.
        begins = self.frames.begins[:, chosen].T.astype(np.int64)
        sizes = np.maximum(self.frames.ends[:, chosen].T - begins, 0)
        total = int(sizes.sum())
        if (total > _MOST or total * self._width > _MOST_BYTES) and stop - start > 1:
            raise TextOverflow(f"{total} texts of frames")
        flat = sizes.ravel()
        places = np.repeat(begins.ravel() - np.cumsum(flat) + flat, flat) + np.arange(total)
        counts = sizes.sum(axis=1)
        if self.codes is not None:
            rows = np.repeat(np.arange(len(counts)), counts)
            kinds = rows * (int(self.codes.max(initial=0)) + 1) + self.codes[places]
            _, found = np.unique(kinds, return_index=True)
            first = np.sort(found)
            places, counts = places[first], np.bincount(rows[first], minlength=len(counts))
        bounds = np.zeros(len(counts) + 1, dtype=np.int64)
        np.cumsum(counts, out=bounds[1:])
        return self.made(take_array(self.texts, places.astype(np.int32)), bounds)

    def made(self, texts: pa.Array, bounds: I64) -> pa.Array:
        """The values of the members of frames, of which frame i has those between two bounds."""
        if pa.types.is_dictionary(texts.type):
            texts = compute.decode_dictionary(texts)
        return joined_texts(texts, self.separator, bounds)


@dataclass(frozen=True)
class Listed(Joined):
    """Lists of the values instead."""

    type: SQLType = NULL

    def made(self, texts: pa.Array, bounds: I64) -> pa.Array:
        """NULL for a frame of no rows."""
        return list_over(self.type, texts, bounds[:-1], bounds[1:])


@dataclass(frozen=True)
class Counted(Listed):
    """Maps from each value to how often it comes."""

    def made(self, texts: pa.Array, bounds: I64) -> pa.Array:
        """NULL for a frame of no values."""
        return histogram_over(self.type, texts, bounds)


@over("histogram")
def _histogram(call: Call) -> Result | Joined:
    counting = call.counting(0)
    frames = counting.frames(call.frames)
    wanted = frames_of_rows(call.window, frames.of_rows)
    return Counted(call.counted(0, counting), frames, wanted, None, None, type=call.call.type)


@over("list")
def _list(call: Call) -> Result | Joined:
    counting = call.counting()
    values = call.counted(0, counting)
    codes = None
    if call.call.distinct:
        codes = dense_ranks(order_words([SortKey(call.call.args[0])], [values], call.check), call)
    frames = counting.frames(call.frames)
    wanted = frames_of_rows(call.window, frames.of_rows)
    return Listed(values, frames, wanted, None, codes, type=call.call.type)


@over("string_agg")
def _string_agg(call: Call) -> Result | Joined:
    args = call.call.args
    separator: str | None = ","
    if len(args) > 1:
        assert isinstance(args[1], Literal), args[1]
        separator = args[1].value
    counting = call.counting(0)
    texts = call.counted(0, counting)
    codes = None
    if call.call.distinct:
        codes = dense_ranks([one_word(call, call.call.args[0].type, texts, False)], call)
    frames = counting.frames(call.frames)
    return Joined(texts, frames, frames_of_rows(call.window, frames.of_rows), separator, codes)
