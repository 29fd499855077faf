"""The table of sub-commands: `tandemdb NAME ...`.

A name counts as a command where it is the very first argument, so that options and files of that name keep
their meaning (`tandemdb -f gpu-report`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


def _gpu_report(arguments: Sequence[str]) -> int:
    from .gpu_report import main

    return main(arguments)


def _calibrate(arguments: Sequence[str]) -> int:
    from .calibrate import main

    return main(arguments)


@dataclass(frozen=True)
class Command:
    """A sub-command: one line of help, and what runs it, given the arguments after its name; that returns the
    exit code and imports what it needs when it is called.
    """

    help: str
    run: Callable[[Sequence[str]], int]


COMMANDS: dict[str, Command] = {
    "calibrate": Command("measure this machine and store its hardware profile", _calibrate),
    "gpu-report": Command("say what of SQL files a GPU would not run, and why", _gpu_report),
}


def listed() -> str:
    """The commands for the end of `tandemdb --help`."""
    width = max(map(len, COMMANDS)) + 2
    lines = [f"  {name:<{width}}{command.help}" for name, command in sorted(COMMANDS.items())]
    return "\n".join(["commands (as the first argument; each has its own --help):", *lines])
