"""Who comes to a study, as their link and their browser say, and whether they may begin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from starlette.datastructures import QueryParams

from ...study.definition.models import Parameters
from ...study.store.store import Session
from ..security import equal_in_constant_time
from .settings import SIGNATURE, Secrets, StudySettings

START = "start"  # stands for the token of the first page, which is shown before there is a session
_LONGEST = 80  # characters of what is kept besides the id


@dataclass(frozen=True)
class Arrival:
    """Someone who comes to a study."""

    external: str  # the recruiter's id; empty without a recruiter
    recruiter_study: str
    signature: str
    visit: str  # a secret of the browser

    @classmethod
    def by_link(cls, query: QueryParams, names: Parameters, visit: str) -> Self:
        """Someone who opened the study's link."""
        external, study = query.get(names.participant, ""), query.get(names.study, "")
        return cls(external.strip(), study[:_LONGEST], query.get(SIGNATURE, "")[:_LONGEST], visit)

    @classmethod
    def by_form(cls, form: Mapping[str, str], visit: str) -> Self:
        """Someone who sent the first form."""
        external, study = form.get("participant", ""), form.get("recruiter_study", "")
        return cls(external.strip(), study[:_LONGEST], form.get("signature", "")[:_LONGEST], visit)

    @property
    def fields(self) -> dict[str, str]:
        """Hidden fields with which the first form says again who sends it."""
        names = {"participant": self.external, "recruiter_study": self.recruiter_study}
        return {**names, "signature": self.signature} if self.external else {}

    @property
    def identity(self) -> str:
        """What stands for the participant; without a recruiter the browser's secret is all there is."""
        return self.external or f"visit {self.visit}"

    def is_signed(self, secrets: Secrets) -> bool:
        """Whether the link was signed for this id."""
        return bool(self.signature) and secrets.is_signature(self.external, self.signature)

    def is_invited(self, settings: StudySettings, secrets: Secrets) -> bool:
        """Whether the study admits this id, by this link."""
        listed = settings.ids is None or self.external in settings.ids
        return listed and (not settings.signed_links or self.is_signed(secrets))

    def owns(self, session: Session, cookie: str, secrets: Secrets) -> bool:
        """Whether a session is theirs: their browser began it, or their link is signed. An id alone is no proof."""
        own = secrets.session_token(self.identity, self.visit)
        by_browser = any(equal_in_constant_time(session.token, token) for token in (own, cookie))
        return by_browser or self.is_signed(secrets)
