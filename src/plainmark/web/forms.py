"""Reading what a browser sends: forms, cookies, and whether they come from our own pages."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

_MOST_FIELDS = 2000


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form; of a name that comes twice, the last. Files and JSON are not taken."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(415, "expected a form")
    body = await request.body()
    try:
        pairs = parse_qsl(
            body.decode("ascii", "replace"),
            keep_blank_values=True,
            encoding="utf-8",
            errors="replace",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError:
        raise HTTPException(400, "too many fields") from None
    form = dict(pairs)
    request.state.form = form
    return form


def from_elsewhere(request: Request) -> bool:
    """Whether the browser says that another site made this request."""
    return request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
