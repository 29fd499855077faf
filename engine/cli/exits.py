"""Exit codes, and how a command ends whatever happens to its output."""

from __future__ import annotations

import sys
from collections.abc import Callable

from .streams import drop_output, tell

EXIT_OK, EXIT_ERROR, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130


def guarded(command: Callable[[], int]) -> int:
    """The exit code of `command`, which writes to standard output: Ctrl-C and an output that cannot be
    written end it with a code of their own.
    """
    try:
        code = command()
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        tell("Interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away (| head): nothing is wrong.
        drop_output()
        return EXIT_OK
    except OSError as error:
        drop_output()
        tell(f"IO Error: cannot write the output: {error.strerror}")
        return EXIT_ERROR
