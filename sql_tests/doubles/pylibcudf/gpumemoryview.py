"""A piece of device memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


class gpumemoryview:
    """Memory of an object with `__cuda_array_interface__`; the double reads that of its own objects only."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, data: Any) -> None:
        if not hasattr(data, "__cuda_array_interface__"):
            raise ValueError(
                "gpumemoryview must be constructed from an object supporting the CUDA array interface"
            )
        self.obj = data
        self.cai = dict(data.__cuda_array_interface__)
        self.ptr: int = self.cai["data"][0]
        self.nbytes = int(np.prod(self.cai["shape"])) * int(self.cai["typestr"][2:])

    @property
    def _bytes(self) -> np.ndarray:
        return self.obj._bytes

    @property
    def __cuda_array_interface__(self) -> Mapping[str, Any]:
        return self.cai

    @property
    def size(self) -> int:
        return self.nbytes

    def __len__(self) -> int:
        return self.cai["shape"][0]

    def byte_slice(self, s: slice) -> gpumemoryview:
        """The bytes from `s.start` to `s.stop`."""
        if not isinstance(s, slice):
            raise TypeError(f"byte_slice requires a slice, not {type(s).__name__}")
        start, stop, step = s.indices(self.nbytes)
        if step != 1:
            raise ValueError("byte_slice only supports step=1 slices")
        return gpumemoryview(_Part(self, start, max(stop - start, 0)))


class _Part:
    """Some bytes of a view, which it keeps alive."""

    def __init__(self, whole: gpumemoryview, start: int, count: int) -> None:
        self._whole, self._start, self._count = whole, start, count

    @property
    def _bytes(self) -> np.ndarray:
        return self._whole._bytes[self._start : self._start + self._count]

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "data": (self._whole.ptr + self._start, False),
            "shape": (self._count,),
            "strides": None,
            "typestr": "|u1",
            "version": 3,
        }
