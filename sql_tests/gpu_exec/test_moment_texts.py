"""Random texts become the same dates and timestamps on both devices, or none on both."""

from __future__ import annotations

import random
from typing import Any

import pytest
import tandemdb

PARTS = (
    "2000-01-02", "1-2-3", "0000-01-01", "-5-1-1", "123456789-1-1", "1/2/3", "2000/01\\02",
    " ", "  ", "\t", "\n", "T", " (BC)", "\t(bc)", "(BC)",
    "10", "10:", "10:11", "9:8:7", "10:11:", "10:11:12.", "10:11:12.123456789", "25:00", "24:00:00",
    "000000010:11", "1234567890:1", "5", ":", ".",
    "Z", "z", "+05", "+5", "-0530", "-05:30", "+05:30:10", " Europe/Paris", " Nowhere", " _x:1", " PM", "PM",
    "infinity", " -inf", "epoch", "é",
)  # fmt: skip
STARTS = ("2000-01-02", "2000-1-2 ", "1999-12-31T", " 2000-01-02", "")
COUNT = 1500


def texts() -> list[str]:
    chosen = random.Random(7)
    made = {
        chosen.choice(STARTS) + "".join(chosen.choice(PARTS) for _ in range(chosen.randint(0, 3)))
        for _ in range(COUNT)
    }
    return sorted(made)


@pytest.mark.parametrize("kind", ["DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"])
def test_random_texts(double: Any, kind: str) -> None:
    del double
    with tandemdb.connect(config={"threads": 1, "on_fallback": "error", "device": "cpu"}) as con:
        con.execute("CREATE TABLE m AS SELECT CAST(NULL AS VARCHAR) AS s")
        rows = ", ".join(f"('{text}')" for text in texts())
        con.execute(f"INSERT INTO m VALUES {rows}")
        found = []
        for device in ("cpu", "gpu"):
            con.execute(f"SET device = '{device}'")
            found.append(con.execute(f"SELECT s, TRY_CAST(s AS {kind}) AS v FROM m").fetch_arrow_table())
        assert found[0].equals(found[1])
        made = found[0].num_rows - found[0].column("v").null_count
        assert made > COUNT // 50
