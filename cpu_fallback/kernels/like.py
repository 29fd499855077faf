"""LIKE: ``%`` is any run of characters, ``_`` any one character (a code point), over UTF-8 bytes.

A pattern is cut at its ``%`` into segments. The first and the last one are fixed to the ends of the string
unless a ``%`` stands there; those between are found from left to right, each at its first place, which is
right because a segment always covers the same number of characters. The search compares eight bytes at a
time.

Measured on strings of 50 bytes, time of ``pyarrow.compute.match_like`` over ours: ``%a%b%`` 2.4, ``%a%``
2.3, no ``%`` 2.0, ``_`` inside a sought segment 1.1, ``a%`` 0.7, ``%a`` 0.9 (4 to 5 ms for 1M rows).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from . import arrays
from ._intrinsics import load_u64
from ._jit import BOOL, IN_I32, IN_I64, IN_U8, IN_U64, OUT_U8, device, kernel
from ._mix import equal_bytes, load_tail
from .arrays import I32, I64, U8, U64, kernel_mask

_ANY = 256  # the token of ``_``; other tokens are bytes


@dataclass(frozen=True, eq=False)
class LikePattern:
    """A parsed pattern: segments of tokens (bytes, or 256 for any one character)."""

    tokens: I32
    ends: I64  # segment s is tokens[ends[s]:ends[s + 1]]
    literal: U8  # the tokens as bytes (segments without ``_`` only)
    plain: U8  # 1 for segments without ``_``
    heads: U64  # the first eight bytes of plain segments
    masks: U64  # which bytes of ``heads`` count
    from_start: bool
    to_end: bool

    @classmethod
    def parse(cls, pattern: str, escape: str | None = None) -> LikePattern:
        """Parse a pattern; the character ``escape`` makes the next one literal.

        ValueError when the pattern ends with the escape character.
        """
        segments: list[list[int]] = [[]]
        characters = iter(pattern)
        for character in characters:
            if escape and character == escape:
                following = next(characters, None)
                if following is None:
                    raise ValueError("a LIKE pattern must not end with its escape character")
                segments[-1] += following.encode()
            elif character == "%":
                segments.append([])
            elif character == "_":
                segments[-1].append(_ANY)
            else:
                segments[-1] += character.encode()
        return cls.of_segments(segments, bool(segments[0]), bool(segments[-1]))

    @classmethod
    def of_segments(cls, segments: list[list[int]], from_start: bool, to_end: bool) -> LikePattern:
        """A pattern from its segments; empty ones between two ``%`` are dropped."""
        if len(segments) == 1:
            from_start = to_end = True
        else:
            segments = [segment for segment in segments if segment]
        tokens = np.array([token for segment in segments for token in segment], dtype=np.int32)
        ends = np.cumsum([0, *(len(segment) for segment in segments)], dtype=np.int64)
        plain = np.array([_ANY not in segment for segment in segments], dtype=np.uint8)
        heads = [_head(segment) for segment in segments]
        return cls(
            tokens,
            ends,
            (tokens & 0xFF).astype(np.uint8),
            plain,
            np.array([head for head, _ in heads], dtype=np.uint64),
            np.array([mask for _, mask in heads], dtype=np.uint64),
            from_start,
            to_end,
        )


def like(arr: pa.Array, pattern: LikePattern) -> U8:
    """1 where the string matches; 0 elsewhere and at NULL rows.

    Takes string arrays and dictionary arrays of them.
    """
    if pa.types.is_dictionary(arr.type):
        matched = like(arr.dictionary, pattern)
        valid = arrays.validity_bytes(arr)
        if len(matched) == 0:
            return np.zeros(len(arr), dtype=np.uint8)
        indices = arrays.values_view(arr.indices)
        return matched[indices] if valid is None else matched[np.where(valid, indices, 0)] & valid
    views = arrays.string_views(arr)
    out = np.empty(len(arr), dtype=np.uint8)
    _like(
        views.offsets, views.data, kernel_mask(arrays.validity_bytes(arr)), pattern.tokens, pattern.ends,
        pattern.literal, pattern.plain, pattern.heads, pattern.masks, pattern.from_start, pattern.to_end, out,
    )  # fmt: skip
    return out


def contains(arr: pa.Array, needle: bytes) -> U8:
    """1 where ``needle`` occurs in the string; 0 at NULL rows."""
    return like(arr, LikePattern.of_segments([[], list(needle), []], False, False))


def starts_with(arr: pa.Array, prefix: bytes) -> U8:
    """1 where the string starts with ``prefix``; 0 at NULL rows."""
    return like(arr, LikePattern.of_segments([list(prefix), []], bool(prefix), False))


def ends_with(arr: pa.Array, suffix: bytes) -> U8:
    """1 where the string ends with ``suffix``; 0 at NULL rows."""
    return like(arr, LikePattern.of_segments([[], list(suffix)], False, bool(suffix)))


def _head(segment: list[int]) -> tuple[int, int]:
    if _ANY in segment:
        return 0, 0
    head = bytes(segment[:8])
    return int.from_bytes(head, "little"), (1 << (8 * len(head))) - 1


@device
def _continues(byte):
    """Whether a byte continues a UTF-8 character."""
    return (byte & 0xC0) == 0x80


@device
def _match_forward(data, position, stop, tokens, first, last):
    """The end of the match of tokens[first:last] at ``position``, or -1."""
    for t in range(first, last):
        if position >= stop:
            return -1
        if tokens[t] == _ANY:
            position += 1
            while position < stop and _continues(data[position]):
                position += 1
        elif data[position] == tokens[t]:
            position += 1
        else:
            return -1
    return position


@device
def _match_backward(data, start, position, tokens, first, last):
    """The start of the match of tokens[first:last] that ends at ``position``, or -1."""
    for t in range(last - 1, first - 1, -1):
        if position <= start:
            return -1
        position -= 1
        if tokens[t] == _ANY:
            while position > start and _continues(data[position]):
                position -= 1
        elif data[position] != tokens[t]:
            return -1
    return position


@device
def _find_plain(data, position, stop, literal, first, last, head, mask):
    """The end of the first occurrence of literal[first:last] from ``position`` on, or -1."""
    count = last - first
    final = stop - count
    fast = min(final, len(data) - 8)
    while position <= fast:
        if load_u64(data, position) & mask == head and (
            count <= 8 or equal_bytes(data, position + 8, literal, first + 8, count - 8)
        ):
            return position + count
        position += 1
    while position <= final:
        if load_tail(data, position, min(count, 7)) == load_tail(literal, first, min(count, 7)) and (
            count <= 7 or equal_bytes(data, position, literal, first, count)
        ):
            return position + count
        position += 1
    return -1


@device
def _find(data, position, stop, tokens, first, last):
    """The end of the first match of tokens[first:last] from ``position`` on, or -1."""
    # A match from within a character would also be one from its start, which is tried first.
    while position <= stop:
        end = _match_forward(data, position, stop, tokens, first, last)
        if end >= 0:
            return end
        position += 1
    return -1


@kernel(
    IN_I64, IN_U8, IN_U8, IN_I32, IN_I64, IN_U8, IN_U8, IN_U64, IN_U64, BOOL, BOOL, OUT_U8
)  # fmt: skip
def _like(offsets, data, valid, tokens, ends, literal, plain, heads, masks, from_start, to_end, out):
    segments = len(ends) - 1
    for i in range(len(out)):
        out[i] = 0
        if valid.size != 0 and valid[i] == 0:
            continue
        position, stop = offsets[i], offsets[i + 1]
        first, last = 0, segments
        if from_start:
            position = _match_forward(data, position, stop, tokens, ends[0], ends[1])
            if position < 0:
                continue
            first = 1
            if to_end and segments == 1:
                out[i] = position == stop
                continue
        if to_end:
            last = segments - 1
            stop = _match_backward(data, position, stop, tokens, ends[last], ends[segments])
            if stop < 0:
                continue
        found = True
        for s in range(first, last):
            if plain[s]:
                position = _find_plain(
                    data, position, stop, literal, ends[s], ends[s + 1], heads[s], masks[s]
                )
            else:
                position = _find(data, position, stop, tokens, ends[s], ends[s + 1])
            if position < 0:
                found = False
                break
        out[i] = found
