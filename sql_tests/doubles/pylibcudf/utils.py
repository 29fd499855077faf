"""What calls take as a stream."""

from __future__ import annotations

from typing import Any, Protocol

from ..rmm.pylibrmm.stream import DEFAULT_STREAM, Stream


class HasCudaStream(Protocol):
    def __cuda_stream__(self) -> tuple[int, int]: ...


CudaStreamLike = Any
CUDF_DEFAULT_STREAM = DEFAULT_STREAM


def _get_stream(stream: CudaStreamLike | None = None) -> Stream:
    if stream is None:
        return CUDF_DEFAULT_STREAM
    return stream if isinstance(stream, Stream) else Stream(stream)
