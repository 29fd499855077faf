"""Streams handed out in turn."""

from __future__ import annotations

import itertools

from .stream import CudaStreamFlags, Stream


class CudaStreamPool:
    """A number of streams; more askers than streams share them."""

    def __init__(self, pool_size: int = 16, flags: CudaStreamFlags = CudaStreamFlags.SYNC_DEFAULT) -> None:
        if not isinstance(pool_size, int) or pool_size < 1:
            raise ValueError("Pool size must be greater than zero")
        self._streams = [Stream(flags=flags) for _ in range(pool_size)]
        self._turns = itertools.count()

    def get_pool_size(self) -> int:
        return len(self._streams)

    def get_stream(self, stream_id: int | None = None) -> Stream:
        return self._streams[(next(self._turns) if stream_id is None else stream_id) % len(self._streams)]
