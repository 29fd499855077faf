"""The public suite of checks of PEP 249, whole: none of its checks is left out."""

import dbapi20
import tandemdb


class TestCompliance(dbapi20.DatabaseAPI20Test):
    """The two methods below have no general form: a driver's author writes them."""

    driver = tandemdb

    def test_nextset(self) -> None:
        """A script's result is its last statement's: there is no next one."""
        with tandemdb.connect() as connection:
            cursor = connection.cursor().execute("SELECT 1; SELECT 2")
            assert cursor.fetchall() == [(2,)]
            assert cursor.nextset() is None
            assert cursor.execute("SELECT 3").fetchone() == (3,)

    def test_setoutputsize(self) -> None:
        """Sizes are not needed: values come whole whatever was said."""
        with tandemdb.connect() as connection:
            cursor = connection.cursor()
            cursor.setoutputsize(2, 0)
            assert cursor.execute("SELECT 'abcdef'").fetchone() == ("abcdef",)
