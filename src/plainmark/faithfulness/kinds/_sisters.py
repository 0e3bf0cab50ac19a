"""Everyday words of small classes whose members exclude each other: a bronze helmet is not a silver one.

A word was replaced by another one of its class (its sister) if it is the only one of the class that is missing from a
sentence, and the sister, which is nowhere in the original, is the only new one in the aligned sentences.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from types import MappingProxyType

from ... import lexicon
from ..alignment import Pair
from ..passage import Passage
from . import Mention

_CLASSES = {
    "metal": "gold silver bronze copper iron brass lead tin zinc aluminium aluminum",
    "colour": "red blue green yellow black white brown grey gray pink orange purple",
    "fabric": "cotton wool silk linen leather nylon polyester velvet denim",
    "matter": "wood wooden brick glass plastic concrete marble granite clay straw cardboard rubber slate",
    "wood": "oak pine beech birch ash maple walnut spruce cedar willow poplar elm chestnut",
    "larder": "flour sugar salt pepper butter oil vinegar honey yeast rice cheese cream milk egg cocoa cinnamon mustard",
    "drink": "tea coffee beer wine lemonade juice cider whisky whiskey vodka rum gin cocoa milk",
    "fruit": "apple pear plum cherry peach apricot lemon lime banana grape strawberry raspberry blueberry mango melon "
    "pineapple fig",
    "vegetable": "potato carrot onion cabbage tomato cucumber lettuce spinach bean pea lentil turnip leek garlic pumpkin "
    "celery radish beetroot mushroom",
    "meat": "beef pork lamb chicken mutton veal turkey bacon ham venison",
    "grain": "wheat barley oats rye maize millet rice corn",
    "beast": "cow cattle horse sheep goat pig donkey dog cat rabbit wolf fox bear deer lion tiger elephant monkey mouse rat squirrel "
    "badger otter seal whale dolphin camel giraffe hedgehog bat hare beaver",
    "bird": "eagle hawk owl crow raven gull pigeon sparrow swan duck goose hen heron stork robin swallow penguin parrot",
    "fish": "salmon trout cod herring tuna carp pike eel shark mackerel sardine",
    "insect": "bee wasp hornet ant fly moth butterfly beetle mosquito grasshopper cricket ladybird spider",
    "tool": "hammer saw axe spade shovel rake drill chisel screwdriver spanner scissors needle",
    "instrument": "piano violin guitar flute trumpet drum cello harp organ clarinet saxophone trombone oboe",
    "clothes": "shirt trousers skirt dress coat jacket hat shoe boot glove scarf sock",
    "protection": "glove goggles helmet mask apron visor earplug",
    "room": "kitchen bathroom bedroom cellar attic garage corridor balcony",
    "furniture": "table chair bed sofa cupboard wardrobe shelf desk bench",
    "container": "bottle box bag barrel basket bucket cup jar sack",
    "sport": "football tennis rugby cricket hockey golf swimming rowing boxing basketball baseball volleyball badminton",
    "plant part": "root leaf seed bark flower",
    "shape": "circle square triangle rectangle",
    "gas": "oxygen nitrogen hydrogen helium methane",
    "fuel": "coal petrol diesel peat charcoal kerosene",
    "weather": "rain snow hail fog frost drought",
    "trade": "baker butcher carpenter plumber electrician tailor shoemaker blacksmith fisherman farmer miller gardener",
    "art": "painting sculpture novel poem opera symphony play film",
    "water": "river lake sea pond canal",
}
CLASSES = MappingProxyType(
    {
        lexicon.base(word): frozenset(name for name, members in _CLASSES.items() if word in members.split())
        for words in _CLASSES.values()
        for word in words.split()
    }
)
_ALIKE = frozenset(
    frozenset(words.split())
    for words in (
        "wooden wood|grey gray|maize corn|cow cattle|wasp hornet|goggle mask|visor mask|oil butter|cream milk|coat jacket".split(
            "|"
        )
    )
)
_FEW = 3  # largest number of sentences that one sentence becomes
_AGREEING = frozenset(("same", "form", "synonym", "hypernym", "hyponym"))


def replaced_sisters(pair: Pair) -> Iterator[tuple[Mention, Mention, str]]:
    """Words of a single sentence and the sisters that replaced them, with the pattern."""
    before, after = _lost(pair, 0), _lost(pair, 1)
    for key in sorted(before.keys() & after.keys()):
        (i, *more), (j, *others) = before[key], after[key]
        if more or others or len(pair.groups[key[0]].source) > 1 or len(pair.groups[key[0]].output) > _FEW:
            continue
        old_word, new_word = pair.source.words[i], pair.output.words[j]
        if (
            frozenset((old_word.base, new_word.base)) not in _ALIKE
            and lexicon.related(old_word.lower, new_word.lower) is None
        ):
            pattern = "sister" if _same_head(pair, i, j) else "sister in doubt"
            yield _mention(pair.source, i), _mention(pair.output, j), pattern


def _lost(pair: Pair, side: int) -> dict[tuple[int, str], list[int]]:
    """The words of the classes that the other text does not have, by group of sentences and class, if there is one of each."""
    passage, other = (pair.output, pair.source) if side else (pair.source, pair.output)
    groups = pair.group_of_output if side else pair.group_of_source
    known = {form for w in other.words for form in (w.base, w.lower, *lexicon.bases(w.lower))}
    members: dict[tuple[int, str], dict[str, int]] = defaultdict(dict)
    for i, word in enumerate(passage.words):
        base = next((b for b in (word.base, *lexicon.bases(word.lower)) if b in CLASSES), None)
        if base is None or base in known or not _is_common(passage, i):
            continue
        link = pair.linked(side, i)
        if (link is None or link.relation not in _AGREEING) and not _is_part(passage, i):
            for name in CLASSES[base]:
                members[groups.get(word.sentence, -1), name].setdefault(base, i)
    return {key: list(words.values()) for key, words in members.items() if key[0] >= 0}


def _is_common(passage: Passage, i: int) -> bool:
    """Whether a word is in lower case, or would be in the middle of a sentence."""
    word = passage.words[i]
    return word.text.islower() or (word.text.istitle() and i == passage.first_word[word.sentence])


def _is_part(passage: Passage, i: int) -> bool:
    """Whether a word is part of a compound, or a verb: "an iron-rich diet", "to milk the goats"."""
    words = passage.words
    beside = [words[k] for k in (i - 1, i + 1) if 0 <= k < len(words)]
    if any(w.text in ("-", "–") for w in beside):
        return True
    return i > 0 and words[i - 1].lower == "to" and lexicon.is_verb(words[i].lower)


def _same_head(pair: Pair, i: int, j: int) -> bool:
    """Whether the words directly after them are linked."""
    link = pair.linked(1, j + 1)
    return link is not None and link.i == i + 1 and link.relation in _AGREEING


def _mention(passage: Passage, i: int) -> Mention:
    word = passage.words[i]
    return Mention(word.start, word.end, i, i, ("thing", word.base), weak=True)
