// Comfort only: every page works without this file, and the server decides what is right.
"use strict";
(() => {
  const form = document.querySelector("form[data-page]");
  const draft = "draft " + (form ? form.dataset.page : "");
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith("draft ") && !key.startsWith(draft)) sessionStorage.removeItem(key);
    }
  } catch { /* nothing kept */ }
  if (!form) return;
  const began = performance.now();
  const isChoice = (field) => field.type === "radio" || field.type === "checkbox";
  // The value of a field, or the numbers of the boxes that are ticked (q1.1, q1.2, ... of q1).
  const valuesOf = (name) => {
    const field = form.elements[name];
    if (field) return [field.value.trim()];
    return fields().filter((f) => f.checked && f.name.startsWith(name + ".")).map((f) => f.name.slice(name.length + 1));
  };

  // What was typed survives a reload or a lost connection, in this tab only.
  const fields = () => [...form.elements].filter((f) => f.name && f.type !== "hidden" && f.type !== "submit" && f.tagName !== "FIELDSET");
  const keep = () => {
    const typed = {};
    for (const f of fields()) if (isChoice(f) ? f.checked : f.value) typed[f.name] = f.value;
    try { sessionStorage.setItem(draft, JSON.stringify(typed)); } catch { /* private windows may refuse */ }
  };
  const restore = () => {
    let typed = {};
    try { typed = JSON.parse(sessionStorage.getItem(draft) || "{}"); } catch { /* nothing kept */ }
    if (!Object.keys(typed).length) return;
    for (const f of fields()) {
      if (f.type === "checkbox") f.checked = Object.hasOwn(typed, f.name);
      if (!Object.hasOwn(typed, f.name)) continue;
      if (isChoice(f)) f.checked = f.value === typed[f.name];
      else f.value = typed[f.name];
    }
  };

  const dependents = [...form.querySelectorAll("[data-depends]")];
  for (const part of dependents) part.querySelector(".condition").hidden = true;
  const follow = () => {
    for (const part of dependents) {
      const name = part.dataset.depends;
      const asked = fields().find((f) => f.name === name || f.name.startsWith(name + ".")).closest(".question");
      const values = valuesOf(name);
      part.hidden = asked.hidden || !JSON.parse(part.dataset.wanted).some((v) => values.includes(v));
    }
  };

  // An option such as "None of these" and the others exclude each other.
  for (const box of form.querySelectorAll("input[data-exclusive]")) {
    const others = [...box.closest(".options").querySelectorAll("input")].filter((b) => b !== box);
    box.addEventListener("change", () => { if (box.checked) for (const b of others) b.checked = false; });
    for (const b of others) b.addEventListener("change", () => { if (b.checked) box.checked = false; });
  }

  // A slider beside each number; it stands nowhere until it is moved, so that its place suggests no answer.
  for (const number of form.querySelectorAll("input[data-slider]")) {
    const line = document.createElement("input");
    line.type = "range";
    for (const name of ["min", "max", "step"]) line[name] = number[name];
    line.setAttribute("aria-labelledby", number.getAttribute("aria-labelledby"));
    line.classList.toggle("unset", number.value === "");
    if (number.value !== "") line.value = number.value;
    const set = () => {
      number.value = line.value;
      line.classList.remove("unset");
      number.dispatchEvent(new Event("input", { bubbles: true }));
    };
    line.addEventListener("input", set);
    line.addEventListener("click", set);
    line.addEventListener("keydown", (e) => { if (e.key === " ") { e.preventDefault(); set(); } });
    number.addEventListener("input", () => {
      if (number.value === "") return;
      line.value = number.value;
      line.classList.remove("unset");
    });
    number.before(line);
  }

  // Length, copying and splitting, said while people write. The server checks again, and more exactly.
  const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+(?:['’-][\p{L}\p{N}_]+)*/gu) || [];
  const keptInOrder = (before, after) => {
    const row = new Array(after.length + 1).fill(0);
    for (const word of before) {
      let previous = 0;
      for (let j = 1; j <= after.length; j++) {
        const kept = row[j];
        row[j] = word === after[j - 1] ? previous + 1 : Math.max(row[j], row[j - 1]);
        previous = kept;
      }
    }
    return row[after.length];
  };
  const sentences = (text) => text.trim().split(/[.!?]["'”’)]*\s+(?=["'“‘(]*\p{Lu})/u).length;
  const check = (box, says) => {
    const source = document.querySelector("[data-text='1']").textContent;
    const rules = JSON.parse(box.dataset.rules);
    const before = words(source), after = words(box.value).slice(0, 2000);
    if (!after.length) { says.textContent = ""; says.className = "live"; return; }
    const say = JSON.parse(box.dataset.messages);
    const notes = [];
    if (after.length < rules.shortest * before.length) notes.push(say.short);
    if (after.length > rules.longest * before.length) notes.push(say.long);
    if (keptInOrder(before, after) > rules.copying * before.length) notes.push(say.copied);
    if (!rules.splitting && sentences(box.value) > sentences(source)) notes.push(say.split);
    says.className = notes.length ? "live warn" : "live fine";
    says.textContent = say.words.replace("{written}", after.length).replace("{given}", before.length) + " " + (notes.join(" ") || "✓");
  };
  for (const box of form.querySelectorAll("textarea[data-rules]")) {
    const says = form.querySelector(`[data-live="${box.name}"]`);
    box.addEventListener("input", () => check(box, says));
    addEventListener("pageshow", () => check(box, says));
  }

  restore();
  follow();
  for (const line of form.querySelectorAll("input[type=range]")) {
    const number = line.parentNode.querySelector("input[type=number]");
    if (number.value !== "") { line.value = number.value; line.classList.remove("unset"); }
  }
  form.addEventListener("input", () => { follow(); keep(); });
  const problems = document.getElementById("problems");
  if (problems) problems.focus();

  const offline = form.querySelector(".offline");
  let sent = false;
  form.addEventListener("submit", (event) => {
    offline.hidden = navigator.onLine;
    if (!navigator.onLine || sent) { event.preventDefault(); return; }
    keep();
    const coarse = matchMedia("(pointer: coarse)").matches;
    const device = !coarse ? "desktop" : Math.min(screen.width, screen.height) < 600 ? "phone" : "tablet";
    form.elements.screen.value = `${device} ${innerWidth}x${innerHeight}`;
    form.elements.seconds.value = ((performance.now() - began) / 1000).toFixed(2);
    sent = true;
    setTimeout(() => { sent = false; }, 4000);
  });
  addEventListener("pageshow", () => { sent = false; });
})();
