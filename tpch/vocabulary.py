"""Words that TPC-H query parameters are drawn from (TPC-H specification 3.0.1, clauses 4.2.2 and 4.2.3)."""

from typing import Final

REGIONS: Final = ("AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST")

# In the order of n_nationkey; the second entry is the index of the nation's region in REGIONS.
NATIONS: Final = (
    ("ALGERIA", 0),
    ("ARGENTINA", 1),
    ("BRAZIL", 1),
    ("CANADA", 1),
    ("EGYPT", 4),
    ("ETHIOPIA", 0),
    ("FRANCE", 3),
    ("GERMANY", 3),
    ("INDIA", 2),
    ("INDONESIA", 2),
    ("IRAN", 4),
    ("IRAQ", 4),
    ("JAPAN", 2),
    ("JORDAN", 4),
    ("KENYA", 0),
    ("MOROCCO", 0),
    ("MOZAMBIQUE", 0),
    ("PERU", 1),
    ("CHINA", 2),
    ("ROMANIA", 3),
    ("SAUDI ARABIA", 4),
    ("VIETNAM", 2),
    ("RUSSIA", 3),
    ("UNITED KINGDOM", 3),
    ("UNITED STATES", 1),
)

SEGMENTS: Final = ("AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY")

TYPE_SIZES: Final = ("STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO")
TYPE_FINISHES: Final = ("ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED")
TYPE_METALS: Final = ("TIN", "NICKEL", "BRASS", "STEEL", "COPPER")

CONTAINER_SIZES: Final = ("SM", "LG", "MED", "JUMBO", "WRAP")
CONTAINER_KINDS: Final = ("CASE", "BOX", "BAG", "JAR", "PKG", "PACK", "CAN", "DRUM")

SHIP_MODES: Final = ("REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB")

Q13_FIRST_WORDS: Final = ("special", "pending", "unusual", "express")
Q13_SECOND_WORDS: Final = ("packages", "requests", "accounts", "deposits")

COLORS: Final = tuple(
    """
    almond antique aquamarine azure beige bisque black blanched blue blush brown burlywood burnished
    chartreuse chiffon chocolate coral cornflower cornsilk cream cyan dark deep dim dodger drab firebrick
    floral forest frosted gainsboro ghost goldenrod green grey honeydew hot indian ivory khaki lace lavender
    lawn lemon light lime linen magenta maroon medium metallic midnight mint misty moccasin navajo navy olive
    orange orchid pale papaya peach peru pink plum powder puff purple red rose rosy royal saddle salmon sandy
    seashell sienna sky slate smoke snow spring steel tan thistle tomato turquoise violet wheat white yellow
    """.split()
)
