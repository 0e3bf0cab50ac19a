"""Documents for the tests of perturbations: texts of our own, with sources and simpler versions."""

from plainmark.perturbations import TextDocument, pooled

TEXTS = [
    "In 2019 the clinic in Leeds treated 1,240 patients. Dr Marta Quill examined 35 of them twice. The new drug reduced "
    "pain and improved sleep in most cases. About 12% of the patients felt worse. The hospital accepted the results. "
    "Nobody knows the cause. The team opened a second ward in March.",
    "Owls hunt at night. They catch mice, which live in the fields. A grown owl eats three or four mice each day. Farmers "
    "like owls because they protect the harvest. In winter the birds rise before dusk and return to the barn at Hill Farm. "
    "The young leave the nest after 55 days. People have built 200 wooden boxes for them.",
    "The committee met on Monday. It increased the budget by 2.5 million pounds and closed two schools. Parents in York "
    "protested. The Mayor, Tom Birch, defended the plan. He remembered that the council had lost 40 teachers. The vote "
    "was not public. Some members left early. The debate lasted six hours. A decision will follow in May. Prices rise. "
    "Schools need money. Buses stop at noon.",
    "Water boils at 100 degrees.",
    "Results and discussion",
]  # fmt: skip
SIMPLE = [
    "A clinic in Leeds treated 1,240 people in 2019. Dr Quill saw 35 of them two times. The new drug reduced pain in most "
    "cases. About 12% felt worse. The hospital accepted the results. Nobody knows why.",
    "Owls hunt at night. They catch mice in the fields. An owl eats three or four mice a day. Farmers like owls.",
    "The group met on Monday. It gave 2.5 million pounds more and closed two schools. Parents were angry.",
    "Water boils at 100 degrees.",
    "Results",
]
# Another simple version of each text, none of whose sentences stands in SIMPLE.
PLAIN = [
    "In 2019 the clinic in Leeds treated 1,240 sick people. Dr Marta Quill looked at 35 of them twice. The new drug made pain "
    "less and sleep better in most cases. About 12% of the sick people felt worse than before. The hospital agreed.",
    "Owls hunt when it is night. They catch mice, which live in fields. A grown owl eats three or four mice every day. Farmers "
    "like owls, as they protect the harvest.",
    "The committee came together on Monday. It raised the budget by 2.5 million pounds and shut two schools. Parents in York "
    "were against it.",
    "Water boils when it has 100 degrees.",
    "Results and talk",
]


def documents():
    """The documents, each knowing of the others; the first one's simpler sentences are aligned."""
    return pooled(
        [
            TextDocument(t, f"d{i}", source=t, simplified=s)
            for i, (t, s) in enumerate(zip(TEXTS, SIMPLE, strict=True))
        ]
    )
