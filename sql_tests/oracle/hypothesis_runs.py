"""How tests draw their generated queries: the seeds come from Hypothesis, under a fixed seed of their own."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from oracle.choices import Choices


def many(number: int, count: int) -> Callable[[Callable[[Choices], None]], Callable[[], None]]:
    """Run a test on the choices of `count` seeds, which Hypothesis draws from the fixed seed `number`.

    Hypothesis does not shrink here: `reproduce.smallest` cuts queries and rows down further and in less time.
    """

    def decorate(test: Callable[[Choices], None]) -> Callable[[], None]:
        quiet = settings(
            max_examples=count,
            phases=(Phase.generate,),
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )

        def drawn(source: Random) -> None:
            test(Choices(source))

        return seed(number)(quiet(given(st.randoms(use_true_random=True))(drawn)))

    return decorate
