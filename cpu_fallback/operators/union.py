"""Union: the rows of each arm in turn; the same on both devices."""

from __future__ import annotations

from ...physical.operators import Union
from ...physical.pipeline import UnionSource
from .registry import implements

implements(UnionSource)(Union)
