"""`tandemdb calibrate`: measures this machine and stores its hardware profile."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from ...physical.profile_json import profile_to_json
from ...planner.errors import Error
from ..calibrate import calibrate, stated
from ..profile_files import local_path, store_local
from .exits import EXIT_ERROR, EXIT_OK
from .streams import tell


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    result = argparse.ArgumentParser(
        prog="tandemdb calibrate",
        description="Measures this machine by small queries and stores its hardware profile, by which "
        "operators are then placed here; SET gpu_profile = 'local' names it.",
        epilog=f"The profile is stored in {local_path()}; without that file, built-in assumptions are used.",
    )
    result.add_argument(
        "--rows", type=_rows, default=1_000_000, metavar="N", help="rows to measure with (default: 1000000)"
    )
    result.add_argument(
        "--print", dest="only_print", action="store_true", help="print the profile as JSON and store nothing"
    )
    return result


def _rows(text: str) -> int:
    rows = int(text)
    if not 10_000 <= rows <= 100_000_000:
        raise argparse.ArgumentTypeError("10000 to 100000000 rows are expected")
    return rows


def main(arguments: Sequence[str]) -> int:
    """Runs the command; returns the exit code."""
    chosen = parser().parse_args(arguments)
    try:
        profile = calibrate(chosen.rows, tell)
    except Error as error:
        tell(error)
        return EXIT_ERROR
    if chosen.only_print:
        print(json.dumps(profile_to_json(profile), indent=2))
        return EXIT_OK
    try:
        path = store_local(profile)
    except OSError as error:
        tell(f"IO Error: cannot store the profile in '{local_path()}': {error.strerror}")
        return EXIT_ERROR
    print("\n".join([*stated(profile), f"stored in {path}"]))
    return EXIT_OK
