"""Values that a setting does not take: the message shows the value as SQL writes it, and nothing changes."""

import pytest
import tandemdb


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("NULL", "NULL"),
        ("1.5", "1.5"),
        ("-1", "-1"),
        ("true", "TRUE"),
        ("'it''s'", "'it''s'"),
        ("DATE '2020-01-01'", "DATE '2020-01-01'"),
        ("1e300", "1e+300"),
    ],
)
def test_a_bad_value_is_shown_as_sql_writes_it(value: str, shown: str) -> None:
    with tandemdb.connect() as con:
        before = con.session.settings["threads"]
        with pytest.raises(tandemdb.Error) as caught:
            con.execute(f"SET threads = {value}")
        assert str(caught.value).startswith(
            f'Settings Error: "threads" cannot be set to {shown}: a whole number from 1 to 256 is expected'
        )
        assert con.session.settings["threads"] == before


@pytest.mark.parametrize("size", ["9" * 400 + "GB", "8589934592GiB"])
def test_a_size_beyond_64_bits_is_all_that_they_hold(size: str) -> None:
    with tandemdb.connect() as con:
        con.execute(f"SET memory_limit = '{size}'")
        assert con.session.settings["memory_limit"] == 2**63 - 1
        assert con.execute("SELECT current_date > DATE '2020-01-01'").fetchall() == [(True,)]


@pytest.mark.parametrize("config", [5, {1: 2}, "threads", [("threads", 2)]])
def test_config_has_settings_by_name(config: object) -> None:
    with pytest.raises(tandemdb.ProgrammingError, match="config must have values by the names of settings"):
        tandemdb.connect(config=config)
