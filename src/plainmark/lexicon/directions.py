"""Words that express a direction, each with its family and its sign; opposites differ only in the sign."""

from __future__ import annotations

import re
from collections.abc import Callable

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
    ("height", "high tall overactive", "low underactive"),
    ("length", "long longer longest lengthen prolong extend", "short shorter shortest shorten curtail"),
    ("weight", "heavier heaviest", "lighter lightest"),
    ("width", "wide wider widen broad thick", "narrow narrower thin"),
    (
        "time",
        "after later following subsequently afterwards subsequent afterward late postnatal",
        "before earlier prior previously beforehand preceding early precede antenatal prenatal",
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
        "accept acceptance approve approval agree endorse adopt agreement consent",
        "reject rejection refuse refusal disapprove disagree disagreement veto",
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
    ("rotation", "clockwise", "anticlockwise counterclockwise contraclockwise"),
    ("slope", "ascend ascent", "descend descent"),
    ("ruling", "uphold", "overturn quash overrule annul"),
    ("custody", "arrest detain imprison jail", "release liberate"),
    ("migration", "immigrate immigration immigrant", "emigrate emigration emigrant"),
    ("account", "deposit", "withdraw withdrawal"),
    ("balance", "surplus profit profitable", "deficit loss loss-making"),
    ("ownership", "nationalise nationalize", "privatise privatize"),
    (
        "opinion",
        "praise applaud welcome commend compliment congratulate",
        "criticise criticize condemn denounce scold blame rebuke reprimand",
    ),
    ("outlook", "optimistic optimism", "pessimistic pessimism"),
    ("wealth", "rich wealthy", "poor"),
    ("breath", "inhale", "exhale"),
    ("attraction", "attract", "repel"),
    ("absorption", "absorb", "emit"),
    ("tightness", "tighten", "loosen ease relax"),
    (
        "mood",
        "happy glad cheerful delighted joyful pleased happily",
        "sad unhappy miserable upset gloomy sadly",
    ),
    ("fondness", "love enjoy adore admire", "hate dislike detest despise loathe"),
    ("trouble", "relieve soothe alleviate cure heal", "cause trigger provoke induce inflict"),
    ("plan", "proceed", "cancel postpone abandon scrap"),
    ("light", "bright brighten", "dark dim darken"),
    ("noise", "loud noisy loudly", "quiet silent quietly silently"),
    ("moisture", "wet damp humid moist", "dry arid"),
    ("cleanness", "clean cleanse", "dirty polluted pollute contaminate contaminated"),
    ("calm", "calm peaceful calmly peacefully", "violent stormy rough violently"),
    ("courage", "brave courageous bravely", "cowardly timid afraid"),
    ("kindness", "gentle friendly kindly", "cruel hostile unkind harsh cruelly"),
    ("sleep", "awake wake", "asleep sleep"),
    ("marriage", "marry wed", "divorce"),
    ("capture", "capture", "escape"),
    ("keeping", "retain preserve", "discard abolish"),
    ("pull", "pull", "push"),
    ("gathering", "gather assemble collect", "scatter disperse"),
    ("popularity", "popular famous", "unpopular obscure unknown"),
    ("trust", "trust believe", "distrust mistrust doubt disbelieve"),
    ("peace", "peace truce ceasefire", "war"),
    ("friendship", "friend ally", "enemy rival foe"),
    ("readiness", "willing willingly eager", "unwilling reluctant reluctantly"),
    ("fertility", "fertile", "barren infertile"),
    ("fitness", "suitable", "unsuitable unfit"),
    ("equality", "same identical equal", "different unequal distinct"),
    ("sharpness", "sharp", "blunt"),
    ("consent", "obey comply", "disobey defy violate"),
    ("loyalty", "loyal faithful", "disloyal treacherous"),
    ("expansion", "swell inflate", "deflate"),
    ("dawn", "sunrise dawn", "sunset dusk"),
    ("parent", "mother", "father"),
    ("sibling", "sister", "brother"),
    ("child", "daughter", "son"),
    ("spouse", "wife", "husband"),
)

# Prefixes of opposite meaning, whatever follows them: family, sign.
_FREE_PREFIXES = {
    "hyper": ("height", 1),
    "hypo": ("height", -1),
    "tachy": ("speed", 1),
    "brady": ("speed", -1),
}
_NOT_FREE = re.compile(
    r"hypo(?:th[ae]|crit|cri|chond|derm|tenuse|allerg|phys|stas|stat)\w*|hyper(?:link|text|bol|space|market|media|card)\w*"
)
# Prefixes of opposite meaning if both words exist: the family of the word, or "" for a family of its own with the rest.
_PREFIXES = (
    ("time", ("post",), ("pre",)),
    ("", ("over",), ("under",)),
    ("", ("inter",), ("intra",)),
    ("", ("macro",), ("micro",)),
    ("", ("poly", "multi"), ("mono", "uni")),
    ("", ("up",), ("down",)),
    ("", ("in",), ("out",)),
    ("", ("exo",), ("endo",)),
)
# Rests of words with such prefixes that are not opposites: overtake and undertake, income and outcome.
_NO_OPPOSITES = frozenset(
    "take taking stand write pass lie lying lay coat line tone come look fix position form versity lude script graph "
    "hand handed seas coating rightness".split()
)
_SHORTEST = 4  # rest


def _table() -> dict[str, tuple[str, int]]:
    """The family of a word is the first one that contains it."""
    table: dict[str, tuple[str, int]] = {}
    for family, up, down in _FAMILIES:
        for words, sign in ((up, 1), (down, -1)):
            for word in words.split():
                table.setdefault(word, (family, sign))
    return table


DIRECTIONS = _table()


def by_prefix(word: str, is_known: Callable[[str], bool]) -> tuple[str, int] | None:
    """The family and the sign of a word by its prefix: hypertension is high, bradycardia is slow.

    >>> by_prefix("outpatient", {"inpatient"}.__contains__), by_prefix("outcome", {"income"}.__contains__)
    (('in/out patient', -1), None)
    """
    for prefix, way in _FREE_PREFIXES.items():
        if word.startswith(prefix) and len(word) >= len(prefix) + _SHORTEST and not _NOT_FREE.fullmatch(word):
            return way
    for family, up, down in _PREFIXES:
        for prefixes, others, sign in ((up, down, 1), (down, up, -1)):
            for prefix in prefixes:
                rest = word.removeprefix(prefix)
                if rest == word or len(rest) < _SHORTEST or rest in _NO_OPPOSITES or not rest.isalpha():
                    continue
                if any(is_known(other + rest) for other in others):
                    return family or f"{up[0]}/{down[0]} {rest}", sign
    return None
