"""Discard: drops all rows; the same on both devices."""

from __future__ import annotations

from ...physical.operators import Discard
from ...physical.pipeline import DiscardSink
from .registry import implements

implements(DiscardSink)(Discard)
