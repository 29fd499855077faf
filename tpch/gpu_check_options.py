"""The options of a GPU check, by Python's own library alone: they are shown before anything is installed."""

import argparse
import os
import sys
from pathlib import Path


def options_parser() -> argparse.ArgumentParser:
    """The command line of docs/gpu_check.sh, but for --pack and --join."""
    parser = argparse.ArgumentParser(
        prog="docs/gpu_check.sh", description="Check this machine's GPU and write a dated report."
    )
    parser.add_argument("--output", type=Path, default=Path("gpu_check"), metavar="DIR", help="(gpu_check)")
    parser.add_argument("--budget", type=float, default=540.0, metavar="S", help="seconds for all (540)")
    parser.add_argument("--scales", default="1,10", help="of TPC-H, in this order (1,10)")
    parser.add_argument("--runs", type=int, default=2, help="counted runs of a query (2)")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="of each engine (all cores)")
    parser.add_argument(
        "--lakes", type=Path, default=Path("lake"), metavar="DIR", help="generated files (lake)"
    )
    parser.add_argument("--tests", default="sql_tests", help="what pytest is given, with spaces between")
    parser.add_argument("--copy-bytes", type=int, default=1 << 30, help="of a measured copy (1 GiB)")
    parser.add_argument(
        "--rehearsal",
        type=Path,
        metavar="DIR",
        help="put this folder first on the module path of every step: its doubles stand in for a GPU",
    )
    return parser


if __name__ == "__main__":
    options_parser().parse_args()
    sys.exit("this file shows the options: docs/gpu_check.sh goes by them")
