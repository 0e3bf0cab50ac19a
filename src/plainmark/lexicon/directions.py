"""Words that say which way something goes, each with its family and its sign; opposites differ in the sign only."""

from __future__ import annotations

# Each row: family, words of the positive side, words of the other side.
_FAMILIES = (
    (
        "amount",
        "increase rise grow growth gain more higher raise climb soar surge jump upregulate up-regulate elevate elevated "
        "elevation expand expansion enlarge escalate boost heighten multiply double triple quadruple larger greater "
        "bigger most highest maximum augment increasingly upturn upswing uptick",
        "decrease fall drop reduce reduction lower less fewer decline diminish lessen shrink shrinkage cut dwindle "
        "plunge plummet slump downregulate down-regulate smaller least lowest minimum halve fewest curtail downturn "
        "downswing abate wane subside deplete depletion",
    ),
    ("number", "many much numerous plenty", "few handful"),
    ("size", "large big huge enormous", "small tiny little"),
    ("height", "high tall", "low"),
    ("length", "long longer longest lengthen prolong extend", "short shorter shortest shorten curtail"),
    ("weight", "heavier heaviest", "lighter lightest"),
    ("width", "wide wider widen broad thick", "narrow narrower thin"),
    (
        "time",
        "after later following subsequently afterwards subsequent afterward late",
        "before earlier prior previously beforehand preceding early precede",
    ),
    (
        "position",
        "above over upper up upward upwards upstairs top upstream",
        "below under beneath underneath down downward downwards downstairs bottom downstream",
    ),
    ("side", "left", "right"),
    ("inside", "inside indoors internal inner inward", "outside outdoors external outer outward"),
    ("compass", "north northern northward", "south southern southward"),
    ("compass across", "east eastern eastward", "west western westward"),
    (
        "quality",
        "better improve improvement best superior ameliorate enhance enhancement",
        "worse worsen worst inferior deteriorate deterioration exacerbate aggravate worsening",
    ),
    ("value", "good positive favourable favorable", "bad negative unfavourable unfavorable"),
    (
        "acceptance",
        "accept acceptance approve approval agree endorse adopt agreement",
        "reject rejection refuse refusal disapprove disagree disagreement",
    ),
    (
        "permission",
        "allow permit let authorise authorize enable legal lawful permission",
        "forbid prohibit ban prevent disallow bar illegal unlawful prohibition",
    ),
    ("inclusion", "include inclusion including add", "exclude exclusion excluding remove removal omit"),
    ("contest", "win victory beat defeat triumph winner", "lose loser"),
    (
        "safety",
        "safe safely safety harmless",
        "dangerous dangerously danger unsafe risky hazardous unsafely",
    ),
    (
        "benefit",
        "benefit beneficial advantage help helpful advantageous",
        "harm harmful disadvantage hurt damage detrimental injure",
    ),
    (
        "start",
        "start begin commence launch beginning onset initiate resume continue",
        "stop end finish cease terminate halt discontinue quit",
    ),
    ("opening", "open opening reopen", "close closing shut closure"),
    ("presence", "present presence", "absent absence lack"),
    ("success", "succeed success successful successfully pass", "fail failure unsuccessful unsuccessfully"),
    ("truth", "true correct accurate correctly", "false incorrect wrong inaccurate incorrectly wrongly"),
    ("assertion", "confirm affirm admit", "deny refute disprove"),
    ("life", "live life survive alive survival", "die death dead"),
    ("trade", "buy purchase", "sell sale"),
    ("border", "import", "export"),
    ("loan", "lend", "borrow"),
    ("giving", "give send", "receive"),
    ("movement", "arrive enter arrival entry", "leave depart departure exit"),
    ("temperature", "hot warm warmer hotter warming", "cold cool colder cooler cooling"),
    (
        "speed",
        "fast quick quickly rapid rapidly faster accelerate acceleration",
        "slow slowly slower decelerate deceleration",
    ),
    ("strength", "strong strengthen stronger strength", "weak weaken weaker weakness"),
    ("difficulty", "easy easily easier", "hard difficult harder difficulty"),
    (
        "frequency",
        "often frequently always usually common commonly frequent",
        "rarely seldom never rare uncommon infrequently infrequent",
    ),
    ("likelihood", "likely probable possible probably", "unlikely improbable impossible"),
    ("making", "create build construct", "destroy demolish dismantle"),
    ("joining", "join unite connect attach", "separate divide disconnect detach"),
    ("encouragement", "encourage support promote favour favor", "discourage oppose hinder"),
    (
        "activity",
        "activate active activation stimulate",
        "deactivate inactive inhibit suppress inhibition inactivate",
    ),
    ("memory", "remember", "forget"),
    ("hiring", "hire employ appoint", "fire dismiss sack"),
    ("price", "expensive costly", "cheap inexpensive affordable"),
    ("health", "healthy", "sick ill unhealthy unwell"),
    ("necessity", "necessary mandatory compulsory essential", "unnecessary optional voluntary needless"),
    ("age", "old older ancient", "new newer young younger modern"),
    ("order", "first", "last"),
    ("distance", "near nearby", "far distant"),
    ("guilt", "guilty convict conviction guilt", "innocent acquit acquittal innocence"),
    ("attack", "attack", "defend"),
    ("fullness", "full fill", "empty"),
    ("visibility", "reveal visible appear", "hide conceal disappear invisible"),
    ("duration", "permanent long-term chronic", "temporary short-term acute"),
)


def _table() -> dict[str, tuple[str, int]]:
    """The first family that has a word is the word's family."""
    table: dict[str, tuple[str, int]] = {}
    for family, up, down in _FAMILIES:
        for words, sign in ((up, 1), (down, -1)):
            for word in words.split():
                table.setdefault(word, (family, sign))
    return table


DIRECTIONS = _table()
