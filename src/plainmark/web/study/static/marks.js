// Marking words by mouse, touch or keyboard. Without this file the same words are typed in rows.
"use strict";
(() => {
  const form = document.querySelector("form[data-page]");
  const texts = [...document.querySelectorAll("[data-markable]")];
  if (!form || !texts.length) return;
  const wordsOf = new Map(texts.map((text) => [Number(text.dataset.markable), [...text.querySelectorAll(".w")]]));
  const say = (pattern, values) => pattern.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  let current = null; // {text, first, last, anchor}: the selected words, by their places
  const questions = [];
  const messages = JSON.parse(document.querySelector("[data-marks]").dataset.messages);

  const quoted = (text, first, last) => {
    const words = wordsOf.get(text);
    const range = document.createRange();
    range.setStartBefore(words[first]);
    range.setEndAfter(words[last]);
    return range.toString().replace(/\s+/g, " ");
  };
  const placesOf = (span) => {
    const words = wordsOf.get(span[0]);
    const first = words.findIndex((w) => Number(w.dataset.e) > span[1]);
    const after = words.findIndex((w) => Number(w.dataset.s) >= span[2]);
    return [first, (after < 0 ? words.length : after) - 1];
  };

  const paint = () => {
    for (const words of wordsOf.values()) {
      for (const w of words) { w.className = "w"; delete w.dataset.n; }
    }
    for (const question of questions) {
      question.marks.forEach((mark, index) => {
        const colour = question.options.categories.findIndex((c) => c.id === mark.category) % 8 + 1;
        for (const span of mark.spans) {
          const [first, last] = placesOf(span);
          const words = wordsOf.get(span[0]);
          for (let i = first; i <= last; i++) words[i].classList.add("m", `c${colour}`);
          words[first].classList.add("begin");
          words[first].dataset.n = [words[first].dataset.n, index + 1].filter(Boolean).join(",");
          words[last].classList.add("finish");
        }
      });
    }
    if (current) {
      const words = wordsOf.get(current.text);
      for (let i = current.first; i <= current.last; i++) words[i].classList.add("chosen");
      words[current.last >= current.anchor ? current.last : current.first].classList.add("cursor");
    }
  };

  const select = (text, anchor, other) => {
    current = { text, anchor, first: Math.min(anchor, other), last: Math.max(anchor, other) };
    refresh();
  };
  const clear = () => { current = null; refresh(); };

  class Question {
    constructor(box) {
      this.box = box;
      this.options = JSON.parse(box.dataset.marks);
      this.field = box.querySelector("input[type=hidden]");
      this.bar = box.querySelector(".mark-bar");
      this.status = box.querySelector(".mark-status");
      this.list = box.querySelector(".mark-list");
      this.nothing = box.querySelector(".nothing input");
      this.adding = -1; // the mark to which the next words are added
      this.key = `draft ${form.dataset.page} ${this.options.name}`;
      this.marks = this.restore();
      this.bar.hidden = false;
      for (const button of box.querySelectorAll("[data-category]")) {
        button.addEventListener("click", () => this.mark(button.dataset.category));
      }
      box.querySelector("[data-clear]").addEventListener("click", clear);
      if (this.nothing) {
        this.nothing.addEventListener("change", () => { if (this.nothing.checked) { this.marks = []; this.store(); } });
      }
      this.typing();
    }

    restore() {
      let kept = this.field.value;
      try { kept ||= sessionStorage.getItem(this.key) || ""; } catch { /* nothing kept */ }
      try {
        const marks = JSON.parse(kept || "[]");
        return marks.filter((m) => m.spans.every((s) => wordsOf.has(s[0]) && placesOf(s)[0] >= 0));
      } catch { return []; }
    }

    save() {
      this.field.value = this.marks.length ? JSON.stringify(this.marks) : "";
      try { sessionStorage.setItem(this.key, this.field.value); } catch { /* private windows may refuse */ }
      if (this.nothing && this.marks.length) this.nothing.checked = false;
    }

    store() { this.save(); refresh(); }

    // Rows for typing, folded away: the first one makes marks, the others are not needed.
    typing() {
      const rows = this.box.querySelector(".mark-rows");
      rows.open = false;
      rows.querySelector("summary").hidden = false;
      rows.querySelector(".mark-more").hidden = true;
      const button = rows.querySelector(".mark-typed");
      button.hidden = false;
      const [first, ...others] = rows.querySelectorAll(".mark-row");
      for (const row of others) row.remove();
      const boxes = [...first.querySelectorAll("textarea")];
      const choices = [...first.querySelectorAll("select")];
      for (const control of [...boxes, ...choices]) {
        control.dataset.name = control.name;
        control.removeAttribute("name");
      }
      button.addEventListener("click", () => {
        const spans = [];
        for (const box of boxes) {
          const text = Number(box.dataset.name.split(".")[2]);
          for (const line of box.value.split("\n").filter((l) => l.trim())) {
            const span = this.search(text, line, spans);
            if (!span) { this.tell(messages.wrong_text); box.focus(); return; }
            spans.push(span);
          }
        }
        if (!spans.length || !choices[0].value) { (spans.length ? choices[0] : boxes[0]).focus(); return; }
        if (this.add({ category: choices[0].value, severity: choices[1] ? choices[1].value : "", spans })) {
          for (const control of [...boxes, ...choices]) control.value = "";
          boxes[0].focus();
        }
      });
    }

    search(text, line, taken) {
      const place = line.match(/^(.*\S)\s*#(\d{1,3})\s*$/);
      const wanted = (place ? place[1] : line).trim().replace(/\s+/g, " ").toLowerCase();
      const words = wordsOf.get(text);
      let count = place ? Number(place[2]) : 1;
      for (let first = 0; first < words.length; first++) {
        for (let last = first; last < Math.min(first + 80, words.length); last++) {
          const found = quoted(text, first, last).toLowerCase();
          if (found.length > wanted.length) break;
          if (found !== wanted) continue;
          const span = [text, Number(words[first].dataset.s), Number(words[last].dataset.e)];
          const used = !place && taken.some((s) => s[0] === text && s[1] < span[2] && span[1] < s[2]);
          if (!used && --count === 0) return span;
        }
      }
      return null;
    }

    tell(message) { this.status.textContent = message; }

    shared(spans, except) {
      return this.marks.some((m, i) => (i === except || !this.options.overlap) && m.spans.some((a) =>
        spans.some((b) => a[0] === b[0] && a[1] < b[2] && b[1] < a[2])));
    }

    mark(category) {
      if (!current || !this.options.texts.includes(current.text)) return;
      const words = wordsOf.get(current.text);
      const spans = [[current.text, Number(words[current.first].dataset.s), Number(words[current.last].dataset.e)]];
      this.add({ category, severity: "", spans });
    }

    add(mark) {
      if (this.shared(mark.spans, -1)) { this.tell(messages.taken); return false; }
      if (this.marks.length >= this.options.most) { this.tell(messages.full); return false; }
      this.marks.push(mark);
      current = null;
      this.store();
      this.tell(say(messages.made, { number: this.marks.length }));
      const severity = this.list.lastElementChild.querySelector(".mark-severity");
      if (severity && !mark.severity && !severity.hidden) severity.focus({ preventScroll: true });
      return true;
    }

    addWords(index) {
      if (current && this.options.texts.includes(current.text)) {
        const words = wordsOf.get(current.text);
        const span = [current.text, Number(words[current.first].dataset.s), Number(words[current.last].dataset.e)];
        if (this.shared([span], index)) { this.tell(messages.taken); return; }
        this.marks[index].spans.push(span);
        current = null;
        this.adding = -1;
        this.store();
        return;
      }
      this.adding = index;
      this.tell(say(messages.adding, { number: index + 1 }));
      texts.find((t) => this.options.texts.includes(Number(t.dataset.markable))).focus();
    }

    render() {
      const here = current && this.options.texts.includes(current.text);
      for (const button of this.box.querySelectorAll("[data-category]")) button.disabled = !here;
      this.box.querySelector("[data-clear]").hidden = !here;
      this.bar.classList.toggle("active", Boolean(here));
      const message = here
        ? say(messages.selected, { words: quoted(current.text, current.first, current.last) })
        : messages.select;
      if (here || !this.status.textContent) this.tell(message);
      this.list.hidden = !this.marks.length;
      const focused = this.list.contains(document.activeElement) ? [...this.list.querySelectorAll("select, button")].indexOf(document.activeElement) : -1;
      this.list.replaceChildren(...this.marks.map((mark, index) => this.row(mark, index)));
      if (focused >= 0) this.list.querySelectorAll("select, button")[focused]?.focus({ preventScroll: true });
    }

    row(mark, index) {
      const row = this.box.querySelector("template").content.cloneNode(true).firstElementChild;
      const number = this.options.categories.findIndex((c) => c.id === mark.category);
      const category = this.options.categories[number] || { text: mark.category, severity: true };
      const label = row.querySelector(".mark-number");
      label.textContent = index + 1;
      label.classList.add(`c${number % 8 + 1}`);
      row.querySelector(".mark-words").textContent = mark.spans.map((s) => `“${quoted(s[0], ...placesOf(s))}”`).join(" … ");
      row.querySelector(".mark-category").textContent = category.text;
      for (const name of row.querySelectorAll(".mark-of")) name.textContent = ` ${index + 1}`;
      const severity = row.querySelector(".mark-severity");
      if (severity) {
        severity.hidden = !category.severity;
        severity.setAttribute("aria-label", `${severity.getAttribute("aria-label")} ${index + 1}`);
        severity.value = mark.severity;
        severity.addEventListener("change", () => { mark.severity = severity.value; this.save(); });
      }
      row.querySelector(".mark-add")?.addEventListener("click", () => this.addWords(index));
      row.querySelector(".mark-remove").addEventListener("click", () => {
        this.marks.splice(index, 1);
        this.tell(say(messages.removed, { number: index + 1 }));
        this.adding = -1;
        this.store();
        texts[0].focus({ preventScroll: true });
      });
      return row;
    }
  }

  const refresh = () => { for (const question of questions) question.render(); paint(); };
  const chosen = () => { // words were selected while a mark waits for more
    for (const q of questions) if (q.adding >= 0 && current) q.addWords(q.adding);
  };

  for (const text of texts) {
    const number = Number(text.dataset.markable);
    const words = wordsOf.get(number);
    let pressed = -1;
    text.tabIndex = 0;
    text.setAttribute("role", "group");
    text.setAttribute("aria-label", say(messages.label, { text: text.dataset.label }));
    // A mouse drags over words; a finger taps the first word and then the last.
    text.addEventListener("pointerdown", (event) => {
      const place = words.indexOf(event.target.closest(".w"));
      if (place < 0 || event.button) return;
      if (event.pointerType === "mouse") {
        event.preventDefault();
        text.focus({ preventScroll: true });
        pressed = event.shiftKey && current?.text === number ? current.anchor : place;
        select(number, pressed, place);
      }
    });
    text.addEventListener("pointermove", (event) => {
      const place = words.indexOf(event.target.closest?.(".w"));
      if (pressed >= 0 && place >= 0) select(number, pressed, place);
    });
    addEventListener("pointerup", () => { if (pressed >= 0) { pressed = -1; chosen(); } });
    text.addEventListener("click", (event) => {
      if (event.pointerType === "mouse") return;
      const place = words.indexOf(event.target.closest(".w"));
      if (place < 0) return;
      if (current?.text === number && current.first === place && current.last === place) clear();
      else if (current?.text === number && current.first === current.last) select(number, current.anchor, place);
      else select(number, place, place);
      chosen();
    });
    const beside = (place, down) => { // the nearest word in the line above or below
      const from = words[place].getBoundingClientRect();
      const lines = words.map((w, i) => [w.getBoundingClientRect(), i])
        .filter(([box]) => (down ? box.top >= from.bottom - 2 : box.bottom <= from.top + 2));
      if (!lines.length) return place;
      const line = down ? Math.min(...lines.map(([box]) => box.top)) : Math.max(...lines.map(([box]) => box.top));
      return lines.filter(([box]) => Math.abs(box.top - line) < 4)
        .sort(([a], [b]) => Math.abs(a.left - from.left) - Math.abs(b.left - from.left))[0][1];
    };
    text.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const own = current?.text === number;
      const at = own ? (current.last === current.anchor ? current.first : current.last) : -1;
      const rtl = getComputedStyle(text.querySelector("p")).direction === "rtl";
      const moves = {
        ArrowRight: () => at + (rtl ? -1 : 1), ArrowLeft: () => at - (rtl ? -1 : 1),
        ArrowDown: () => (own ? beside(at, true) : 0), ArrowUp: () => (own ? beside(at, false) : 0),
        Home: () => 0, End: () => words.length - 1,
      };
      if (Object.hasOwn(moves, event.key)) {
        const place = Math.max(0, Math.min(words.length - 1, moves[event.key]()));
        select(number, event.shiftKey && own ? current.anchor : place, place);
        words[place].scrollIntoView({ block: "nearest" });
      } else if (event.key === "Escape") clear();
      else if (event.key === "Enter" && own) {
        if (questions.some((q) => q.adding >= 0)) chosen();
        else questions.find((q) => q.options.texts.includes(number)).box.querySelector("[data-category]").focus();
      } else if (/^[1-9]$/.test(event.key) && own) {
        const question = questions.find((q) => q.options.texts.includes(number));
        const category = question.options.categories[Number(event.key) - 1];
        if (!category) return;
        question.mark(category.id);
      } else return;
      event.preventDefault();
    });
  }

  for (const box of document.querySelectorAll("[data-marks]")) questions.push(new Question(box));
  for (const question of questions) question.field.value = question.marks.length ? JSON.stringify(question.marks) : "";
  refresh();
})();
