"""TandemDB agrees with itself: the parts of a query make up the whole."""

from __future__ import annotations

import pytest
from oracle.choices import Choices
from oracle.datasets import dataset
from oracle.engines import EngineCrash, EngineError, connect
from oracle.hypothesis_runs import many
from oracle.metamorphic import disagreement, equal_queries

ROUNDS = 40
MOST_RAISING = 0.1


@pytest.mark.parametrize(
    "shard", [0, *(pytest.param(shard, marks=pytest.mark.slow) for shard in range(1, 12))]
)
def test_parts_make_up_the_whole(engine_name: str, shard: int) -> None:
    data = dataset(50 + shard)
    engine = connect(engine_name, data.setup())
    checked, raised = 0, 0

    @many(shard, ROUNDS)
    def check(choices: Choices) -> None:
        nonlocal checked, raised
        for pair in equal_queries(choices, data):
            try:
                found = disagreement(engine, pair)
            except EngineError as error:
                if error.unsupported:
                    pytest.fail(f"{error.message}\n{pair.left};\n{pair.right};", pytrace=False)
                raised += 1
            except EngineCrash as crash:
                pytest.fail(f"{crash}\n{pair.left};\n{pair.right};", pytrace=False)
            else:
                checked += 1
                setup = ";\n".join(data.setup())
                assert found is None, f"{pair.relation}: {found}\n{setup};\n{pair.left};\n{pair.right};"

    check()
    engine.close()
    assert checked >= 3 * ROUNDS
    assert raised <= MOST_RAISING * checked
