"""The command line: `tandemdb [DATABASE] [-c SQL | -f FILE ...] [--lake DIR] ...`, `tandemdb COMMAND ...`."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from typing import TextIO, cast

from ...planner.errors import Error, GpuWarning
from ..connection import Connection, connect
from .batch import run_files, run_texts, tell_messages
from .binary_formats import BINARY_FORMATS, ENDINGS, BinaryOutput
from .commands import COMMANDS, listed
from .exits import EXIT_ERROR, EXIT_OK, EXIT_USAGE, guarded
from .formats import FORMATS, write_plain, write_table
from .streams import as_utf8, prepare, tell


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    from ... import __version__

    result = argparse.ArgumentParser(
        prog="tandemdb",
        description="SQL over Parquet lakes, on CPU and GPU in tandem.",
        epilog=listed(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    result.add_argument("database", nargs="?", default=":memory:", help="only :memory: today (the default)")
    source = result.add_mutually_exclusive_group()
    source.add_argument(
        "-c", dest="sql", metavar="SQL", action="append", help="run SQL and exit (repeatable)"
    )
    source.add_argument(
        "-f",
        dest="files",
        metavar="FILE",
        action="append",
        help="run a SQL file and exit (repeatable; - is standard input)",
    )
    result.add_argument(
        "--lake", metavar="DIR", help="every Parquet file or folder of Parquet files in DIR is a table"
    )
    result.add_argument(
        "--format",
        choices=sorted((*FORMATS, *BINARY_FORMATS)),
        help="output format (default: by the ending of -o, else table on a terminal, else csv)",
    )
    result.add_argument(
        "-o", dest="output", metavar="FILE", help="write results to FILE instead of standard output"
    )
    result.add_argument("--device", choices=("auto", "cpu", "gpu"), help="where operators are placed")
    result.add_argument("--threads", type=int, metavar="N", help="tasks a query runs at once")
    result.add_argument(
        "--memory-limit", metavar="SIZE", help="memory that queries and tables may hold, e.g. 8GB"
    )
    result.add_argument(
        "--on-error",
        choices=("stop", "continue"),
        default="stop",
        help="after a failed statement of a batch (default: stop)",
    )
    result.add_argument("--version", action="version", version=f"tandemdb {__version__}")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit code."""
    prepare()
    given = sys.argv[1:] if argv is None else list(argv)
    if given and given[0] in COMMANDS:
        return guarded(lambda: COMMANDS[given[0]].run(given[1:]))
    arguments = _parsed(given)
    with warnings.catch_warnings():
        # Written to standard error by us, without Python's line of source.
        warnings.simplefilter("ignore", GpuWarning)
        return _main(arguments)


def _parsed(given: Sequence[str]) -> argparse.Namespace:
    """The options; exits with usage where they are wrong."""
    own = parser()
    arguments, unknown = own.parse_known_args(given)
    name = arguments.database
    if name in COMMANDS:
        own.error(f"the command {name} comes first: tandemdb {name} ... (a database of that name: ./{name})")
    if unknown:
        own.error(f"unrecognized arguments: {' '.join(unknown)}")
    return arguments


def _main(arguments: argparse.Namespace) -> int:
    config = {
        name: value
        for name, value in (
            ("device", arguments.device),
            ("threads", arguments.threads),
            ("memory_limit", arguments.memory_limit),
        )
        if value is not None
    }
    try:
        connection = connect(arguments.database, lake=arguments.lake, config=config)
    except Error as error:
        tell(error)
        return EXIT_USAGE
    tell_messages(connection.messages)

    def run() -> int:
        with connection:
            return _run(connection, arguments)

    return guarded(run)


def _run(connection: Connection, arguments: argparse.Namespace) -> int:
    if arguments.format is None and arguments.output is not None:
        arguments.format = ENDINGS.get(os.path.splitext(arguments.output)[1].lower())
    if arguments.format in BINARY_FORMATS:
        if arguments.output is None and sys.stdout.isatty():
            tell(f"--format {arguments.format} writes no text: give a file with -o")
            return EXIT_USAGE
        if arguments.sql is None and arguments.files is None and sys.stdin is not None and sys.stdin.isatty():
            tell(f"--format {arguments.format} takes one result: give SQL with -c or -f")
            return EXIT_USAGE
        return _run_to(connection, arguments, cast("TextIO", BinaryOutput(arguments.output)))
    if arguments.output is None:
        return _run_to(connection, arguments, sys.stdout)
    try:
        with open(arguments.output, "w", encoding="utf-8", newline="") as file:
            return _run_to(connection, arguments, file)
    except OSError as error:
        tell(f"IO Error: cannot write '{arguments.output}': {error.strerror}")
        return EXIT_ERROR


def _run_to(connection: Connection, arguments: argparse.Namespace, out: TextIO) -> int:
    default = write_table if out.isatty() else write_plain
    form = default if arguments.format is None else {**FORMATS, **BINARY_FORMATS}[arguments.format]
    if arguments.sql is not None:
        texts = [as_utf8(text) for text in arguments.sql]
        return EXIT_OK if run_texts(connection, texts, form, out, arguments.on_error) else EXIT_ERROR
    if arguments.files is not None:
        return (
            EXIT_OK if run_files(connection, arguments.files, form, out, arguments.on_error) else EXIT_ERROR
        )
    if sys.stdin is None or not sys.stdin.isatty():
        return EXIT_OK if run_files(connection, ["-"], form, out, arguments.on_error) else EXIT_ERROR
    from .shell import Shell

    return Shell(connection, form, out).run()


if __name__ == "__main__":
    sys.exit(main())
