"""What is refused while binding expressions: kind of error, words, place."""

from __future__ import annotations

import pytest
from oracle.bound_types import bind_text
from tandemdb.planner.errors import SqlError


def refusal(text: str, **options: object) -> SqlError:
    with pytest.raises(SqlError) as caught:
        bind_text(text, **options)  # type: ignore[arg-type]
    return caught.value


@pytest.mark.parametrize(
    ("text", "code", "token"),
    [
        ("qq + 1", "unknown_column", "qq"),
        ("t.qq", "unknown_column", "t.qq"),
        ("subsrt(s, 1)", "unknown_function", "subsrt"),
        ("s + 1", "no_matching_function", "s + 1"),
        ("'x' + 'y'", "ambiguous_function", "'x' + 'y'"),
        ("year('2020-01-01')", "ambiguous_function", "year('2020-01-01'"),
        ("i in (1, dt)", "type_mismatch", "dt"),
        ("case when b then i else s end", "type_mismatch", "i"),
        ("coalesce(i, s)", "type_mismatch", "s"),
        ("s < i", "type_mismatch", "s < i"),
        ("i = 1 = 2", "syntax", "i = 1 = 2"),
        ("dt or b", "wants_boolean", "dt"),
        ("dt::int", "bad_cast", "dt"),
        ("i::decimal(50, 2)", "bad_decimal", "decimal(50, 2)"),
        ("sum(sum(i))", "nested_aggregate", "sum"),
        ("count(distinct *)", "bad_argument", "count"),
        ("sum(distinct i order by l)", "bad_argument", "sum"),
        ("abs(distinct i)", "not_an_aggregate", "abs"),
        ("abs(i) filter (where b)", "not_an_aggregate", "abs"),
        ("string_agg(s, s)", "constant_argument", "s"),
        ("quantile_cont(i, 2)", "bad_argument", "2"),
        ("round(q, i)", "constant_argument", "round(q, i"),
        ("regexp_replace(s, 'a', 'b', s)", "constant_argument", "s"),
        ("interval 1", "bad_cast", "interval 1"),
        ("extract(foo from dt)", "unknown_date_part", "dt"),
        ("date_trunc('foo', dt)", "unknown_date_part", "'foo'"),
        ("date_part('dow', iv)", "bad_argument", "date_part('dow', iv"),
        ("w * 1::decimal(38, 38)", "decimal_scale", "w * 1"),
        ("(i, l) = (1, 2, 3)", "row_size", "i, l) = (1, 2, 3"),
        ("(select 1, 2)", "subquery_columns", "1, 2"),
        ("i in (select 1, 2)", "subquery_columns", "1, 2"),
        ("(i, l) in (select 1)", "subquery_columns", "1"),
        ("s in (select i)", "type_mismatch", "s in (select i"),
        ("if(b, 1)", "wrong_argument_count", "if"),
        ("?", "missing_parameter", "?"),
        ("$3", "missing_parameter", "$3"),
        ("*", "star_not_allowed", "*"),
        ("sum(*)", "star_not_allowed", "*"),
        # Lists, structs, maps.
        ("list_transform(s, x -> x)", "no_matching_function", "list_transform"),
        ("list_transform([i], lambda x, y, z: x)", "bad_lambda", "x, y, z: x"),
        ("list_transform([i], lambda x: (select x))", "bad_lambda", "x"),
        ("list_transform([i], lambda x: sum(x))", "bad_lambda", "sum(x"),
        ("i[1]", "no_matching_function", "i[1"),
        ("[1, b, s]", "type_mismatch", "s"),
        ("{'a': i}.b", "unknown_field", "i}.b"),
        ("{'a': i, 'A': 1}", "bad_struct", "i, 'A': 1"),
        ("struct_pack(1)", "bad_struct", "1"),
        ("sum(unnest([1]))", "bad_unnest", "unnest([1"),
        ("unnest(unnest([[1]]))", "bad_unnest", "unnest(unnest([[1"),
        ("unnest(i)", "bad_unnest", "i"),
        ("[1] || 2", "type_mismatch", "1] || 2"),
        ("list_aggregate([1], s)", "constant_argument", "s"),
        ("[1]::INTEGER", "bad_cast", "1"),
        # Known and not built.
        ("first(i order by l) over ()", "unsupported", "first"),
        ("lag(i order by l) over ()", "unsupported", "lag"),
        ("fill(i) over ()", "unsupported_function", "fill"),
        ("s collate nocase", "unsupported", "s"),
        ("i between symmetric 1 and 2", "unsupported", "i between symmetric 1 and 2"),
        ("first(i ignore nulls)", "unsupported", "i"),
        ("abs(x := 1)", "unsupported", "x := 1"),
        ("interval '1-2' year to month", "unsupported", "interval '1-2' year to month"),
        ("count(* exclude (i))", "unsupported", "i"),
    ],
)
def test_errors_name_the_fault_and_its_place(text: str, code: str, token: str) -> None:
    error = refusal(text)
    assert error.code == code
    assert error.span is not None
    sql = f"SELECT {text}"
    assert sql[error.span.start : error.span.end].strip("()") == token.strip("()")


@pytest.mark.parametrize("clause", ["WHERE", "GROUP BY", "JOIN"])
def test_aggregates_where_none_may_stand(clause: str) -> None:
    error = refusal("sum(i) > 1", clause=clause, aggregates=False)
    assert error.code == "aggregate_not_allowed"
    assert clause in error.message
    assert (error.hint is not None) == (clause == "WHERE")


def test_candidates() -> None:
    assert refusal("t.dtt").hint == 'Did you mean "dt"?'
    assert '"substring"' in (refusal("subsrtring(s, 1)").hint or "")


def test_signatures_are_shown() -> None:
    hint = refusal("substring(i, 1)").hint or ""
    assert "substring(VARCHAR, BIGINT, BIGINT)" in hint


def test_bad_parameter_types() -> None:
    error = refusal("?", parameters=[object()])
    assert error.code == "bad_parameter"
    assert "object" in error.message


def test_named_parameters_must_be_given() -> None:
    error = refusal("$b", parameters={"a": 1})
    assert error.code == "missing_parameter"
    assert "$b" in error.message
