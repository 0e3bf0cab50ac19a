"""The page's form, and text files in it."""

from __future__ import annotations

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from ...errors import InputError
from .requests import MOST_REFERENCES, Form, tidy

_LARGEST_PART = 8_000_000  # bytes; the guard refuses before that


async def read_form(request: Request) -> Form:
    """The fields and files of the page's form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("multipart/form-data", "application/x-www-form-urlencoded"):
        raise HTTPException(415, "expected a form")
    texts: dict[str, list[str]] = {}
    async with request.form(max_files=20, max_fields=40, max_part_size=_LARGEST_PART) as fields:
        for name, value in fields.multi_items():
            if isinstance(value, UploadFile):
                if value.filename or value.size:
                    texts.setdefault(name.removesuffix("_file"), []).append(
                        decode(await value.read(), value.filename or "the file")
                    )
            elif name.endswith("_file"):
                continue
            else:
                texts.setdefault(name, []).append(tidy(value))

    def last(name: str) -> str:
        return next((t for t in reversed(texts.get(name, [])) if t.strip()), "")

    return Form(
        last("source"),
        last("output"),
        last("second"),
        tuple(t for t in texts.get("reference", []) if t.strip())[:MOST_REFERENCES],
        last("samsa") == "yes",
    )


def decode(data: bytes, name: str) -> str:
    """The text of a file: UTF-8, UTF-16 with its mark, or what Windows calls ANSI."""
    encodings = ["utf-16"] if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not any(c < " " and c not in "\t\n\r\f\v" for c in text):
            return tidy(text)
        break
    shown = "".join(c if c.isprintable() else "\ufffd" for c in name[-80:])
    raise InputError(f"{shown}: not a plain text. Save it as .txt (UTF-8), or copy the words and paste them.")
