"""From syntax trees to bound, typed logical plans."""

from .statement import bind

__all__ = ["bind"]
