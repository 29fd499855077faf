"""`tandemdb gpu-report FILES... --lake DIR`: what of SQL files a GPU would not run, and why."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence

from ...physical.profiles import PROFILES
from ...planner import messages_files as messages
from ...planner.errors import Error
from ..report.html import report_html
from ..report.json_form import report_json
from ..report.model import Failure, Report
from ..report.scripts import failure, report
from ..report.text import report_text
from ..report.words import totals
from ..scripts import read_script, scripts_in, why_unreadable
from .exits import EXIT_ERROR, EXIT_OK, EXIT_USAGE
from .streams import ESCAPES, drawn, read_input, tell

FORMATS: dict[str, Callable[[Report], str]] = {"text": report_text, "json": report_json, "html": report_html}

_PROFILES = [name for name, profile in PROFILES.items() if profile.has_gpu]

_ABOUT = """\
Plan every statement of SQL files for a machine with a GPU, and say what would not run on the GPU, and why.

No GPU is needed, and nothing is run: neither queries nor anything that writes. The files are read in the
order given (those of a folder, which are the *.sql files in it and below it, in the order of their names)
as `tandemdb -f` would read them one after another, in one session:
- CREATE VIEW and DROP change what later statements see, in later files too;
- CREATE TABLE AS and INSERT are planned, and their table then has the estimated number of rows;
- SET changes how later statements are placed (device, ...), except gpu_profile: that is the report's;
- EXPLAIN counts as the query that it explains; SHOW and DESCRIBE do nothing;
- a statement that is wrong is listed with its error, and the rest goes on.

Sizes come from the lake's Parquet files, times from the hardware profile: they are estimates, not
measurements.
"""
_CODES = "Exit code: 0 when every statement could be planned, 1 when one failed, 2 for wrong usage."


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    result = argparse.ArgumentParser(
        prog="tandemdb gpu-report",
        description=_ABOUT,
        epilog=_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    result.add_argument(
        "files", nargs="+", metavar="FILE", help="SQL files and folders of them (- is standard input)"
    )
    result.add_argument(
        "--lake", metavar="DIR", help="every Parquet file or folder of Parquet files in DIR is a table"
    )
    result.add_argument(
        "--gpu-profile",
        default="h200",
        metavar="NAME",
        help=f"the machine to plan for, as in SET gpu_profile: {', '.join(_PROFILES)} (default: h200)",
    )
    result.add_argument(
        "--format", choices=sorted(FORMATS), help="default: by the ending of the output file, else text"
    )
    result.add_argument(
        "--output", "-o", metavar="FILE", help="write the report to FILE instead of standard output"
    )
    return result


def main(arguments: Sequence[str]) -> int:
    """Runs the command; returns the exit code."""
    chosen = parser().parse_args(arguments)
    try:
        found = report(_texts(chosen.files), chosen.gpu_profile, chosen.lake)
    except Error as error:
        tell(error)
        return EXIT_USAGE
    code = EXIT_ERROR if found.failures else EXIT_OK
    text = FORMATS[chosen.format or _by_ending(chosen.output)](found)
    if chosen.output is None:
        sys.stdout.write(drawn(text, sys.stdout))
        return code
    try:
        with open(chosen.output, "w", encoding="utf-8", newline="\n", errors=ESCAPES) as file:
            file.write(text)
    except OSError as error:
        tell(f"IO Error: cannot write '{chosen.output}': {error.strerror}")
        return EXIT_ERROR
    tell(f"{chosen.output}: {totals(found)}")
    return code


def _by_ending(output: str | None) -> str:
    ending = os.path.splitext(output or "")[1].lower()
    return {".html": "html", ".htm": "html", ".json": "json"}.get(ending, "text")


def _texts(paths: Sequence[str]) -> Iterator[tuple[str, str | Failure]]:
    """Every script by its name, with its text or why it cannot be read."""
    for path in paths:
        if path == "-":
            yield "<stdin>", _text(path)
        elif os.path.isdir(path):
            inside = list(scripts_in(path))
            yield from ((name, _text(name)) for name in inside)
            if not inside:
                yield path, failure(messages.empty_folder(path, ".sql"), "")
        else:
            yield path, _text(path)


def _text(path: str) -> str | Failure:
    try:
        return read_input() if path == "-" else read_script(path)
    except (OSError, ValueError) as error:
        shown = "<stdin>" if path == "-" else path
        return failure(messages.unreadable(shown, why_unreadable(error)), "")
