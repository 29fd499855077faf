"""Collected only where the real pylibcudf is installed: `make conformance` with the gpu extra."""

from __future__ import annotations

import importlib.util
import os

# The real library is imported without touching a device.
os.environ.setdefault("RAPIDS_NO_INITIALIZE", "1")

collect_ignore = (
    [] if importlib.util.find_spec("pylibcudf") else ["test_calls.py", "test_names.py", "test_types.py"]
)
