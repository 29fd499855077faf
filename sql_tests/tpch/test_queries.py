"""The query texts and their literals."""

import pytest
from tandemdb.tpch import parameters, texts


@pytest.mark.parametrize("query", texts.QUERIES)
def test_validation_literals_give_the_file_itself(query: int) -> None:
    assert texts.render(query, parameters.validation(query)) == texts.load(query)


@pytest.mark.parametrize("query", texts.QUERIES)
def test_literals_are_the_same_for_the_same_seed_and_vary_with_the_run(query: int) -> None:
    drawn = [texts.render(query, parameters.draw(query, seed=5, run=run)) for run in range(40)]
    again = [texts.render(query, parameters.draw(query, seed=5, run=run)) for run in range(40)]
    other = [texts.render(query, parameters.draw(query, seed=6, run=run)) for run in range(40)]
    assert drawn == again
    assert drawn != other
    # Q18 has four quantities to choose from, the fewest of all.
    assert len(set(drawn)) >= 4


def test_literals_do_not_depend_on_the_python_process() -> None:
    """The values themselves, so that a change of the generator shows."""
    assert parameters.draw(1, seed=1, run=0) == {"delta": "107"}
    assert parameters.draw(4, seed=1, run=0) == {"date": "1994-12-01"}


def test_literals_stay_in_the_ranges_of_the_specification() -> None:
    for run in range(60):
        drawn = {query: parameters.draw(query, seed=3, run=run) for query in texts.QUERIES}
        assert 60 <= int(drawn[1]["delta"]) <= 120
        assert 1 <= int(drawn[2]["size"]) <= 50
        assert "1995-03-01" <= drawn[3]["date"] <= "1995-03-31"
        assert "1993-01-01" <= drawn[4]["date"] <= "1997-10-01"
        assert "0.02" <= drawn[6]["discount"] <= "0.09"
        assert drawn[7]["nation1"] != drawn[7]["nation2"]
        assert "1993-02-01" <= drawn[10]["date"] <= "1995-01-01"
        assert drawn[12]["mode1"] != drawn[12]["mode2"]
        assert "1993-01-01" <= drawn[14]["date"] <= "1997-12-01"
        assert len(set(drawn[16]["sizes"].split(", "))) == 8
        assert 312 <= int(drawn[18]["quantity"]) <= 315
        assert len(set(drawn[22]["codes"].split(", "))) == 7


def test_the_fraction_of_q11_follows_the_scale() -> None:
    assert "* 0.00001\n" in texts.render(11, parameters.draw(11, seed=1, run=0, scale=10))
    assert "* 0.01\n" in texts.render(11, parameters.validation(11, scale=0.01))


def test_new_literals_are_not_taken_for_old_ones() -> None:
    """With nations swapped, a replacement after the other would turn both into one."""
    swapped = texts.render(7, {"nation1": "GERMANY", "nation2": "FRANCE"})
    assert "(n1.n_name = 'GERMANY' and n2.n_name = 'FRANCE')" in swapped
    assert "(n1.n_name = 'FRANCE' and n2.n_name = 'GERMANY')" in swapped


def test_the_order_of_every_query_is_read_from_its_end() -> None:
    unordered = {query for query in texts.QUERIES if not texts.ordering(texts.load(query))[0]}
    limits = {query: texts.ordering(texts.load(query))[1] for query in texts.QUERIES}
    assert unordered == {6, 14, 17, 19}
    assert {query: limit for query, limit in limits.items() if limit} == {
        2: 100,
        3: 10,
        10: 20,
        18: 100,
        21: 100,
    }


@pytest.mark.parametrize("text", ["0", "23", "one", "1,", "5-3", ""])
def test_a_wrong_selection_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="query"):
        texts.parse_selection(text)
