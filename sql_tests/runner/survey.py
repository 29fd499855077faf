"""Runs test files to their end and lists every record that fails, where the tests stop at the first.

    python sql_tests/runner/survey.py sql_tests/slt/joins.slt
    python sql_tests/runner/survey.py --brief sql_tests/slt/*.slt

Runs each file once, under its first configuration. Exit code 1 where a record failed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from oracle.engines import ENGINES
from runner.execute import failures
from runner.records import read


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="List every failing record of .slt files.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--engine", choices=sorted(ENGINES), default="tandemdb")
    parser.add_argument("--brief", action="store_true", help="three lines for each failure")
    options = parser.parse_args(arguments)
    wrong = total = 0
    for path in options.files:
        file = read(path)
        for failure in failures(file, ENGINES[options.engine], file.configs[-1]):
            total += 1
            if failure is not None:
                wrong += 1
                lines = str(failure).splitlines()
                print("\n".join(lines[:3] if options.brief else lines), end="\n\n")
    print(f"{total} records, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
