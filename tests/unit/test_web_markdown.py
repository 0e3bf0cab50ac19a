"""The Markdown of consent and instructions: what it can do, and that it can do nothing else."""

import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.web.markdown import render
from support import studies
from support.attacks import ATTACKS, EVIL
from support.study_server import served

LINK = 'rel="noopener noreferrer" target="_blank"'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        ("May we?", '<p dir="auto">May we?</p>'),
        ("One\nline\n\nTwo", '<p dir="auto">One\nline</p><p dir="auto">Two</p>'),
        ("# Consent", '<h2 dir="auto">Consent</h2>'),
        ("### Data ###\nkept", '<h4 dir="auto">Data</h4><p dir="auto">kept</p>'),
        ("#no heading", '<p dir="auto">#no heading</p>'),
        ("You may:\n- read\n* rest\n  a while", '<p dir="auto">You may:</p><ul><li dir="auto">read</li><li dir="auto">rest\na while</li></ul>'),
        ("1. first\n\n2. second", '<ol><li dir="auto">first</li><li dir="auto">second</li></ol>'),
        ("3) third", '<ol start="3"><li dir="auto">third</li></ol>'),
        ("It began in\n1984. So it was.", '<p dir="auto">It began in\n1984. So it was.</p>'),
        ("> said\n> **she**", '<blockquote><p dir="auto">said\n<strong>she</strong></p></blockquote>'),
        ("**bold *both* bold** _it_ `a*b*`", '<p dir="auto"><strong>bold <em>both</em> bold</strong> <em>it</em> <code>a*b*</code></p>'),
        ("snake_case_name 2 * 3 * 4", '<p dir="auto">snake_case_name 2 * 3 * 4</p>'),
        ("\\*plain\\*", '<p dir="auto">*plain*</p>'),
        ("[us](https://x.org/?a=1&b=2)", f'<p dir="auto"><a href="https://x.org/?a=1&amp;b=2" {LINK}>us</a></p>'),
        ("<https://x.org>", f'<p dir="auto"><a href="https://x.org" {LINK}>https://x.org</a></p>'),
        ("[write](mailto:a@x.org)", f'<p dir="auto"><a href="mailto:a@x.org" {LINK}>write</a></p>'),
        ("[a <https://y.org>](https://x.org)", f'<p dir="auto"><a href="https://x.org" {LINK}>a &lt;https://y.org&gt;</a></p>'),
        ("![image](https://x.org/i.png)", f'<p dir="auto">!<a href="https://x.org/i.png" {LINK}>image</a></p>'),
    ],
)  # fmt: skip
def test_what_it_can_do(text, html):
    assert str(render(text)) == html


ALLOWED = {"p", "h2", "h3", "h4", "ul", "ol", "li", "blockquote", "strong", "em", "code", "a"}
MARKDOWN_ATTACKS = [
    *ATTACKS,
    EVIL,
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](\x01javascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:msgbox)",
    "[x](//example.org)",
    "[x](/admin)",
    "[x](https:\\\\example.org)",
    '[x](https://example.org/"onmouseover=alert(1))',
    "[x](https://example.org/'onmouseover='alert(1))",
    "[<img src=x onerror=alert(1)>](https://example.org)",
    "[x](https://[::1)",
    "<javascript:alert(1)>",
    "<https://example.org/\"onclick=\"alert(1)>",
    "`<script>alert(1)</script>`",
    "**<svg onload=alert(1)>**",
    "# <b onclick=alert(1)>x",
    "- <script>alert(1)</script>",
    "> <iframe src=javascript:alert(1)>",
    "&#106;avascript:alert(1) [x](&#106;avascript:alert(1))",
    "![x](javascript:alert(1))",
    "[x]: javascript:alert(1)\n[x]",
    "<a href='javascript:alert(1)'>x</a>",
    "\u202e[x](https://example.org)\ufffe",
]  # fmt: skip


class Tags(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.seen = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))

    def handle_comment(self, data):
        self.seen.append(("comment", {}))


def check(html):
    for tag, attributes in Tags(html).seen:
        assert tag in ALLOWED, tag
        assert set(attributes) <= {"dir", "href", "rel", "target", "start"}, attributes
        if tag == "a":
            assert attributes["href"].startswith(("https://", "http://", "mailto:")), attributes
            assert attributes["rel"] == "noopener noreferrer"


@pytest.mark.parametrize("attack", MARKDOWN_ATTACKS)
def test_attacks_are_only_text(attack):
    check(str(render(attack)))
    check(str(render(f"- **{attack}**\n> [{attack}](https://example.org)")))


@given(st.text(st.sampled_from("ab \n*_`[]()<>#>-1.\\\"'&:/") | st.characters(), max_size=200))
def test_nothing_else_can_appear(text):
    check(str(render(text)))
    check(str(render(text.replace("a", "<script>").replace("b", "](javascript:x)"))))


@pytest.mark.parametrize(
    "part", ["**", "*a", "[x](", "`", "> ", "- ", "_a ", "\\", "<https://", "# ", "[", "*a*"]
)
def test_no_text_takes_long(part):
    began = time.process_time()
    render(part * (40_000 // len(part)))
    render(f"{part}\n" * (20_000 // len(part)))
    assert time.process_time() - began < 5


def test_in_a_consent(tmp_path):
    made = studies.definition()
    made["pages"][0]["text"] = (
        "## Who we are\nWe are **people**.\n\n- [more](https://example.org)\n\n<script>alert(1)</script>"
    )
    with served(studies.write(tmp_path / "study", made)) as study, study.client() as client:
        html = client.get("/").text
    assert '<h3 dir="auto">Who we are</h3>' in html
    assert "<strong>people</strong>" in html
    assert f'<li dir="auto"><a href="https://example.org" {LINK}>more</a></li>' in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
