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
