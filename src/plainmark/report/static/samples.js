// The samples of a comparison: sorting, filtering, paging, and words marked by what became of them.
// State lives in the form; `matches` is what passes the filters, in order.
const n = data.ids.length;
const everything = Array.from({ length: n }, (_, i) => i);
let matches = everything, page = 0, focusSystem = null, only = null;
let searchable = null;
const haystack = (i) => {
  searchable = searchable || new Array(n);
  if (searchable[i] === undefined) {
    const texts = [data.ids[i], data.sources ? data.sources[i] : "", ...data.outputs.map((o) => o[i])];
    searchable[i] = texts.concat(data.references ? data.references[i] : []).join("\n").toLowerCase();
  }
  return searchable[i];
};
const shownSystems = () => all('input[name="system"]').filter((box) => box.checked).map((box) => Number(box.value));
const scoreOf = (m, who, i) => {
  if (who !== "mean") return data.scores[m][who][i];
  const known = data.scores[m].map((s) => s[i]).filter((v) => v !== null);
  return known.length ? known.reduce((a, b) => a + b, 0) / known.length : null;
};
const keys = {
  order: () => (i) => i,
  score: (m, a) => (i) => scoreOf(m, a, i),
  difference: (m, a, b) => (i) => {
    const x = scoreOf(m, a, i), y = scoreOf(m, b, i);
    return x === null || y === null ? null : x - y;
  },
  gap: (m) => (i) => {
    const known = data.scores[m].map((s) => s[i]).filter((v) => v !== null);
    return known.length > 1 ? Math.max(...known) - Math.min(...known) : null;
  },
  source: () => (i) => data.sourceWords[i],
  output: (m, a) => (i) => a === "mean" ? data.words.reduce((sum, w) => sum + w[i], 0) / systems.length : data.words[a][i],
};

const update = () => {
  const m = Number($("metric").value), a = $("a").value, b = $("b") ? $("b").value : "0";
  const query = $("query").value.trim().toLowerCase();
  const low = $("low").value === "" ? -Infinity : Number($("low").value);
  const high = $("high").value === "" ? Infinity : Number($("high").value);
  const limited = low > -Infinity || high < Infinity, differ = $("differ").checked;
  const shown = shownSystems();
  matches = everything.filter((i) => {
    if (only && !only(i, a)) return false;
    if (limited) {
      const score = scoreOf(m, a, i);
      if (score === null || score < low || score > high) return false;
    }
    if (differ && shown.every((s) => data.outputs[s][i] === data.outputs[shown[0]][i])) return false;
    return !query || haystack(i).includes(query);
  });
  matches = ordered(matches, keys[$("sort").value](m, a, b), $("direction").value === "up" ? 1 : -1);
  page = 0;
  draw();
};

// Ready-made views only set the form, so that what is shown can be read off and changed.
const copied = (i, a) =>
  a === "mean" ? data.outputs.some((o) => o[i].trim() === data.sources[i].trim()) : data.outputs[a][i].trim() === data.sources[i].trim();
const view = (name) => {
  const m = Number($("metric").value), good = metrics[m].better < 0 ? "up" : "down", bad = good === "up" ? "down" : "up";
  if ((name === "ahead" || name === "behind") && $("a").value === "mean") {
    $("a").value = String(data.order[m].find((s) => String(s) !== $("b").value));
  }
  const [sort, direction] = {
    order: ["order", "up"], worst: ["score", bad], best: ["score", good], ahead: ["difference", good],
    behind: ["difference", bad], gap: ["gap", "down"], copies: ["order", "up"],
  }[name];
  $("sort").value = sort;
  $("direction").value = direction;
  only = name === "copies" ? copied : null;
  update();
  press(name);
};
const press = (name) => {
  for (const chip of all("[data-view]")) chip.setAttribute("aria-pressed", String(chip.dataset.view === name));
};
for (const chip of all("[data-view]")) chip.addEventListener("click", () => view(chip.dataset.view));

/** A text with its marked runs; [start, end, code, place] in the source, [start, end, code] in the output. */
const kinds = { 1: ["ins", "added"], 2: ["del", "deleted"], 3: ["span", "replaced"], 4: ["span", "moved"] };
const run = (text, code) => {
  const [tag, name] = kinds[code];
  return element(tag, tag === "span" ? { class: name, title: name } : { title: name }, ...highlighted(text));
};
const highlighted = (text) => {
  const query = $("query").value.trim().toLowerCase(), lower = text.toLowerCase();
  // Lower case may change the length of a text (İ); then positions would not fit.
  if (!query || lower.length !== text.length) return [text];
  const pieces = [];
  let at = 0;
  for (let hit; (hit = lower.indexOf(query, at)) >= 0; at = hit + query.length) {
    pieces.push(text.slice(at, hit), element("mark", {}, text.slice(hit, hit + query.length)));
  }
  return [...pieces, text.slice(at)].filter((p) => p !== "");
};
const marked = (text, runs, width, removed = []) => {
  const nodes = [];
  let at = 0;
  const plain = (end) => { if (end > at) { nodes.push(...highlighted(text.slice(at, end))); at = end; } };
  const put = (before) => {
    while (removed.length && removed[0].place <= before) {
      const { place, words, code, tight } = removed.shift();
      if (place > at) plain(place);
      const gone = element("del", { title: kinds[code][1] }, ...highlighted(words));
      nodes.push(...(at === 0 ? [gone, " "] : [tight ? "" : " ", gone]));
    }
  };
  for (let k = 0; k < runs.length; k += width) {
    put(runs[k]);
    plain(runs[k]);
    nodes.push(run(text.slice(runs[k], runs[k + 1]), runs[k + 2]));
    at = runs[k + 1];
  }
  put(text.length);
  plain(text.length);
  return nodes;
};
const removedFrom = (i, s) => {
  if (!data.marks || !$("inline").checked) return [];
  const runs = data.marks[s][i][0], list = [];
  for (let k = 0; k < runs.length; k += 4) {
    const code = runs[k + 2];
    if (runs[k + 3] >= 0 && (code === 2 || code === 3)) {
      const words = data.sources[i].slice(runs[k], runs[k + 1]);
      list.push({ place: runs[k + 3], words, code, tight: !/\s/.test(data.sources[i][runs[k] - 1] || " ") });
    }
  }
  return list.sort((a, b) => a.place - b.place); // sentences may have moved
};

const drawSource = (article, i, s) => {
  const text = article.querySelector(".source .text");
  text.replaceChildren(...marked(data.sources[i], data.marks[s][i][0], 4));
  article.querySelector(".source .of").textContent = systems.length > 1 ? `Source, marked for ${systems[s]}` : "Source";
  for (const who of all(".who", article)) who.setAttribute("aria-pressed", String(Number(who.value) === s));
};
const drawOutput = (i, s, best, article) => {
  const text = data.outputs[s][i], empty = text.trim() === "";
  const facts = metrics.map((metric, m) =>
    element(best[m] === data.scores[m][s][i] && best[m] !== null ? "b" : "span", { class: "fact" },
      `${metric.name} ${format(data.scores[m][s][i], metric.digits)}`));
  const who = element("button", { type: "button", class: "who", value: s, title: "Mark the source for this system" }, systems[s]);
  who.addEventListener("click", () => { focusSystem = s; drawSource(article, i, s); });
  const runs = data.marks ? data.marks[s][i][1] : [];
  const body = empty ? element("p", { class: "text nothing" }, "(empty output)")
    : element("p", { class: "text", dir: "auto" }, ...marked(text, runs, 3, removedFrom(i, s)));
  const same = data.sources && text.trim() === data.sources[i].trim() && !empty;
  return element("div", { class: "output" },
    element("header", {}, data.sources ? who : element("strong", {}, systems[s]), ...facts,
      same ? element("span", { class: "tag" }, "same as source") : null), body);
};
const drawSample = (i) => {
  const article = element("article", { class: "sample", tabindex: "-1", "data-index": i });
  const link = element("a", { href: `#sample=${encodeURIComponent(data.ids[i].replace(/\p{Cs}/gu, "\ufffd"))}` }, `Sample ${data.ids[i]}`);
  article.append(element("header", {}, element("h3", {}, link),
    data.sourceWords ? element("span", { class: "fact" }, count(data.sourceWords[i], "word")) : null));
  const shown = shownSystems();
  if (data.sources) {
    article.append(element("div", { class: "source" }, element("p", { class: "of" }), element("p", { class: "text", dir: "auto" })));
  }
  const best = metrics.map(({ better }, m) => {
    const known = shown.map((s) => data.scores[m][s][i]).filter((v) => v !== null);
    return better && known.length > 1 && new Set(known).size > 1 ? (better > 0 ? Math.max(...known) : Math.min(...known)) : null;
  });
  article.append(element("div", { class: "outputs" }, ...shown.map((s) => drawOutput(i, s, best, article))));
  if (data.references) {
    const texts = data.references[i];
    article.append(element("details", { class: "references" }, element("summary", {}, count(texts.length, "reference")),
      element("ol", {}, ...texts.map((t) => element("li", { dir: "auto" }, ...highlighted(t))))));
  }
  const a = $("a").value;
  const focus = [focusSystem, a === "mean" ? null : Number(a), data.order[0][0]].find((s) => s !== null && shown.includes(s));
  if (data.sources) {
    if (shown.length) drawSource(article, i, focus === undefined ? shown[0] : focus);
    else article.querySelector(".source .text").textContent = data.sources[i];
  }
  return article;
};
const pageSize = () => Number($("size").selectedOptions[0].textContent);
const draw = () => {
  const size = pageSize(), pages = Math.max(Math.ceil(matches.length / size), 1);
  page = bounded(page, 0, pages - 1);
  const from = page * size, rows = matches.slice(from, from + size);
  $("list").replaceChildren(...rows.map(drawSample));
  const many = count(matches.length, "sample");
  $("status").textContent = !rows.length ? "No sample passes these filters."
    : `${many}${matches.length < n ? ` of ${n.toLocaleString("en")}` : ""}, showing ${from + 1} to ${from + rows.length}`;
  for (const span of all(".page")) span.textContent = `Page ${page + 1} of ${pages}`;
  for (const button of all("[data-page]")) button.disabled = button.dataset.page === "-1" ? page === 0 : page === pages - 1;
};
const turn = (pages) => { page += pages; draw(); $("status").scrollIntoView({ block: "center" }); };
for (const button of all("[data-page]")) button.addEventListener("click", () => turn(Number(button.dataset.page)));

const goTo = (i) => {
  if (!matches.includes(i)) {
    $("explorer").reset();
    only = null;
    update();
    press("order");
  }
  page = Math.floor(matches.indexOf(i) / pageSize());
  draw();
  const article = document.querySelector(`[data-index="${i}"]`);
  article.focus({ preventScroll: true });
  article.scrollIntoView({ block: "start" });
};
const follow = () => {
  const match = /^#sample=(.*)$/.exec(location.hash);
  if (!match) return;
  let id = match[1];
  try { id = decodeURIComponent(id); } catch { /* not encoded: take it as it is */ }
  const i = data.ids.indexOf(id);
  if (i >= 0) goTo(i); else say(`This page has no sample ${id}.`);
};
addEventListener("hashchange", follow);

let timer = null;
$("query").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(update, 120); });
for (const id of ["metric", "a", "b", "sort", "direction", "low", "high", "differ"]) {
  if ($(id)) $(id).addEventListener("change", () => { press(null); update(); });
}
for (const box of all('input[name="system"]')) box.addEventListener("change", update);
if ($("inline")) $("inline").addEventListener("change", draw);
let size = pageSize();
$("size").addEventListener("change", () => {
  page = Math.floor((page * size) / pageSize()); // the first sample stays on the page
  size = pageSize();
  draw();
});
$("explorer").addEventListener("submit", (event) => { event.preventDefault(); update(); });

const step = (count) => {
  const cards = all(".sample");
  if (!cards.length) return;
  const current = cards.indexOf(document.activeElement.closest(".sample"));
  const next = cards[bounded(current + count, 0, cards.length - 1)];
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "start" });
};
addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea");
  if (event.key === "Escape" && event.target.id === "query" && $("query").value) {
    $("query").value = "";
    update();
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const actions = {
    "/": () => { $("query").focus(); $("query").scrollIntoView({ block: "center" }); },
    j: () => step(1), k: () => step(-1), n: () => turn(1), p: () => turn(-1),
  };
  if (actions[event.key]) {
    event.preventDefault();
    actions[event.key]();
  }
});

update();
press("order");
follow();
