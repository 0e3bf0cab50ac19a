"""Whether the recruiter's completion codes are ready for people who are paid. Looked at before a live study is served."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from ...schema import Location
from .loading import FILE, Study
from .models import OUTCOMES, Outcome
from .pages import ConsentPage, SurveyPage
from .yaml_reader import YamlFile

ALL = "all"
_SHORTEST = 4
_PLACEHOLDER = re.compile(
    r"(.)\1+|0?123\d*|abc\w*|code\w*|your\w*|to-?do|tbd|change-?me|place-?holder|example|test\w*|dummy|none|null|na|"
    r"(?:complete|done|full|failed|screened)\w*|no_consent",
    re.IGNORECASE,
)


def possible_outcomes(study: Study) -> list[Outcome]:
    """How people can end in this study."""
    definition = study.definition
    surveys = [p for p in definition.pages if isinstance(p, SurveyPage)]
    possible = {
        "complete": True,
        "full": True,
        "no_consent": any(isinstance(p, ConsentPage) for p in definition.pages),
        "screened_out": any(q.screen_out for p in surveys for q in p.questions),
        "failed_checks": bool(definition.checks.attention),
    }
    return [outcome for outcome in OUTCOMES if possible[outcome]]


def check_codes(study: Study, path: str | Path, without: Collection[str] = ()) -> None:
    """Refuse codes that are missing, given twice or mere placeholders, with line and key; `without` lists outcomes that need none."""
    if ALL in without:
        return
    path = Path(path) / FILE if Path(path).is_dir() else Path(path)
    file = YamlFile(path.read_bytes().decode("utf-8-sig"), str(path))
    named: list[tuple[str, Location]] = [(o, ("recruit", "codes", o)) for o in possible_outcomes(study)]
    if study.definition.recruit.codes.quota:
        named.append(("quota", ("recruit", "codes", "quota")))
    for number in range(len(study.definition.sessions)):
        named += [(o, ("sessions", number, "codes", o)) for o in ("complete", "late")]
    seen: dict[str, str] = {}
    for outcome, key in named:
        session = int(key[1]) + 2 if key[0] == "sessions" else 1
        code = study.code(outcome, session)
        if not code:
            if outcome in without:
                continue
            file.fail(
                key,
                "no code, and people can end this way. Give the recruiter's code, or serve with"
                f" --without-code {outcome} (--without-code all if nobody is sent back to a recruiter).",
            )
        if len(code) < _SHORTEST or re.search(r"[\s<>{}…]|\.\.\.", code) or _PLACEHOLDER.fullmatch(code):
            file.fail(
                key, f"found {code[:40]!r}, which looks like a placeholder; expected the recruiter's code."
            )
        if code in seen:
            file.fail(
                key, f"found {code[:40]!r}, which is the code of {seen[code]} as well; expected another."
            )
        seen[code] = outcome if session == 1 else f"{outcome} of session {session}"
