"""Locks of the whole process and `os.fork`, after which only the thread that forked goes on."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

L = TypeVar("L")


def kept_over_forks(lock: L) -> L:
    """The lock itself, a module's own and re-entrant, which a fork now waits for: no thread that ends with
    the fork holds it for ever in the child, or leaves half done what it protects.

    Of locks that are held together, the outer one comes later: a fork takes the last one first.
    """
    kept: Any = lock
    if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
        os.register_at_fork(before=kept.acquire, after_in_parent=kept.release, after_in_child=kept.release)
    return lock


def in_forked_children(renew: Callable[[], None]) -> None:
    """Calls `renew` in every process that is forked from this one, before it goes on."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=renew)
