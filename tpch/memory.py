"""Peak resident memory of this process, from Linux's /proc or else from getrusage."""

import resource
import sys
from pathlib import Path
from typing import Final

_STATUS: Final = Path("/proc/self/status")
_CLEAR: Final = Path("/proc/self/clear_refs")


def reset_peak() -> bool:
    """Start a new peak at what is resident now; False where the system cannot do that."""
    try:
        _CLEAR.write_text("5")
    except OSError:
        return False
    return True


def peak_bytes() -> int:
    """The most memory resident at once since the last reset, or since the process began.

    VmHWM is read where there is one: getrusage's number is inherited through fork and exec, so that a small
    worker of a large parent would report its parent's peak.
    """
    if _STATUS.exists():
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
