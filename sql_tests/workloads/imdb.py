"""The 21 tables of the Join Order Benchmark, made up: its schema and keys, our own films and people.

Popular films have more of everything, so that joins of many of their tables find rows; a few people,
companies and keywords are met far more often than the others.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from workloads.draw import Draw, int32, joined, none, pick
from workloads.imdb_words import (
    CHARACTERS,
    COUNTRIES,
    COUNTRY_WEIGHTS,
    COVERAGES,
    FACTS,
    FILM_FACTS,
    FIRM_ENDS,
    FIRM_KINDS,
    FIRM_NOTES,
    FIRMS,
    GENRES,
    GIVEN,
    JOBS,
    KINDS,
    LANDS,
    LINKS,
    MEDIA,
    MONTHS,
    PART_NOTES,
    PRODUCER_NOTES,
    SCORES,
    SURNAMES,
    TERRITORIES,
    TITLES,
    WORDS,
    WRITER_NOTES,
)

Tables = dict[str, pa.Table]


def write(folder: Path, films: int, seed: int = 1) -> dict[str, Path]:
    """Write all tables as Parquet files, and return these; the real database has 2.5 million films."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for name, table in tables(films, seed).items():
        files[name] = folder / f"{name}.parquet"
        pq.write_table(table, files[name], row_group_size=max(1000, films * 2))
    return files


def tables(films: int, seed: int = 1) -> Tables:
    """All tables for that many films; ids start at 1."""
    draw = Draw(seed)
    people = films + films // 2
    firms = max(films // 10, 60)
    words = max(films // 20, 2 * len(WORDS))
    popular = draw.popularity(films)
    year = _years(draw, popular)
    return {
        **_kinds(),
        "title": _titles(draw, films, year),
        "aka_title": _other_titles(draw, draw.repeats(popular, 0.3, 6)),
        "keyword": _keywords(draw, words),
        "movie_keyword": _film_words(draw, draw.repeats(popular, 3.0, 40), words),
        "company_name": _firms(draw, firms),
        "movie_companies": _made_by(draw, draw.repeats(popular, 2.0, 20), firms, year),
        "movie_info": _film_facts(draw, draw.repeats(popular, 6.0, 40), year),
        "movie_info_idx": _film_scores(draw, draw.repeats(popular, 1.5, 8)),
        "movie_link": _links(draw, draw.repeats(popular, 0.15, 4), films),
        "complete_cast": _coverage(draw, draw.repeats(popular, 0.3, 4)),
        "name": _people(draw, people),
        "aka_name": _other_names(draw, draw.repeats(draw.popularity(people), 0.6, 6)),
        "person_info": _traits(draw, draw.repeats(draw.popularity(people), 1.0, 10)),
        "char_name": _characters(draw, films),
        "cast_info": _parts(draw, draw.repeats(popular, 10.0, 80), people, films),
    }


def _kinds() -> Tables:
    named = {
        "kind_type": ("kind", KINDS),
        "company_type": ("kind", FIRM_KINDS),
        "comp_cast_type": ("kind", COVERAGES),
        "info_type": ("info", FACTS),
        "link_type": ("link", LINKS),
        "role_type": ("role", JOBS),
    }
    return {
        table: pa.table({"id": _ids(len(values)), column: pa.array(values)})
        for table, (column, values) in named.items()
    }


def _ids(rows: int) -> pa.Array:
    return pa.array(np.arange(1, rows + 1, dtype=np.int32))


def _years(draw: Draw, popular: np.ndarray) -> np.ndarray:
    """The year of each film; popular ones are more recent."""
    age = draw.rng.gamma(1.5, 14.0, len(popular)) / np.sqrt(popular)
    return np.clip(2018 - age, 1894, 2018).astype(np.int64)


def _titles(draw: Draw, films: int, year: np.ndarray) -> pa.Table:
    return pa.table({"id": _ids(films), **_titled(draw, films, year), "md5sum": draw.digits(films)})


def _titled(draw: Draw, rows: int, year: np.ndarray) -> dict[str, pa.Array]:
    """The columns that title and aka_title share."""
    kind = draw.shares((45, 8, 8, 8, 3, 4, 24), rows)
    episode = pa.array(kind == KINDS.index("episode"))
    number = draw.skewed(120, rows, 2.0)
    word = pick(TITLES, draw.uniform(0, len(TITLES), rows))
    other = pick(TITLES, draw.skewed(len(TITLES), rows, 1.5))
    nothing = none(rows, pa.int32())
    return {
        "title": pc.if_else(
            pa.array(number < 30), joined(word, " ", other), joined(word, " ", other, " ", number)
        ),
        "imdb_index": draw.hidden(pick(("I", "II", "III"), draw.skewed(3, rows)), 0.95),
        "kind_id": int32(kind + 1),
        "production_year": draw.hidden(int32(year), 0.03),
        "imdb_id": nothing,
        "phonetic_code": draw.hidden(draw.codes(rows), 0.1),
        "episode_of_id": pc.if_else(episode, int32(draw.skewed(rows, rows) + 1), nothing),
        "season_nr": pc.if_else(episode, int32(draw.skewed(12, rows) + 1), nothing),
        "episode_nr": pc.if_else(episode, int32(number + 1), nothing),
        "series_years": draw.hidden(joined(year, "-????"), 0.9),
    }


def _other_titles(draw: Draw, film: np.ndarray) -> pa.Table:
    rows = len(film)
    columns = _titled(draw, rows, draw.uniform(1950, 2018, rows))
    del columns["imdb_id"], columns["series_years"]
    note = draw.choice(rows, ("(English title)", "(Deutschland)", None), (3, 2, 5))
    return pa.table(
        {"id": _ids(rows), "movie_id": int32(film + 1), **columns, "note": note, "md5sum": draw.digits(rows)}
    )


def _keywords(draw: Draw, words: int) -> pa.Table:
    rest = [f"{TITLES[i % len(TITLES)].lower()}-{i}" for i in range(words - len(WORDS))]
    return pa.table(
        {
            "id": _ids(words),
            "keyword": pa.array([*WORDS, *rest]),
            "phonetic_code": draw.hidden(draw.codes(words), 0.1),
        }
    )


def _film_words(draw: Draw, film: np.ndarray, words: int) -> pa.Table:
    """Half of them the keywords that have names."""
    rows = len(film)
    named = draw.skewed(len(WORDS), rows, 1.3)
    word = np.where(draw.rng.random(rows) < 0.5, named, draw.skewed(words, rows))
    return pa.table({"id": _ids(rows), "movie_id": int32(film + 1), "keyword_id": int32(word + 1)})


def _firms(draw: Draw, firms: int) -> pa.Table:
    every = [f"{name} {end}" for name in FIRMS for end in FIRM_ENDS]
    place = np.arange(firms)
    name = pick(every, place * 7 % len(every))
    return pa.table(
        {
            "id": _ids(firms),
            "name": pc.if_else(pa.array(place < len(every)), name, joined(name, " ", place)),
            "country_code": draw.choice(firms, COUNTRIES, COUNTRY_WEIGHTS),
            "imdb_id": none(firms, pa.int32()),
            "name_pcode_nf": draw.hidden(draw.codes(firms), 0.1),
            "name_pcode_sf": draw.hidden(draw.codes(firms), 0.2),
            "md5sum": draw.digits(firms),
        }
    )


def _made_by(draw: Draw, film: np.ndarray, firms: int, year: np.ndarray) -> pa.Table:
    rows = len(film)
    released = joined(
        "(", year[film], ") ", draw.choice(rows, TERRITORIES, (5, 3, 3, 2, 2)), " ",
        draw.choice(rows, MEDIA, (4, 3, 2, 3, 2)),
    )  # fmt: skip
    note = pc.if_else(
        pa.array(draw.rng.random(rows) < 0.45), released, draw.choice(rows, FIRM_NOTES, (6, 1, 1, 0.3, 0.5))
    )
    return pa.table(
        {
            "id": _ids(rows),
            "movie_id": int32(film + 1),
            "company_id": int32(draw.skewed(firms, rows, 2.0) + 1),
            "company_type_id": int32(draw.shares((5, 4, 0.5, 0.5), rows) + 1),
            "note": note,
        }
    )


def _film_facts(draw: Draw, film: np.ndarray, year: np.ndarray) -> pa.Table:
    rows = len(film)
    kind = draw.shares((25, 18, 30, 8, 5, 7, 4, 3), rows)
    land = pick(LANDS, draw.skewed(len(LANDS), rows, 2.0))
    day = joined(
        draw.uniform(1, 29, rows), " ", pick(MONTHS, draw.uniform(0, len(MONTHS), rows)), " ", year[film]
    )
    language = ("English", "German", "Swedish", "日本語")
    info = _by_kind(
        kind,
        [
            pick(GENRES, draw.skewed(len(GENRES), rows, 1.3)),
            land,
            joined(land, ":", day),
            pick(language, draw.skewed(len(language), rows)),
            joined("$", draw.uniform(1, 400, rows), ",000,000"),
            joined(draw.uniform(5, 200, rows)),
            draw.choice(rows, ("Color", "Black and White"), (4, 1)),
            joined(pick(TITLES, draw.uniform(0, len(TITLES), rows)), ", ", land),
        ],
    )
    note = draw.choice(rows, (None, "(internet)", "(premiere)", "(internet) (limited)"), (70, 14, 12, 4))
    return pa.table(_information(film, "movie_id", kind, info, note))


def _film_scores(draw: Draw, film: np.ndarray) -> pa.Table:
    rows = len(film)
    kind = draw.shares((40, 35, 12, 8, 5), rows)
    tenths = np.clip(draw.rng.normal(60, 18, rows), 10, 99).astype(np.int64)
    info = _by_kind(
        kind,
        [
            joined(tenths // 10, ".", tenths % 10),
            joined(draw.skewed(400_000, rows, 4.0) + 5),
            pick(("0000012210", "1000000001", "....*31100"), draw.uniform(0, 3, rows)),
            joined(draw.uniform(1, 251, rows)),
            joined(draw.uniform(1, 11, rows)),
        ],
    )
    return pa.table(_information(film, "movie_id", kind + len(FILM_FACTS), info, none(rows, pa.string())))


def _traits(draw: Draw, person: np.ndarray) -> pa.Table:
    rows = len(person)
    kind = draw.shares((3, 3, 2, 2, 1, 1), rows)
    word = pick(TITLES, draw.uniform(0, len(TITLES), rows))
    info = _by_kind(
        kind,
        [
            joined("Was born near a ", word, " and never left it. ", draw.uniform(0, 1 << 30, rows)),
            joined("Owns a ", word),
            joined(draw.uniform(150, 205, rows), " cm"),
            joined(draw.uniform(1, 29, rows), " May ", draw.uniform(1900, 2000, rows)),
            joined("„", word, "“"),
            joined(word, " (", draw.uniform(1930, 2018, rows), " - present)"),
        ],
    )
    note = draw.choice(rows, (None, "Vera Behm", "Anonymous", "Łukasz"), (50, 25, 20, 5))
    return pa.table(_information(person, "person_id", kind + len(FILM_FACTS) + len(SCORES), info, note))


def _by_kind(kind: np.ndarray, texts: list[pa.Array]) -> pa.Array:
    return pc.choose(pa.array(kind), *texts)


def _information(
    of: np.ndarray, key: str, kind: np.ndarray, info: pa.Array, note: pa.Array
) -> dict[str, pa.Array]:
    return {
        "id": _ids(len(of)),
        key: int32(of + 1),
        "info_type_id": int32(kind + 1),
        "info": info,
        "note": note,
    }


def _links(draw: Draw, film: np.ndarray, films: int) -> pa.Table:
    rows = len(film)
    kind = draw.skewed(len(LINKS), rows, 1.4)
    linked = draw.skewed(films, rows, 1.5)
    return pa.table(
        {
            "id": _ids(rows),
            "movie_id": int32(film + 1),
            "linked_movie_id": int32(linked + 1),
            "link_type_id": int32(kind + 1),
        }
    )


def _coverage(draw: Draw, film: np.ndarray) -> pa.Table:
    rows = len(film)
    return pa.table(
        {
            "id": _ids(rows),
            "movie_id": draw.hidden(int32(film + 1), 0.01),
            "subject_id": int32(draw.uniform(0, 2, rows) + 1),
            "status_id": int32(draw.shares((2, 3), rows) + 3),
        }
    )


def _people(draw: Draw, people: int) -> pa.Table:
    return pa.table(
        {
            "id": _ids(people),
            "name": _name(draw, people),
            "imdb_index": draw.hidden(pick(("I", "II", "III", "IV"), draw.skewed(4, people)), 0.9),
            "imdb_id": none(people, pa.int32()),
            "gender": draw.choice(people, ("m", "f", None), (5, 4, 2)),
            **_name_codes(draw, people),
            "md5sum": draw.digits(people),
        }
    )


def _name(draw: Draw, rows: int) -> pa.Array:
    """Names as catalogues write them: surname first."""
    letter = pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ", draw.uniform(0, 26, rows))
    surname = pick(SURNAMES, draw.skewed(len(SURNAMES), rows, 1.2))
    return joined(surname, ", ", pick(GIVEN, draw.skewed(len(GIVEN), rows, 1.2)), " ", letter, ".")


def _name_codes(draw: Draw, rows: int) -> dict[str, pa.Array]:
    return {
        "name_pcode_cf": draw.hidden(draw.codes(rows), 0.02),
        "name_pcode_nf": draw.hidden(draw.codes(rows), 0.1),
        "surname_pcode": draw.hidden(draw.codes(rows), 0.2),
    }


def _other_names(draw: Draw, person: np.ndarray) -> pa.Table:
    rows = len(person)
    return pa.table(
        {
            "id": _ids(rows),
            "person_id": int32(person + 1),
            "name": _name(draw, rows),
            "imdb_index": none(rows, pa.string()),
            **_name_codes(draw, rows),
            "md5sum": draw.digits(rows),
        }
    )


def _characters(draw: Draw, characters: int) -> pa.Table:
    """Those that have names come up again and again under other numbers."""
    place = draw.shares((*(1.0,) * len(CHARACTERS), 24.0), characters)
    name = _name(draw, characters)
    named = pick((*CHARACTERS, None), place)
    return pa.table(
        {
            "id": _ids(characters),
            "name": pc.coalesce(named, name),
            "imdb_index": none(characters, pa.string()),
            "imdb_id": none(characters, pa.int32()),
            "name_pcode_nf": draw.hidden(draw.codes(characters), 0.1),
            "surname_pcode": draw.hidden(draw.codes(characters), 0.3),
            "md5sum": draw.digits(characters),
        }
    )


def _parts(draw: Draw, film: np.ndarray, people: int, characters: int) -> pa.Table:
    rows = len(film)
    job = draw.shares((30, 24, 10, 9, 3, 3, 3, 5, 4, 7, 2, 0), rows)
    acts = pa.array(job < 2)
    plays = draw.hidden(int32(draw.skewed(characters, rows, 2.0) + 1), 0.2)
    note = pc.case_when(
        pc.make_struct(acts, pa.array(job == JOBS.index("producer")), pa.array(job == JOBS.index("writer"))),
        draw.choice(rows, PART_NOTES, (50, 15, 8, 6, 6, 8, 5)),
        draw.choice(rows, PRODUCER_NOTES, (4, 3, 2, 2)),
        draw.choice(rows, WRITER_NOTES, (3, 1, 3, 2, 1, 2)),
        draw.choice(rows, (None, "(producer)", "(uncredited)"), (20, 1, 1)),
    )
    return pa.table(
        {
            "id": _ids(rows),
            "person_id": int32(draw.skewed(people, rows, 1.6) + 1),
            "movie_id": int32(film + 1),
            "person_role_id": pc.if_else(acts, plays, none(rows, pa.int32())),
            "note": note,
            "nr_order": draw.hidden(int32(draw.skewed(60, rows) + 1), 0.6),
            "role_id": int32(job + 1),
        }
    )
