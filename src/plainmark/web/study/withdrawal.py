"""How participants withdraw by themselves: with their session, their signed link, or the code that they were given.

GET  /withdraw    says what happens, and asks; ?code=… or a signed link says for whom. Writes nothing
POST /withdraw    removes the participant whose code was sent, and everything of them

The code is the proof: whoever has it could read the session's pages as well. Wrong codes lock their address out.
"""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...study.store import enrolment, removal
from ..addresses import LockOut, client_network
from ..security import cookies_of, is_cross_site, read_form
from .arrival import Arrival
from .pages import StudyPages

_MAX_CODE = 80


class WithdrawalPages(StudyPages):
    """The pages on which participants withdraw."""

    def __post_init__(self) -> None:
        study = self.store.study.definition.id
        self._cookies = [self.cookie_name(f"{name}-{study}") for name in ("study", "visit")]
        self._lock_out = LockOut()

    @property
    def routes(self) -> list[Route]:
        """The routes of these pages."""
        return [Route("/withdraw", self.ask), Route("/withdraw", self.withdraw, methods=["POST"])]

    async def ask(self, request: Request) -> Response:
        """Say what withdrawing means; the code is filled in if the browser or the link knows it."""
        code = request.query_params.get("code", "")[:_MAX_CODE]
        return self.renderer.page("withdraw.html", code=code or await self._known_code(request))

    async def _known_code(self, request: Request) -> str:
        names = self.store.study.definition.recruit.parameters
        arrival = Arrival.by_link(request.query_params, names, "")
        token = cookies_of(request.scope).get(self._cookies[0], "")[:64]
        if arrival.external and arrival.is_signed(self.secrets):
            session = await self.threads.run(enrolment.find, self.store, arrival.identity)
            token = session.token if session else ""
        return await self.threads.run(removal.code_of, self.store, token) if token else ""

    async def withdraw(self, request: Request) -> Response:
        """Remove the participant, or say that the code is nobody's."""
        form = await read_form(request)
        address = client_network(request)
        wait = self._lock_out.seconds_left(address)
        if is_cross_site(request, compare_origin=False):
            return self.say("error.not_possible", 403)
        if wait:
            raise HTTPException(429, headers={"retry-after": str(int(wait) + 1)})
        code = form.get("code", "")[:_MAX_CODE]
        if not await self.threads.run(removal.withdraw, self.store, code, self.clock()):
            self._lock_out.fail(address)
            return self.say("withdrawal.unknown", 404)
        self._lock_out.succeed(address)
        response = self.say("withdrawal.done", 200)
        for cookie in self._cookies:
            response.delete_cookie(cookie, path="/", secure=self.settings.secure, httponly=True)
        return response
