"""A study in a real browser: by keyboard alone, without scripts, on a phone, through every mishap, and under attack."""

import json

import httpx
import pytest
from sqlalchemy import func, select

from plainmark.study.store.answer_rows import answer_rows
from plainmark.study.store.tables import answers, participants, resubmissions
from support import studies
from support.study_server import TOKEN, answered, page_of, served

ATTACKS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "' autofocus onfocus=alert(3) x='",
    "</title></textarea></option></legend><svg onload=alert(4)>",
    "{{ 7 * 7 }}{% raw %}<b>bold</b>{% endraw %}",
    "<!--<iframe srcdoc='<script>parent.alert(5)</script>'>",
    "javascript:alert(6)//",
    "</style><style>@import 'http://example.org/x.css'</style>",
    "\u202e\u2066\u0000\ufffe<math><mi xlink:href='javascript:alert(7)'>x",
    "<base href='http://example.org/'><form action='http://example.org/'>",
]
EVIL = " ".join(ATTACKS)

ALL_KINDS = [
    {"id": "m", "type": "mcq", "text": "Which?", "options": ["This one", "That one"], "key": "A", "help": "Some help.", "example": "An example."},
    {"id": "yn", "type": "yesno", "text": "Is it so?"},
    {"id": "l", "type": "likert", "text": "How much?", "labels": ["little", "much"], "show_if": {"question": "yn", "equals": "yes"}},
    {"id": "s", "type": "slider", "text": "How far?", "labels": ["near", "far"]},
    {"id": "c", "type": "count", "text": "How many?"},
    {"id": "r", "type": "rank", "text": "In which order?", "options": ["red", "blue"]},
    {"id": "t", "type": "text", "text": "Why?", "required": False},
]  # fmt: skip
ATTENTION = {
    "after": 1,
    "text": "Say yes.",
    "question": {
        "id": "a",
        "type": "mcq",
        "text": "Say?",
        "options": ["yes", "no"],
        "key": "A",
        "shuffle": False,
    },
}


def whole(**changes):
    """A study with every kind of page and question but pairs."""
    practice = {
        "kind": "practice",
        "title": "Practice",
        "item": {"texts": ["The sun is hot."]},
        "questions": [{"id": "p", "type": "yesno", "text": "Is it hot?", "key": "yes", "feedback": "It is."}],
    }
    pages = [
        {"kind": "consent", "title": "Welcome", "text": "One.\n\nTwo."},
        practice,
        {"kind": "block", "title": "Read", "show": "source+text", "questions": ALL_KINDS},
        {"kind": "survey", "title": "Last", "questions": [{"id": "note", "type": "text", "text": "Anything else?"}]},
    ]  # fmt: skip
    made = {"pages": pages, "design": {"per_participant": 2}, "checks": {"attention": [ATTENTION]}}
    return studies.definition(**{**made, **changes})


@pytest.fixture
def run(tmp_path):
    opened = []

    def start(made=None, rows=None):
        one = served(studies.write(tmp_path / "study", made or whole(), rows))
        opened.append(one)
        return one.__enter__()

    yield start
    for one in opened:
        one.__exit__(None, None, None)


@pytest.fixture
def surf(browser):
    """surf(study): a page of a fresh browser; dialogs, policy violations and requests elsewhere fail the test."""
    opened = []

    def begin(study, path="/?PROLIFIC_PID=someone", *, context=None, **options):
        context = context or browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, "service_workers": "block", **options}
        )
        page = context.new_page()
        seen = {"bad": [], "study": study}
        opened.append((context, seen))
        page.on("dialog", lambda d: (seen["bad"].append(f"dialog {d.message}"), d.dismiss()))
        page.on("request", lambda r: None if r.url.startswith(study.url) else seen["bad"].append(r.url))
        page.on("pageerror", lambda e: seen["bad"].append(str(e)))
        page.on("console", lambda m: seen["bad"].append(m.text) if _is_bad(m) else None)
        if options.get("java_script_enabled", True):
            page.add_init_script(
                "addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective))"
            )
        if path:
            page.goto(study.url + path)
        return page

    yield begin
    for context, seen in opened:
        context.close()
        assert seen["bad"] == []


def _is_bad(message):
    # A browser reports pages that ask for another try (422), refuse (4xx) or cannot be reached as errors of their own.
    return message.type in ("error", "warning") and "Failed to load resource" not in message.text


def count(study, table):
    return study.store.database.read(
        lambda c: c.execute(select(func.count()).select_from(table)).scalar_one()
    )


def fill(page):
    """Answer what can be seen, with the mouse."""
    for field in page.locator("fieldset.question").all():
        if not field.is_visible():
            continue
        names = dict.fromkeys(r.get_attribute("name") for r in field.locator("input[type=radio]").all())
        for place, name in enumerate(names):
            kind = field.get_attribute("data-type")
            field.locator(f"input[name={name}]").nth(place if kind == "rank" else 0).check()
        for box in field.locator("input[type=number]").all():
            box.fill("3")
        for box in field.locator("textarea").all():
            box.fill("Some words")


def go_on(page):
    """Send the page and see the next one."""
    with page.expect_navigation():
        page.locator("button.go").click()


CONTINUE = "form[action$='/continue'] button.go"


def follow(page):
    """Leave the feedback of a practice page."""
    with page.expect_navigation():
        page.locator(CONTINUE).click()


def finish(page, most=20):
    """Answer until there is no form."""
    for _ in range(most):
        if page.locator(CONTINUE).count():
            follow(page)
            continue
        if not page.locator("form[data-page]").count():
            return
        fill(page)
        go_on(page)
    raise AssertionError("the study does not end")


def test_by_keyboard_alone(run, surf):
    """Tab, arrows, space, letters and Enter; what has the focus can always be seen."""
    study = run()
    page = surf(study)

    def focus():
        return page.evaluate(
            """() => {
              const e = document.activeElement, box = e.closest(".option") || e, s = getComputedStyle(box);
              return {name: e.name || "", type: e.type || e.tagName, kind: e.closest("[data-type]")?.dataset.type || "",
                      visible: s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 || s.boxShadow !== "none"};
            }"""
        )

    for _ in range(12):
        if page.locator("h1", has_text="Thank you").count():
            break
        rank = 0
        for _ in range(60):
            page.keyboard.press("Tab")
            at = focus()
            if at["type"] == "BODY":
                continue
            assert at["visible"], at
            if at["type"] == "radio":
                page.keyboard.press("Space")
                if at["kind"] == "rank":
                    for _ in range(rank):
                        page.keyboard.press("ArrowRight")
                    rank += 1
            elif at["type"] == "range":
                page.keyboard.press("ArrowRight")
            elif at["type"] == "number" and at["kind"] == "count":
                page.keyboard.type("4")
            elif at["type"] == "textarea":
                page.keyboard.type("typed by hand")
            elif at["type"] == "submit":
                with page.expect_navigation():
                    page.keyboard.press("Enter")
                break
        else:
            raise AssertionError(f"no way on from {page.url}")
    assert page.locator("h1").inner_text() == "Thank you!"
    rows = answer_rows(study.store)
    assert {r.question for r in rows if r.page == "block"} == {
        "m", "yn", "l", "s", "c", "r[red]", "r[blue]", "t"
    }  # fmt: skip
    assert next(r.value for r in rows if r.question == "s") == "51"
    assert {r.value for r in rows if r.question == "t"} == {"typed by hand"}
    assert page.locator("a.go").get_attribute("href").endswith("cc=C1")


def test_without_scripts(run, surf):
    study = run()
    page = surf(study, "/", java_script_enabled=False)
    assert page.locator(".condition").count() == 0
    finish(page)
    assert page.locator("h1").inner_text() == "Thank you!"
    assert {r.outcome for r in answer_rows(study.store)} == {"complete"}
    assert count(study, answers) == 1 + 1 + 2 * 8 + 1 + 1


def test_conditions_without_scripts_are_words(run, surf):
    page = surf(run(whole(checks={})), java_script_enabled=False)
    for _ in range(2):
        fill(page)
        go_on(page)
    follow(page)
    assert page.locator(".condition").inner_text() == "Only if you answered “Yes” to “Is it so?”."
    assert page.locator("input[name=q4]").get_attribute("type") == "number"


def trial(study, surf, **options):
    """Someone at their first trial."""
    page = surf(study, **options)
    for _ in range(2):
        fill(page)
        go_on(page)
    follow(page)
    return page


def test_questions_appear_when_they_are_asked(run, surf):
    page = trial(run(), surf)
    likert = page.locator("fieldset[data-depends]")
    assert not likert.is_visible()
    page.get_by_label("Yes", exact=True).check()
    assert likert.is_visible()
    page.get_by_label("No", exact=True).check()
    assert not likert.is_visible()


def test_a_slider_suggests_nothing(run, surf):
    page = trial(run(), surf)
    line, number = page.locator("input[type=range]"), page.locator("input[data-slider]")
    assert number.input_value() == ""
    assert "unset" in line.get_attribute("class")
    number.fill("70")
    assert line.input_value() == "70"
    line.focus()
    page.keyboard.press("ArrowLeft")
    assert number.input_value() == "69"


def test_reload_and_back(run, surf):
    study = run()
    page = trial(study, surf)
    fill(page)
    page.locator("textarea").fill("half a thought")
    page.reload()
    assert page.locator("textarea").input_value() == "half a thought", "what was typed survives a reload"
    assert page.locator("input[name=q1]:checked").count() == 1
    go_on(page)
    stored = count(study, answers)
    second = page.locator("input[name=page]").get_attribute("value")
    page.go_back()
    page.wait_for_load_state()
    if page.locator("form[data-page]").count() and page.locator("textarea").count():
        fill(page)
        go_on(page)
    page.goto(study.url + "/study")
    assert page.locator("input[name=page]").get_attribute("value") == second
    assert count(study, answers) == stored, "a page is taken once"
    page.reload()
    assert page.locator("input[name=page]").get_attribute("value") == second
    finish(page)
    assert page.locator("h1").inner_text() == "Thank you!"
    page.go_back()
    page.goto(study.url + "/")
    assert page.locator("h1").inner_text() == "Thank you!"


def test_someone_else_with_the_same_link(run, surf):
    """A link that was passed on, or guessed, shows nothing of the person who began with it."""
    study = run()
    own = trial(study, surf)
    other = surf(study)
    assert "another browser" in other.locator("h1").inner_text()
    assert other.locator("form").count() == 0
    own.goto(study.url + "/?PROLIFIC_PID=someone")
    finish(own)
    assert own.locator("h1").inner_text() == "Thank you!"


def test_the_place_is_taken_at_consent(run, surf):
    study = run()
    page = surf(study)
    page.reload()
    surf(study, "/?PROLIFIC_PID=prefetched")
    assert count(study, participants) == 0
    page.bring_to_front()
    fill(page)
    go_on(page)
    assert count(study, participants) == 1


def test_two_tabs(run, surf):
    study = run()
    one = trial(study, surf)
    other = surf(study, "/study", context=one.context)
    for page, words in ((one, "first words"), (other, "second words")):
        page.bring_to_front()  # browsers slow down tabs that nobody sees
        fill(page)
        page.locator("textarea").fill(words)
    go_on(one)
    go_on(other)
    assert "had already answered that page" in other.locator(".notice").inner_text()
    same = [p.locator("input[name=page]").get_attribute("value") for p in (one, other)]
    assert same[0] == same[1]
    assert [r.value for r in answer_rows(study.store) if r.question == "t"] == ["first words"]
    assert count(study, resubmissions) == 1
    finish(other)
    one.reload()
    assert one.locator("h1").inner_text() == "Thank you!"


def test_a_double_click_is_one_submit(run, surf):
    study = run()
    page = surf(study)
    fill(page)
    with page.expect_navigation():
        page.locator("button.go").dblclick()
    assert page.locator(".notice").count() == 0
    assert count(study, answers) == 1


def test_offline_in_mid_submit(run, surf):
    study = run()
    page = trial(study, surf)
    fill(page)
    page.locator("textarea").fill("written on a train")
    before = count(study, answers)
    page.context.set_offline(True)
    page.locator("button.go").click()
    page.locator(".offline").wait_for()
    assert page.locator("textarea").input_value() == "written on a train"
    assert count(study, answers) == before
    page.context.set_offline(False)
    go_on(page)
    assert [r.value for r in answer_rows(study.store) if r.question == "t"] == ["written on a train"]


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("reached", [True, False])
def test_the_answer_of_a_submit_is_lost(run, surf, scripts, reached):
    """The connection breaks before the server heard of it, or after it stored the page: in both cases it is there once."""
    study = run()
    page = trial(study, surf, java_script_enabled=scripts)
    fill(page)
    page.locator("textarea").fill("sent into the dark")

    def cut(route):
        if reached:
            request = route.request
            cookie = {"cookie": request.all_headers()["cookie"]}
            kind = {"content-type": "application/x-www-form-urlencoded"}
            httpx.post(request.url, content=request.post_data_buffer, headers=cookie | kind)
        route.abort("connectionreset")

    page.route("**/study", cut)
    page.locator("button.go").click()
    page.wait_for_timeout(500)
    page.unroute("**/study")
    page.goto(study.url + "/study")
    if not reached:
        assert page.locator("textarea").count() == 1
        if scripts:
            assert page.locator("textarea").input_value() == "sent into the dark", "kept for this tab"
        fill(page)
        page.locator("textarea").fill("sent into the dark")
        go_on(page)
    found = [r.value for r in answer_rows(study.store) if r.question == "t"]
    assert found == ["sent into the dark"]
    finish(page)
    assert page.locator("h1").inner_text() == "Thank you!"


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone(run, surf, width):
    """Nothing to scroll sideways, nothing too small to touch."""
    study = run()
    page = surf(study, viewport={"width": width, "height": 700}, has_touch=True, is_mobile=True)
    for _ in range(12):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        small = page.evaluate(
            """() => [...document.querySelectorAll(".option, button, a.go, textarea, input[type=number], summary")]
                 .filter(e => e.offsetParent && e.getBoundingClientRect().height < 24).map(e => e.outerHTML)"""
        )
        assert small == []
        if page.locator("h1", has_text="Thank you").count():
            return
        if page.locator("form[data-page]").count():
            fill(page)
            go_on(page)
        else:
            follow(page)
    raise AssertionError("the study does not end")


CONTRAST = """() => {
  const parse = (c) => { const m = c.match(/[\\d.]+/g).map(Number); return m.length > 3 ? m : [...m, 1]; };
  const light = (c) => { const f = c.slice(0, 3).map(v => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
                         return .2126 * f[0] + .7152 * f[1] + .0722 * f[2]; };
  const behind = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c[3] > .99) return c; } return [255, 255, 255]; };
  const out = [];
  for (const e of document.querySelectorAll("body *")) {
    if (!e.offsetParent || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
    const a = light(parse(getComputedStyle(e).color)), b = light(behind(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5 && !e.disabled) out.push(e.tagName + "." + e.className + " " + ratio.toFixed(2) + " " + e.textContent.trim().slice(0, 30));
  }
  return out;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_and_names(run, surf, scheme):
    """WCAG 2.2 AA: 4.5 to 1 for all text; every field has a name; one h1; a language."""
    study = run()
    page = surf(study, color_scheme=scheme)
    for _ in range(12):
        if page.locator("form[data-page]").count():
            go_on(page)  # the page with its complaints
            page.wait_for_load_state()
        assert page.evaluate(CONTRAST) == []
        assert page.locator("h1").count() == 1
        assert page.locator("html").get_attribute("lang") == "en"
        nameless = page.evaluate(
            """() => [...document.querySelectorAll("input:not([type=hidden]), textarea, select, button, a")].filter(e =>
                 !(e.labels?.length || e.getAttribute("aria-labelledby")?.split(" ").every(i => document.getElementById(i)?.textContent)
                   || e.getAttribute("aria-label") || e.textContent.trim())).map(e => e.outerHTML)"""
        )
        assert nameless == []
        if page.locator("h1", has_text="Thank you").count():
            break
        if page.locator("form[data-page]").count():
            fill(page)
            go_on(page)
        else:
            follow(page)
        page.wait_for_load_state()
    page.goto(f"{study.url}/admin?token={TOKEN}")
    for path in ("/admin", "/admin/review", "/admin/audit"):
        page.goto(study.url + path)
        assert page.evaluate(CONTRAST) == []


def test_live_checks_of_a_rewriting(run, surf):
    rows = studies.items()
    for row in rows:
        row["texts"] = {
            "plain": "The committee postponed its decision because of insufficient evidence yesterday."
        }
    rewrite = {"id": "w", "type": "text", "text": "Simply?", "rewrite": {"copying": 0.9}}
    block = {"kind": "block", "show": "text", "questions": [rewrite]}
    study = run(studies.definition(pages=[block], conditions=["plain"]), rows)
    page = surf(study)
    go_on(page)  # no consent, only a button
    box, says = page.locator("textarea"), page.locator(".live")
    for words, note in [
        ("They waited.", "Short"),
        ("The committee postponed its decision because of insufficient evidence yesterday", "itself"),
        ("The group did not decide. There was too little proof so far then", "do not split"),
        ("word " * 40, "shorter"),
        ("The group did not decide then, as there was too little proof", "✓"),
    ]:
        box.fill(words)
        assert note in says.inner_text(), words
    box.fill("They waited.")
    go_on(page)
    assert "Please keep all of its information" in page.locator(".problems").inner_text()
    assert page.locator("textarea").input_value() == "They waited."
    page.locator("textarea").fill("The group did not decide then, as there was too little proof")
    go_on(page)
    assert count(study, answers) == 1


def evil_definition():
    """Attacks in every text that a definition has."""
    questions = json.loads(json.dumps(ALL_KINDS))
    for question in questions:
        question["text"] = question["help"] = question["example"] = EVIL
        for key in ("options", "labels"):
            if key in question and question["type"] != "rank":
                question[key] = [f"{i} {EVIL}" for i in range(len(question[key]))]
    questions[0]["key"] = "A"
    questions[5]["options"] = ["<script>alert(8)</script>", '"><img src=x onerror=alert(9)>']
    pages = whole()["pages"]
    pages[0].update(title=EVIL, text=f"{EVIL}\n\n{EVIL}", agree=EVIL, decline=f"no {EVIL}")
    pages[1].update(title=EVIL, text=EVIL, labels=[EVIL], item={"texts": [EVIL]})
    pages[1]["questions"][0].update(text=EVIL, feedback=EVIL)
    pages[2].update(title=EVIL, text=EVIL, labels=[EVIL, EVIL], questions=questions)
    pages[3].update(title=EVIL, questions=[{"id": "note", "type": "text", "text": EVIL}])
    conditions = ["<script>alert(10)</script>", '"><img src=x onerror=alert(11)>']
    attention = {
        "after": 1,
        "text": EVIL,
        "question": {**ATTENTION["question"], "text": EVIL, "options": [EVIL, f"x {EVIL}"]},
    }
    made = whole(
        title=EVIL,
        pages=pages,
        conditions=conditions,
        design={"per_participant": 2, "replicates": 6},
        checks={"attention": [attention], "review": 5},
        privacy={"contact": EVIL},
        recruit={"codes": {"complete": EVIL}},
    )
    rows = [
        {"id": f"{i} {EVIL}"[:190], "source": EVIL, "texts": dict.fromkeys(conditions, f"{EVIL}\n\n{EVIL}")}
        for i in range(4)
    ]
    return made, rows


@pytest.mark.parametrize("scripts", [True, False])
def test_attacks_are_only_text(run, surf, scripts):
    """Definition, items, answers, recruiter's parameters and admin pages; `surf` watches for dialogs and violations."""
    study = run(*evil_definition())
    page = surf(study, None, java_script_enabled=scripts)
    tried = ATTACKS if scripts else ATTACKS[:2]
    for attack in tried:
        page.goto(
            str(
                httpx.URL(
                    study.url, params={"PROLIFIC_PID": attack, "STUDY_ID": attack, "SESSION_ID": attack}
                )
            )
        )
        page.goto(str(httpx.URL(study.url + "/study", params={"note": attack, "page": attack})))
        page.goto(str(httpx.URL(study.url + "/practised", params={"page": attack})))
        page.goto(str(httpx.URL(study.url + "/admin", params={"token": attack})))
    page.context.clear_cookies()
    assert count(study, participants) == 0, "links alone enrol no one"
    evil = EVIL.replace("\0", "")  # which is refused
    page.goto(str(httpx.URL(study.url, params={"PROLIFIC_PID": evil[:350], "STUDY_ID": evil})))
    for _ in range(14):
        assert "49" not in page.locator("header").inner_text(), "no template is run"
        if page.locator(CONTINUE).count():
            follow(page)
            continue
        if not page.locator("form[data-page]").count():
            break
        for box in page.locator("textarea").all():
            box.fill(evil * 20)  # too long: shown again with what was typed
        go_on(page)
        fill(page)
        for box in page.locator("textarea").all():
            box.fill(evil)
        go_on(page)
    assert page.locator("h1").inner_text() == "Thank you!"
    assert (
        page.locator("a.go")
        .get_attribute("href")
        .startswith("https://app.prolific.com/submissions/complete?cc=%3C")
    )
    # From another address: this one is locked out after so many wrong tokens.
    elsewhere = {"x-forwarded-for": "192.0.2.1"}
    admin = surf(study, None, java_script_enabled=scripts, extra_http_headers=elsewhere)
    admin.clock.install()
    admin.goto(f"{study.url}/admin?token={TOKEN}")
    for path in ("/admin", "/admin/review", "/admin/audit"):
        admin.goto(study.url + path)
        assert admin.locator("img, iframe, svg, base").count() == 0
    if scripts:
        admin.goto(study.url + "/admin")
        with admin.expect_response("**/admin"):  # the dashboard refreshes itself
            admin.clock.run_for(6000)
        admin.wait_for_timeout(200)
    assert count(study, participants) == 1


def test_the_dashboard_refreshes_itself(run, surf):
    study = run()
    admin = surf(study, None)
    admin.clock.install()
    admin.goto(f"{study.url}/admin?token={TOKEN}")
    assert "Nobody has come yet" in admin.locator("#live").inner_text()
    with study.person("someone new") as person:
        person.post("/study", data=answered(page_of(person)))
        admin.clock.run_for(6000)
        admin.locator("td", has_text="working").wait_for(timeout=15_000)
    with admin.expect_navigation():
        admin.locator("button", has_text="Let no new people in").click()
    assert admin.locator(".notice", has_text="Paused").count() == 1
    with admin.expect_navigation():
        admin.locator("button", has_text="Let people in again").click()
    assert admin.locator(".notice", has_text="Paused").count() == 0
    assert "1 person holds a place and has answered nothing yet." in admin.locator("#live").inner_text()
    with admin.expect_navigation():
        admin.get_by_role("button", name="Release").click()
    assert "Nobody has come yet" in admin.locator("#live").inner_text()
    assert count(study, participants) == 0
    with admin.expect_download() as download:
        admin.get_by_text("CSV").click()
    assert download.value.suggested_filename == "tiny-pilot.csv"
