// Comfort only: the page works without this file. Results follow the typing, files go into their fields.
"use strict";
(() => {
  const form = document.getElementById("form");
  const result = document.getElementById("result");
  const problem = document.getElementById("problem");
  const status = document.getElementById("status");
  const LIVE = 20000; // characters; longer texts wait for the button
  const PAUSE = 600; // milliseconds after the last key
  let running = null;
  let timer = 0;

  const size = () => [...form.querySelectorAll("textarea")].reduce((sum, t) => sum + t.value.length, 0);
  const complete = () => form.elements.source.value.trim() && form.elements.output.value.trim();

  const complain = (words) => {
    const line = document.createElement("p");
    line.className = "problem";
    line.textContent = words;
    problem.replaceChildren(line);
  };

  async function update() {
    clearTimeout(timer);
    if (running) running.abort();
    const mine = running = new AbortController();
    result.classList.add("busy");
    status.textContent = "Comparing …";
    try {
      const answer = await fetch("/part", { method: "POST", body: new FormData(form), signal: mine.signal });
      const text = await answer.text();
      if (mine.signal.aborted) return false;
      status.textContent = answer.ok ? "Done. The result is below." : "";
      if (answer.ok) {
        problem.replaceChildren();
        result.innerHTML = text; // the server has escaped every word of it
        for (const box of result.querySelectorAll(".ribbons")) ribbons(box);
      } else {
        problem.innerHTML = text;
      }
      return answer.ok;
    } catch (fault) {
      if (fault.name === "AbortError") return false;
      status.textContent = "";
      complain("The server does not answer. Is `plainmark serve` still running?");
      return false;
    } finally {
      if (running === mine) { running = null; result.classList.remove("busy"); }
    }
  }

  const later = () => {
    clearTimeout(timer);
    if (!complete()) return;
    if (size() > LIVE) { status.textContent = "Long texts: press the button."; return; }
    timer = setTimeout(update, PAUSE);
  };

  const number = (n) => n.toLocaleString("en");
  const count = (area) => {
    const place = form.querySelector(`[data-words="${area.name}"]`);
    if (!place) return;
    if (area.value.length > Number(area.dataset.longest)) {
      place.textContent = `${number(area.value.length)} characters, at most ${number(Number(area.dataset.longest))}`;
      return;
    }
    const words = area.value.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    place.textContent = words ? `${number(words)} word${words === 1 ? "" : "s"}` : "";
  };
  for (const area of form.querySelectorAll("textarea")) count(area);

  form.addEventListener("input", (event) => {
    if (event.target.tagName === "TEXTAREA") { count(event.target); later(); }
    else if (event.target.type === "checkbox") later();
  });

  // A text file is shown before it is sent; what is no text is left to the server, which says why.
  form.addEventListener("change", async (event) => {
    const input = event.target;
    if (input.type !== "file" || !input.files.length) return;
    if (!input.dataset.for) { later(); return; }
    try {
      if (input.files[0].size > 4e6) throw new Error("large");
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await input.files[0].arrayBuffer());
      if (/[\0-\x08\x0e-\x1f]/.test(text)) throw new Error("binary");
      const area = document.getElementById(input.dataset.for);
      area.value = text;
      input.value = "";
      count(area);
      later();
    } catch { update(); }
  });

  form.addEventListener("submit", async (event) => {
    if (event.submitter && event.submitter.hasAttribute("formaction")) return;
    event.preventDefault();
    if (!await update()) return;
    const heading = result.querySelector("h2");
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    result.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  });
})();
