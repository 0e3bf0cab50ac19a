"""Nothing in the data can break out of a page."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.report import html

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    "--><img src=x onerror=alert(1)>",
    "]]></title><svg onload=alert(1)>",
    "\u2028alert(1)\u2029",
    "\ud800 half a pair",
    "\x00\x08",
    "\"'`&amp;<>",
    "'; alert(1); '",
    "${alert(1)}",
]


@pytest.mark.parametrize("text", HOSTILE, ids=repr)
def test_embedded_data_come_back_and_contain_no_markup(text):
    written = html.embed({"a": [text], text: 1})
    assert json.loads(written) == {"a": [text], text: 1}
    assert not set("<>&\u2028\u2029") & set(written)
    written.encode("utf-8")


@given(st.text(st.characters(exclude_categories=[])))
def test_any_text_survives_embedding(text):
    written = html.embed(text)
    assert json.loads(written) == text
    assert not re.search("[<>&\u2028\u2029\ud800-\udfff]", written)


def test_undefined_numbers_are_refused_rather_than_written():
    with pytest.raises(ValueError, match="JSON"):
        html.embed(float("nan"))


@given(st.text(st.characters(exclude_categories=[])))
def test_escaped_text_is_inert_in_tags_and_attributes(text):
    written = html.escape(text)
    written.encode("utf-8")
    assert not set("<>\"'\x00") & set(written)
    assert "&" not in re.sub(r"&(amp|lt|gt|quot|#x27);", "", written)


def test_the_policy_allows_exactly_this_style_and_script():
    page = html.document("T", "<p>x</p>", style="a{}", script="run()", data=[1])
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#39;", "'")

    def digest(text):
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest('a{}')}'; script-src 'sha256-{digest('run()')}'; "
        "base-uri 'none'; form-action 'none'"
    )


def test_a_document_has_one_of_everything():
    seen = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: seen.append(tag)
    parser.feed(html.document("<b>&", "<main></main>", style="", script="", data={}))
    assert seen == [
        "html",
        "head",
        *["meta"] * 6,
        "title",
        "style",
        "body",
        "main",
        "script",
        "script",
    ]


@pytest.mark.parametrize("name", sorted(f.name for f in Path(html.__file__).with_name("static").iterdir()))
def test_assets_ship_and_load_nothing(name):
    text = html.asset(name)
    assert "</" not in text, "would end the element it stands in"
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|WebSocket|sendBeacon|import\(", text)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text)
