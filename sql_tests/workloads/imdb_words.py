"""The words that the films of imdb.py are made of; kinds, jobs and links are those of the real database."""

from __future__ import annotations

KINDS = ("movie", "tv series", "tv movie", "video movie", "tv mini series", "video game", "episode")
JOBS = (
    "actor", "actress", "producer", "writer", "cinematographer", "composer", "costume designer", "director",
    "editor", "miscellaneous crew", "production designer", "guest",
)  # fmt: skip
LINKS = (
    "follows", "followed by", "remake of", "remade as", "references", "referenced in", "spoofs", "spoofed in",
    "features", "featured in", "spin off from", "spin off", "version of", "similar to", "edited into",
    "edited from", "alternate language version of", "unknown link",
)  # fmt: skip
FIRM_KINDS = ("distributors", "production companies", "special effects companies", "miscellaneous companies")
COVERAGES = ("cast", "crew", "complete", "complete+verified")
FILM_FACTS = (
    "genres",
    "countries",
    "release dates",
    "languages",
    "budget",
    "runtimes",
    "color info",
    "locations",
)
SCORES = ("rating", "votes", "votes distribution", "top 250 rank", "bottom 10 rank")
TRAITS = ("mini biography", "trivia", "height", "birth date", "quotes", "spouse")
FACTS = (*FILM_FACTS, *SCORES, *TRAITS)
GENRES = ("Drama", "Comedy", "Horror", "Thriller", "Action", "Crime", "Family", "War", "Sci-Fi", "Western")
LANDS = ("USA", "Germany", "Sweden", "Japan", "Norway", "Denmark", "France", "Bulgaria", "Österreich", "日本")
WORDS = (
    "sequel", "murder", "robot", "revenge", "hero", "duel", "love", "blood", "title-with-a-name", "violence",
    "based-on-novel", "second-part", "based-on-comic", "superhero", "animation", "storm", "loner", "hospital",
    "death", "school-sequel", "night", "żubr", "海", "fight", "laser", "web", "clever-cat", "lighthouse-club",
)  # fmt: skip
TITLES = (
    "Storm", "Winter", "Robot", "Champion", "Night", "Lighthouse", "Dragon", "Money", "Garden", "Murder",
    "Zebra", "Été", "Ночь", "海辺", "Movie", "Saw", "Jason", "Panda", "River", "Shadow", "Fox", "Loser",
    "Comet", "Żubr",
)  # fmt: skip
GIVEN = (
    "Ana", "Angela", "Bert", "Zoë", "Tim", "Jürgen", "Yoko", "Yuri", "Robert", "Maria", "Xaver", "An", "Olga",
    "Иван", "恵子", "Bo", "Angelika", "Kim",
)  # fmt: skip
SURNAMES = (
    "Novák", "Berg", "Downing", "Bauer", "Zhang", "Xu", "Ångström", "Tanaka", "Okafor", "Brown", "Petrov",
    "Åkesson", "O'Hara", "Silva", "Fischer", "Lindgren", "Ruiz", "Abe", "Young", "Dąbrowska",
)  # fmt: skip
FIRMS = (
    "Northern", "Blue Fox", "Warble", "Étoile", "Lions Den", "YouView", "Toho-ish", "Kräftig", "Old Mill",
    "Sun",
)  # fmt: skip
FIRM_ENDS = (
    "Film", "Pictures", "Animation", "Television", "Brothers", "& Söhne", "Studios", "Films International",
)  # fmt: skip
COUNTRIES = ("[us]", "[de]", "[jp]", "[nl]", "[pl]", "[ru]", "[sm]", "[gb]", None)
COUNTRY_WEIGHTS = (45, 14, 10, 6, 6, 7, 2, 6, 4)
CHARACTERS = (
    "Queen", "Iron Manuel", "Tony Spark", "Himself", "Batwoman", "Sherlock", "The Human Cat", "Señor Gómez",
)  # fmt: skip
MONTHS = ("January", "March", "May", "July", "October", "December")
PART_NOTES = (
    None, "(voice)", "(voice: English version)", "(voice: Japanese version)", "(voice) (uncredited)",
    "(uncredited)", "(as A. Smith)",
)  # fmt: skip
WRITER_NOTES = ("(writer)", "(head writer)", "(written by)", "(story)", "(story editor)", None)
PRODUCER_NOTES = ("(producer)", "(executive producer)", "(co-producer)", None)
TERRITORIES = ("(USA)", "(worldwide)", "(Japan)", "(France)", "(Germany)")
MEDIA = ("(theatrical)", "(TV)", "(VHS)", "(DVD)", "(Blu-ray)")
FIRM_NOTES = (
    None,
    "(co-production)",
    "(presents)",
    "(presents) (as Old Mill Pictures)",
    "(as Old Mill Pictures)",
)
