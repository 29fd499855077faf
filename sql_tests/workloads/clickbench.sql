-- The 43 query shapes of ClickBench over the table that hits.py makes up. Every LIMIT has an order without ties, but
-- for the queries marked "any rows": of those, as many rows as the oracle has, all of them rows of the query without
-- LIMIT. {...} is replaced by test_clickbench.py, as how far OFFSET can go depends on the number of rows.

-- 1
SELECT count(*) FROM hits;
-- 2
SELECT count(*) FROM hits WHERE AdvEngineID <> 0;
-- 3
SELECT sum(AdvEngineID), count(*), avg(ResolutionWidth) FROM hits;
-- 4
SELECT avg(UserID) FROM hits;
-- 5
SELECT count(DISTINCT UserID) FROM hits;
-- 6
SELECT count(DISTINCT SearchPhrase) FROM hits;
-- 7
SELECT min(EventDate), max(EventDate) FROM hits;
-- 8
SELECT AdvEngineID, count(*) FROM hits WHERE AdvEngineID <> 0 GROUP BY AdvEngineID ORDER BY count(*) DESC, 1;
-- 9
SELECT RegionID, count(DISTINCT UserID) AS users FROM hits GROUP BY RegionID ORDER BY users DESC, RegionID LIMIT 10;
-- 10
SELECT RegionID, sum(AdvEngineID), count(*) AS n, avg(ResolutionWidth), count(DISTINCT UserID)
FROM hits GROUP BY RegionID ORDER BY n DESC, RegionID LIMIT 10;
-- 11
SELECT MobilePhoneModel, count(DISTINCT UserID) AS users FROM hits WHERE MobilePhoneModel <> ''
GROUP BY MobilePhoneModel ORDER BY users DESC, MobilePhoneModel LIMIT 10;
-- 12
SELECT MobilePhone, MobilePhoneModel, count(DISTINCT UserID) AS users FROM hits WHERE MobilePhoneModel <> ''
GROUP BY MobilePhone, MobilePhoneModel ORDER BY users DESC, MobilePhone LIMIT 10;
-- 13
SELECT SearchPhrase, count(*) AS n FROM hits WHERE SearchPhrase <> ''
GROUP BY SearchPhrase ORDER BY n DESC, SearchPhrase LIMIT 10;
-- 14
SELECT SearchPhrase, count(DISTINCT UserID) AS users FROM hits WHERE SearchPhrase <> ''
GROUP BY SearchPhrase ORDER BY users DESC, SearchPhrase LIMIT 10;
-- 15
SELECT SearchEngineID, SearchPhrase, count(*) AS n FROM hits WHERE SearchPhrase <> ''
GROUP BY SearchEngineID, SearchPhrase ORDER BY n DESC, SearchEngineID, SearchPhrase LIMIT 10;
-- 16
SELECT UserID, count(*) FROM hits GROUP BY UserID ORDER BY count(*) DESC, UserID LIMIT 10;
-- 17
SELECT UserID, SearchPhrase, count(*) FROM hits GROUP BY UserID, SearchPhrase
ORDER BY count(*) DESC, UserID, SearchPhrase LIMIT 10;
-- 18 any rows
SELECT UserID, SearchPhrase, count(*) FROM hits GROUP BY UserID, SearchPhrase LIMIT 10;
-- 19
SELECT UserID, extract(minute FROM EventTime) AS minute_of, SearchPhrase, count(*) FROM hits
GROUP BY UserID, minute_of, SearchPhrase ORDER BY count(*) DESC, UserID, minute_of, SearchPhrase LIMIT 10;
-- 20
SELECT UserID FROM hits WHERE UserID = 435090932899640449;
-- 21
SELECT count(*) FROM hits WHERE URL LIKE '%goggle%';
-- 22
SELECT SearchPhrase, min(URL), count(*) AS n FROM hits WHERE URL LIKE '%goggle%' AND SearchPhrase <> ''
GROUP BY SearchPhrase ORDER BY n DESC, SearchPhrase LIMIT 10;
-- 23
SELECT SearchPhrase, min(URL), min(Title), count(*) AS n, count(DISTINCT UserID) FROM hits
WHERE Title LIKE '%Goggle%' AND URL NOT LIKE '%.goggle.%' AND SearchPhrase <> ''
GROUP BY SearchPhrase ORDER BY n DESC, SearchPhrase LIMIT 10;
-- 24
SELECT * FROM hits WHERE URL LIKE '%goggle%' ORDER BY EventTime, WatchID LIMIT 10;
-- 25
SELECT SearchPhrase FROM hits WHERE SearchPhrase <> '' ORDER BY EventTime, WatchID LIMIT 10;
-- 26
SELECT SearchPhrase FROM hits WHERE SearchPhrase <> '' ORDER BY SearchPhrase LIMIT 10;
-- 27
SELECT SearchPhrase FROM hits WHERE SearchPhrase <> '' ORDER BY EventTime, SearchPhrase LIMIT 10;
-- 28
SELECT CounterID, avg(length(URL)) AS long, count(*) AS n FROM hits WHERE URL <> ''
GROUP BY CounterID HAVING count(*) > {some} ORDER BY long DESC, CounterID LIMIT 25;
-- 29
SELECT regexp_replace(Referer, '^https?://(?:www\.)?([^/]+)/.*$', '\1') AS host, avg(length(Referer)) AS long,
  count(*) AS n, min(Referer)
FROM hits WHERE Referer <> '' GROUP BY host HAVING count(*) > {some} ORDER BY long DESC, host LIMIT 25;
-- 30
SELECT {sums} FROM hits;
-- 31
SELECT SearchEngineID, ClientIP, count(*) AS n, sum(IsRefresh), avg(ResolutionWidth) FROM hits WHERE SearchPhrase <> ''
GROUP BY SearchEngineID, ClientIP ORDER BY n DESC, SearchEngineID, ClientIP LIMIT 10;
-- 32
SELECT WatchID, ClientIP, count(*) AS n, sum(IsRefresh), avg(ResolutionWidth) FROM hits WHERE SearchPhrase <> ''
GROUP BY WatchID, ClientIP ORDER BY n DESC, WatchID, ClientIP LIMIT 10;
-- 33
SELECT WatchID, ClientIP, count(*) AS n, sum(IsRefresh), avg(ResolutionWidth) FROM hits
GROUP BY WatchID, ClientIP ORDER BY n DESC, WatchID, ClientIP LIMIT 10;
-- 34
SELECT URL, count(*) AS n FROM hits GROUP BY URL ORDER BY n DESC, URL LIMIT 10;
-- 35
SELECT 1, URL, count(*) AS n FROM hits GROUP BY 1, URL ORDER BY n DESC, URL LIMIT 10;
-- 36
SELECT ClientIP, ClientIP - 1, ClientIP - 2, ClientIP - 3, count(*) AS n FROM hits
GROUP BY ClientIP, ClientIP - 1, ClientIP - 2, ClientIP - 3 ORDER BY n DESC, ClientIP LIMIT 10;
-- 37
SELECT URL, count(*) AS views FROM hits
WHERE CounterID = 34 AND EventDate >= '2021-03-01' AND EventDate <= '2021-03-31' AND DontCountHits = 0
  AND IsRefresh = 0 AND URL <> ''
GROUP BY URL ORDER BY views DESC, URL LIMIT 10;
-- 38
SELECT Title, count(*) AS views FROM hits
WHERE CounterID = 34 AND EventDate >= '2021-03-01' AND EventDate <= '2021-03-31' AND DontCountHits = 0
  AND IsRefresh = 0 AND Title <> ''
GROUP BY Title ORDER BY views DESC, Title LIMIT 10;
-- 39
SELECT URL, count(*) AS views FROM hits
WHERE CounterID = 34 AND EventDate >= '2021-03-01' AND EventDate <= '2021-03-31' AND IsRefresh = 0 AND IsLink <> 0
  AND IsDownload = 0
GROUP BY URL ORDER BY views DESC, URL LIMIT 10 OFFSET {offset};
-- 40
SELECT TraficSourceID, SearchEngineID, AdvEngineID,
  CASE WHEN SearchEngineID = 0 AND AdvEngineID = 0 THEN Referer ELSE '' END AS source, URL AS target, count(*) AS views
FROM hits WHERE CounterID = 34 AND EventDate >= '2021-03-01' AND EventDate <= '2021-03-31' AND IsRefresh = 0
GROUP BY TraficSourceID, SearchEngineID, AdvEngineID, source, target
ORDER BY views DESC, TraficSourceID, SearchEngineID, AdvEngineID, source, target LIMIT 10 OFFSET {offset};
-- 41
SELECT URLHash, EventDate, count(*) AS views FROM hits
WHERE CounterID = 34 AND EventDate >= '2021-03-01' AND EventDate <= '2021-03-31' AND IsRefresh = 0
  AND TraficSourceID IN (-1, 6) AND RefererHash = 3594120000172545465
GROUP BY URLHash, EventDate ORDER BY views DESC, URLHash, EventDate LIMIT 10 OFFSET {offset};
-- 42
SELECT WindowClientWidth, WindowClientHeight, count(*) AS views FROM hits
WHERE CounterID = 34 AND EventDate >= '2021-03-01' AND EventDate <= '2021-03-31' AND IsRefresh = 0
  AND DontCountHits = 0 AND URLHash = 2868770270353813622
GROUP BY WindowClientWidth, WindowClientHeight
ORDER BY views DESC, WindowClientWidth, WindowClientHeight LIMIT 10 OFFSET {offset};
-- 43
SELECT date_trunc('minute', EventTime) AS minute_of, count(*) AS views FROM hits
WHERE CounterID = 34 AND EventDate >= '2021-03-14' AND EventDate <= '2021-03-15' AND IsRefresh = 0 AND DontCountHits = 0
GROUP BY date_trunc('minute', EventTime) ORDER BY date_trunc('minute', EventTime) LIMIT 10 OFFSET {offset};
