"""The one table of ClickBench, made up: its 105 columns, our own sites, searches and people."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from workloads.draw import Draw, joined, pick

COLUMNS = """
    WatchID:l JavaEnable:h Title:s GoodEvent:h EventTime:t EventDate:d CounterID:i ClientIP:i RegionID:i
    UserID:l CounterClass:h OS:h UserAgent:h URL:s Referer:s IsRefresh:h RefererCategoryID:h
    RefererRegionID:i URLCategoryID:h URLRegionID:i ResolutionWidth:h ResolutionHeight:h ResolutionDepth:h
    FlashMajor:h FlashMinor:h FlashMinor2:s NetMajor:h NetMinor:h UserAgentMajor:h UserAgentMinor:s
    CookieEnable:h JavascriptEnable:h IsMobile:h MobilePhone:h MobilePhoneModel:s Params:s IPNetworkID:i
    TraficSourceID:h SearchEngineID:h SearchPhrase:s AdvEngineID:h IsArtifical:h WindowClientWidth:h
    WindowClientHeight:h ClientTimeZone:h ClientEventTime:t SilverlightVersion1:h SilverlightVersion2:h
    SilverlightVersion3:i SilverlightVersion4:h PageCharset:s CodeVersion:i IsLink:h IsDownload:h
    IsNotBounce:h FUniqID:l OriginalURL:s HID:i IsOldCounter:h IsEvent:h IsParameter:h DontCountHits:h
    WithHash:h HitColor:s LocalEventTime:t Age:h Sex:h Income:h Interests:h Robotness:h RemoteIP:i
    WindowName:i OpenerName:i HistoryLength:h BrowserLanguage:s BrowserCountry:s SocialNetwork:s
    SocialAction:s HTTPError:h SendTiming:i DNSTiming:i ConnectTiming:i ResponseStartTiming:i
    ResponseEndTiming:i FetchTiming:i SocialSourceNetworkID:h SocialSourcePage:s ParamPrice:l ParamOrderID:s
    ParamCurrency:s ParamCurrencyID:h OpenstatServiceName:s OpenstatCampaignID:s OpenstatAdID:s
    OpenstatSourceID:s UTMSource:s UTMMedium:s UTMCampaign:s UTMContent:s UTMTerm:s FromTag:s HasGCLID:h
    RefererHash:l URLHash:l CLID:i
"""
TYPES = {
    "l": pa.int64(),
    "i": pa.int32(),
    "h": pa.int16(),
    "s": pa.string(),
    "t": pa.timestamp("us"),
    "d": pa.date32(),
}
SCHEMA = pa.schema(
    [
        pa.field(name, TYPES[letter], nullable=False)
        for name, letter in (column.split(":") for column in COLUMNS.split())
    ]
)
HOT_COUNTER = 34
HOT_URL_HASH = 2868770270353813622
HOT_REFERER_HASH = 3594120000172545465
HOT_USER = 435090932899640449
FIRST_DAY = np.datetime64("2021-03-01")
HOSTS = (
    "news.example",
    "www.kiosk.example", "mail.example", "search.goggle.example", "www.goggle.example", "pferd.example",
    "книги.example", "shop.example", "www.films.example", "auto.example",
)  # fmt: skip
WORDS = (
    "weather", "cheap", "photo", "карта", "города", "рецепт", "train", "goggle", "café", "映画", "horse",
    "used", "tickets", "winter", "jacket", "how to",
)  # fmt: skip
PHONES = ("Pear 4", "Galaxis S", "Klein-X", "Люкс", "Tablet 10")
DAY = 86_400
BATCH = 250_000
"""Rows made at a time."""


def write(folder: Path, rows: int, seed: int = 1) -> dict[str, Path]:
    """Write `hits` with that many rows; the real table has 100 million. Returns the file by table."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "hits.parquet"
    with pq.ParquetWriter(path, SCHEMA) as writer:
        for number, first in enumerate(range(0, rows, BATCH)):
            made = batch(Draw(seed * 1000 + number), min(BATCH, rows - first), rows)
            writer.write_table(made, row_group_size=min(BATCH, max(1000, rows // 4)))
    return {"hits": path}


def batch(draw: Draw, rows: int, of: int) -> pa.Table:
    """`rows` rows of a table of `of`: what is not listed here is 0 or empty."""
    columns: dict[str, pa.Array | np.ndarray] = {
        **_visit(draw, rows, of),
        **_pages(draw, rows, of),
        **_browser(draw, rows),
        **_flags(draw, rows),
    }
    made = [
        _column(columns[field.name], field.type) if field.name in columns else _nothing(rows, field.type)
        for field in SCHEMA
    ]
    return pa.Table.from_arrays(made, schema=SCHEMA)


def _column(values: pa.Array | np.ndarray, type_: pa.DataType) -> pa.Array:
    return pa.array(values).cast(type_)


def _nothing(rows: int, type_: pa.DataType) -> pa.Array:
    return pa.repeat(pa.scalar("" if type_ == pa.string() else 0, type_), rows)


def _hashed(places: np.ndarray, hot: int) -> np.ndarray:
    """Numbers that look like hashes, equal for equal places; `hot` for the place 0."""
    mixed = (places.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    return np.where(places == 0, hot, (mixed >> np.uint64(1)).astype(np.int64))


def _visit(draw: Draw, rows: int, of: int) -> dict[str, pa.Array | np.ndarray]:
    """Who came when, from where, to which counter."""
    seconds = draw.skewed(31 * DAY, rows, 1.2)
    when = FIRST_DAY.astype("datetime64[us]") + seconds.astype("timedelta64[s]")
    user = draw.skewed(max(of // 6, 10), rows, 2.0)
    counter = np.where(draw.rng.random(rows) < 0.15, HOT_COUNTER, draw.skewed(200, rows, 3.0) + 1)
    address = _hashed(user // 2, 12345) % ((1 << 32) - 16) - ((1 << 31) - 8)
    return {
        "WatchID": draw.rng.integers(1 << 61, 1 << 63, rows, dtype=np.int64),
        "EventTime": when,
        "EventDate": when.astype("datetime64[D]"),
        "ClientEventTime": when + draw.uniform(-4000, 4000, rows).astype("timedelta64[s]"),
        "LocalEventTime": when + np.timedelta64(3, "h"),
        "CounterID": counter,
        "CounterClass": draw.uniform(-1, 2, rows),
        "ClientIP": address,
        "RemoteIP": np.where(draw.rng.random(rows) < 0.9, address, -address - 1),
        "IPNetworkID": draw.skewed(4000, rows),
        "RegionID": draw.skewed(300, rows, 3.0) + 1,
        "UserID": _hashed(user, HOT_USER),
        "FUniqID": _hashed(user + 1, HOT_USER),
        "Age": draw.choice_of((0, 16, 22, 30, 39, 55), rows),
        "Sex": draw.uniform(0, 3, rows),
        "Income": draw.uniform(0, 5, rows),
        "Interests": draw.skewed(30_000, rows, 4.0),
    }


def _pages(draw: Draw, rows: int, of: int) -> dict[str, pa.Array | np.ndarray]:
    """What was looked at, and what was searched for before."""
    page = draw.skewed(max(of // 8, 40), rows, 3.0)
    host = pick(HOSTS, page % len(HOSTS))
    word = pick(WORDS, (page // 3) % len(WORDS))
    url = joined(
        "http://", host, "/", word, "/", page, ".html?", pick(WORDS, page % len(WORDS)), "=", page * 37 % 9973
    )
    empty_url = pa.array(draw.rng.random(rows) < 0.02)
    site = draw.skewed(max(of // 10, 30), rows, 3.0)
    scheme = pick(("http://", "https://"), site % 2)
    referer = joined(
        scheme, pick(HOSTS, site * 3 % len(HOSTS)), "/", pick(WORDS, site % len(WORDS)), "?q=", site
    )
    no_referer = pa.array(draw.rng.random(rows) < 0.2)
    phrase_number = draw.skewed(max(of // 15, 50), rows, 2.5)
    phrase = joined(
        pick(WORDS, phrase_number % len(WORDS)),
        " ",
        pick(WORDS, phrase_number // 7 % len(WORDS)),
        " ",
        phrase_number,
    )
    searched = draw.rng.random(rows) < 0.15
    capital = pick(("Goggle", "Новости", "Shop", "Kino 映画", "Weather"), page % 5)
    title = joined(capital, " - ", word, " ", page % 997)
    return {
        "URL": pc.if_else(empty_url, "", url),
        "OriginalURL": pc.if_else(pa.array(page % 4 == 0), url, ""),
        "URLHash": _hashed(page, HOT_URL_HASH),
        "Title": pc.if_else(pa.array(page % 9 == 8), "", title),
        "Referer": pc.if_else(no_referer, "", referer),
        "RefererHash": _hashed(site, HOT_REFERER_HASH),
        "SearchPhrase": pc.if_else(pa.array(searched), phrase, ""),
        "SearchEngineID": np.where(searched, draw.skewed(6, rows) + 1, 0),
        "AdvEngineID": np.where(draw.rng.random(rows) < 0.05, draw.skewed(20, rows) + 1, 0),
        "TraficSourceID": draw.choice_of((-1, 0, 1, 2, 3, 6, 7), rows),
        "URLCategoryID": draw.skewed(9000, rows, 6.0),
        "URLRegionID": draw.skewed(300, rows, 5.0),
        "RefererCategoryID": draw.skewed(9000, rows, 6.0),
        "RefererRegionID": draw.skewed(300, rows, 5.0),
        "Params": draw.choice(rows, ("", '{"a": 1}', '{"ключ": [2]}'), (30, 1, 1)),
        "UTMSource": draw.choice(rows, ("", "letter", "banner"), (40, 1, 1)),
        "FromTag": draw.choice(rows, ("", "top", "главная"), (60, 1, 1)),
    }


def _browser(draw: Draw, rows: int) -> dict[str, pa.Array | np.ndarray]:
    """What it was looked at with."""
    width = np.array([1024, 1280, 1366, 1920, 1600, 0, 800])[draw.skewed(7, rows, 1.5)]
    phone = np.where(draw.rng.random(rows) < 0.07, draw.skewed(len(PHONES), rows, 1.5) + 1, 0)
    return {
        "OS": draw.skewed(80, rows, 3.0),
        "UserAgent": draw.skewed(80, rows, 3.0),
        "UserAgentMajor": draw.uniform(0, 30, rows),
        "UserAgentMinor": pick(("0", "5", "D\ufffd", "66"), draw.skewed(4, rows)),
        "ResolutionWidth": width,
        "ResolutionHeight": width * 3 // 4,
        "ResolutionDepth": draw.choice_of((32, 24, 16), rows),
        "WindowClientWidth": np.maximum(width - draw.skewed(300, rows, 3.0), 0),
        "WindowClientHeight": np.maximum(width * 3 // 4 - draw.skewed(200, rows, 3.0), 0),
        "IsMobile": (phone > 0) * 1,
        "MobilePhone": phone,
        "MobilePhoneModel": pick(("", *PHONES), phone),
        "FlashMajor": draw.uniform(0, 12, rows),
        "FlashMinor2": pick(("", "700.224", "r55"), draw.skewed(3, rows)),
        "SilverlightVersion3": draw.skewed(60_310, rows, 5.0),
        "ClientTimeZone": draw.choice_of((180, 240, 60, -300), rows),
        "PageCharset": pick(("utf-8", "windows-1251", ""), draw.skewed(3, rows)),
        "BrowserLanguage": pick(("ru", "de", "日本"), draw.skewed(3, rows)),
        "BrowserCountry": pick(("RU", "DE", "JP", "\x00\x01"), draw.skewed(4, rows)),
        "HitColor": pick("FED5T", draw.skewed(5, rows)),
    }


def _flags(draw: Draw, rows: int) -> dict[str, pa.Array | np.ndarray]:
    """Numbers of small ranges."""
    shares = {
        "JavaEnable": 0.7,
        "GoodEvent": 1.0, "IsRefresh": 0.12, "CookieEnable": 0.95, "JavascriptEnable": 0.98,
        "IsLink": 0.08, "IsDownload": 0.01, "IsNotBounce": 0.2, "IsEvent": 0.02, "DontCountHits": 0.1,
        "WithHash": 0.01, "HasGCLID": 0.01, "IsOldCounter": 0.001, "IsArtifical": 0.01,
    }  # fmt: skip
    flags = {name: (draw.rng.random(rows) < share) * 1 for name, share in shares.items()}
    times = {
        name: draw.skewed(30_000, rows, 5.0)
        for name in (
            "SendTiming",
            "DNSTiming",
            "ConnectTiming",
            "ResponseStartTiming",
            "ResponseEndTiming",
            "FetchTiming",
        )
    }
    return {
        **flags,
        **times,
        "HID": draw.rng.integers(-(1 << 31), 1 << 31, rows),
        "WindowName": draw.uniform(-1, 4000, rows),
        "HistoryLength": draw.skewed(60, rows) - 1,
        "CodeVersion": draw.choice_of((1, 1638, 2012), rows),
        "HTTPError": draw.choice_of((0, 0, 0, 404), rows),
        "ParamPrice": draw.skewed(100_000, rows, 8.0),
        "ParamCurrency": draw.choice(rows, ("", "EUR", "zł"), (30, 1, 1)),
    }
