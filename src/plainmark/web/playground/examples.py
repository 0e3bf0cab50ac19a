"""Two example texts: one with mistakes to find, and one that was simplified carefully, in two versions."""

from __future__ import annotations

from .requests import ComparisonForm

EXAMPLES: dict[str, tuple[str, ComparisonForm]] = {
    "library": (
        "A notice with mistakes to find",
        ComparisonForm(
            source=(
                "The municipal library on Harbour Street will be closed from 12 March until 4 April, as the heating "
                "installation has reached the end of its service life and must be replaced.\n"
                "During this period, borrowed items need not be returned, and no charges for late return will accrue.\n"
                "Patrons who have reserved items may collect them at the Northgate branch, which has temporarily extended its "
                "opening hours until 8 p.m. on weekdays.\n"
                "The reading group convened by Amira Solberg will not take place before 18 April.\n"
                "The refurbishment, for which the council has appropriated 340,000 euros, was contracted to a regional firm."
            ),
            output=(
                "The library on Harbour Street is closed from 12 March until 14 April. The heating must be replaced.\n"
                "During this time, you need not return borrowed items. There is no charge for late return.\n"
                "If you have reserved items, you may collect them at the Northgate branch, which has temporarily extended its "
                "opening hours until 8 p.m. on weekdays.\n"
                "Amira Solberg's reading group will take place before 18 April.\n"
                "We are sorry for the trouble."
            ),
        ),
    ),
    "tablets": (
        "Two versions of a leaflet",
        ComparisonForm(
            source=(
                "Should you inadvertently omit a dose, administer it as soon as you become aware of the omission, unless it is "
                "almost time for the subsequent dose.\n"
                "Under no circumstances should two doses be taken simultaneously in order to compensate for a forgotten one.\n"
                "The tablets must be stored at temperatures not exceeding 25 degrees and out of the reach of children.\n"
                "Approximately 1 in 100 persons experiences dizziness, which ordinarily subsides within 3 days."
            ),
            output=(
                "If you forget a dose, take it as soon as you remember.\n"
                "Take two doses to make up for a forgotten one.\n"
                "Keep the tablets below 25 degrees and away from children.\n"
                "About 1 in 10 people feel dizzy."
            ),
            second=(
                "If you forget a dose, take it as soon as you remember. Is it almost time for the next dose? Then do not take "
                "the one you forgot.\n"
                "Never take two doses at the same time to make up for a forgotten one.\n"
                "Keep the tablets at 25 degrees or less, and out of the reach of children.\n"
                "About 1 in 100 people feel dizzy. This usually stops within 3 days."
            ),
            references=(
                "If you miss a dose, take it when you notice. Leave it out if your next dose is due soon.\n"
                "Never take two doses at once.\n"
                "Store the tablets at no more than 25 degrees. Children must not be able to reach them.\n"
                "About 1 in 100 people get dizzy. It usually ends within 3 days.",
            ),
        ),
    ),
}
