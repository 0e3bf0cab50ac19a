"""Where the files of data sets come from: sources.toml, which has address, sha256, size and licence of each."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from urllib.parse import quote


@dataclass(frozen=True)
class Source:
    """A file of a data set, as it must arrive."""

    path: str  # below the data folder
    sha256: str
    size: int
    licence: str
    url: str = ""  # empty where the file cannot be downloaded as it is
    archive: str = ""  # "zip" where the url is an archive with the file in it
    reason: str = ""  # why it cannot be downloaded


@cache
def sources(package: str = "plainmark.datasets") -> dict[str, Source]:
    """Path -> source, of all files that a package of data sets declares in its sources.toml."""
    declared = files(package) / "sources.toml"
    if not declared.is_file():
        return {}
    known = {}
    for folder, group in tomllib.loads(declared.read_text("utf-8")).items():
        for file in group["files"]:
            path, reason = f"{folder}/{file['path']}", file.get("reason", "")
            url = "" if reason else group["address"] + quote(file.get("upstream", file["path"]), safe="/+")
            known[path] = Source(
                path, file["sha256"], file["size"], group["licence"], url, file.get("archive", ""), reason
            )
    return known
