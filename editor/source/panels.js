// The panel beside the text (suggestions, facts, targets) as tabs; on a phone one pane at a time.

import { byId } from "./dom.js";

const TABS = ["cards", "facts", "targets"];

export function makePanels() {
  const form = byId("editor");
  const tabs = TABS.map((name) => byId(`tab-${name}`));
  const views = [...document.querySelectorAll("[data-view]")];

  TABS.forEach((name, i) => {
    byId(name).setAttribute("role", "tabpanel");
    byId(name).setAttribute("aria-labelledby", `tab-${name}`);
    tabs[i].addEventListener("click", () => choose(name));
    tabs[i].addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = (i + step + TABS.length) % TABS.length;
      choose(TABS[next]);
      tabs[next].focus();
      event.preventDefault();
    });
  });
  for (const button of views) button.addEventListener("click", () => chooseView(button.dataset.view));

  function choose(name) {
    TABS.forEach((other, i) => {
      byId(other).hidden = other !== name;
      tabs[i].setAttribute("aria-selected", String(other === name));
      tabs[i].tabIndex = other === name ? 0 : -1;
    });
  }

  /** On a narrow screen: which pane is seen. */
  function chooseView(name) {
    form.dataset.view = name;
    if (TABS.includes(name)) choose(name);
    for (const button of views) button.setAttribute("aria-pressed", String(button.dataset.view === name));
  }

  function current() {
    return TABS.find((name) => !byId(name).hidden);
  }

  /** F6: from pane to pane. */
  function step(direction, { text, original, facts }) {
    const places = [
      ...(form.classList.contains("single") ? [] : [{ name: "original", box: original.dom, focus: () => original.focus() }]),
      { name: "text", box: text.dom, focus: () => text.focus() },
      { name: "", box: byId("side"), focus: () => {
        if (current() === "facts" && byId("fact-list").children.length) facts.focus();
        else (byId(current()).querySelector("article[tabindex='0']") || byId(`tab-${current()}`)).focus();
      } },
    ];
    const at = places.findIndex(({ box }) => box.contains(document.activeElement));
    const next = places[(at + direction + places.length) % places.length];
    chooseView(next.name || current());
    next.focus();
  }

  function single(folded) {
    for (const button of views) if (button.dataset.view === "original") button.hidden = folded;
    if (folded && form.dataset.view === "original") chooseView("text");
  }

  choose("cards");
  chooseView("text");
  return { choose, chooseView, step, single };
}
