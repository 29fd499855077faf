"""How patterns match."""

from __future__ import annotations

from enum import IntFlag


class RegexFlags(IntFlag):
    DEFAULT = 0
    IGNORECASE = 2
    MULTILINE = 8
    DOTALL = 16
