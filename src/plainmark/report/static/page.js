// Every report: making elements, theme, copying, sorting tables, choosing panels.
const root = document.documentElement;
root.classList.add("js");
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

// Text only ever becomes a text node: nothing in the data can turn into markup.
const element = (tag, attributes, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((c) => c !== null && c !== ""));
  return node;
};
const format = (value, digits) =>
  value === null ? "–" : value.toFixed(digits).replace(/^-(?=0(\.0*)?$)/, "").replace("-", "−");
const say = (text) => { $("said").textContent = text; };
const count = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
const bounded = (value, low, high) => Math.min(Math.max(value, low), high);

const themes = ["auto", "dark", "light"];
$("theme").addEventListener("click", () => {
  const next = themes[(themes.indexOf(root.dataset.theme || "auto") + 1) % 3];
  if (next === "auto") delete root.dataset.theme; else root.dataset.theme = next;
  $("theme").textContent = `Theme: ${next}`;
});

// Copying; the old way helps where a page from a file may not use the clipboard.
const copy = async (text, button) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", { class: "unseen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.dataset.label = button.dataset.label || button.textContent;
  button.textContent = "Copied";
  say("Copied to the clipboard.");
  setTimeout(() => { button.textContent = button.dataset.label; }, 1200);
};
for (const button of all("[data-copy]")) button.addEventListener("click", () => copy(button.dataset.copy, button));
for (const button of all("[data-text]")) button.addEventListener("click", () => copy(data.texts[button.dataset.text], button));

// A table sorts by its columns; the first click puts the best on top.
for (const head of all("th[data-better]")) {
  head.querySelector("button").addEventListener("click", () => {
    const column = head.cellIndex, body = head.closest("table").tBodies[0];
    const first = head.dataset.better === "-1" ? "ascending" : "descending";
    const other = first === "ascending" ? "descending" : "ascending";
    const order = head.getAttribute("aria-sort") === first ? other : first;
    for (const th of all("th", head.parentNode)) th.setAttribute("aria-sort", th === head ? order : "none");
    const value = (row) => row.cells[column].dataset.value === "" ? NaN : Number(row.cells[column].dataset.value);
    body.append(...ordered([...body.rows], value, order === "ascending" ? 1 : -1));
  });
}

/** Items by a number, undefined ones last, equal ones in their old order. */
function ordered(items, value, direction) {
  const keyed = items.map((item, i) => [item, value(item), i]);
  const missing = (v) => v === null || Number.isNaN(v);
  keyed.sort(([, a, i], [, b, j]) => {
    if (missing(a) || missing(b)) return missing(a) - missing(b) || i - j;
    return (a - b) * direction || i - j;
  });
  return keyed.map(([item]) => item);
}

// Panels: one of several figures is shown.
const show = (section, key) => {
  for (const panel of all(`#${section} .panel`)) panel.classList.toggle("shown", panel.dataset.panel === key);
};
