"""What operators cost, relative to each other, in units of a row that passes by.

Plans are compared with these numbers: by join ordering over estimated rows, by placement over rows, bytes and
device rates. The output term is the classic C_out (Cluet and Moerkotte, ICDT 1995); build and probe stand for
the hash join.
"""

from __future__ import annotations

# A row put into a hash table costs more than a row looked up in it.
BUILD = 2.0
PROBE = 1.0
OUTPUT = 1.0
# A pair of rows compared by a nested-loop join: vectorised, without a table.
PAIR = 0.02
# A join that keeps one side's rows as they are (SEMI, ANTI, LEFT) collects matches when that side is the hash
# table.
SWAPPED = 0.5


def hash_join_cost(left: float, right: float, output: float) -> float:
    """Cost of a hash join of two inputs of so many rows, the smaller one built.

    >>> hash_join_cost(1000, 10, 500)
    1520.0
    """
    large, small = (left, right) if left >= right else (right, left)
    return PROBE * large + BUILD * small + OUTPUT * output


def nested_loop_cost(left: float, right: float, output: float) -> float:
    """Cost of a join without an equality: every pair is looked at."""
    return left + right + PAIR * left * right + OUTPUT * output


def join_cost(left: float, right: float, output: float, *, hashed: bool) -> float:
    """Cost of a join by the algorithm it can use."""
    return hash_join_cost(left, right, output) if hashed else nested_loop_cost(left, right, output)
