// The targets, how far the text is from them, and the sentences that cost most.

import { el, refill, short, tenth } from "./dom.js";

const ROWS = [
  { name: "grade", label: "School grade", measure: (m) => m.grade, show: tenth, to: (v) => `at most ${v}` },
  { name: "cefr", label: "CEFR", measure: (m) => m.cefr_level, show: String, to: (v) => `at most ${v}` },
  { name: "max_sentence", label: "Longest sentence", measure: (m) => m.longest || null, show: (v) => `${v} words`, to: (v) => `at most ${v}` },
  { name: "max_passive", label: "Passive", measure: (m) => m.passive, show: (v) => `${tenth(v)} %`, to: (v) => `at most ${v} %` },
];

/** The targets of the fields; one that is empty or not a number is not set. */
export function readTargets(form) {
  const number = (name) => {
    const field = form.elements[name];
    return field && field.value.trim() !== "" && field.validity.valid ? Number(field.value) : null;
  };
  return {
    grade: number("grade"),
    cefr: form.elements.cefr?.value || null,
    max_sentence: number("max_sentence"),
    max_passive: number("max_passive"),
  };
}

export function fillTargets(form, targets) {
  for (const { name } of ROWS) {
    if (form.elements[name] && name in targets) form.elements[name].value = targets[name] ?? "";
  }
}

/** One measure after the other, with a tick only where a target is set and reached. */
export function showMeters(list, measures, results) {
  const limits = new Map(results.map((r) => [r.name, r]));
  refill(list, ROWS.flatMap(({ name, label, measure, show, to }) => {
    const value = measures ? measure(measures) : null;
    const target = limits.get(name);
    if ((value === null || value === undefined) && !target) return [];
    const known = value !== null && value !== undefined;
    const state = !target || !known ? "" : target.met ? "met" : "missed";
    const sign = { met: "✓ ", missed: "", "": "" }[state];
    const words = { met: "target reached: ", missed: "over the target: ", "": "" }[state];
    return [el(
      "div",
      { class: `meter ${state}` },
      el("dt", { text: label }),
      el("dd", {}, el("b", { text: known ? show(value) : "–" }), target ? el("span", { class: "goal" }, el("span", { "aria-hidden": "true", text: sign }), el("span", { class: "unseen", text: words }), to(target.limit)) : null),
    )];
  }));
}

/** "You are at 11.2; these five sentences cost most", each with what would help. */
export function showCostly(box, result, text, go) {
  if (!result?.measures || result.measures.grade === null) return refill(box, []);
  const grade = result.targets.results.find((r) => r.name === "grade");
  const at = tenth(result.measures.grade);
  const lead = grade
    ? grade.met ? `You are at grade ${at}; your target of ${grade.limit} is reached.` : `You are at grade ${at}; your target is ${grade.limit}.`
    : `You are at grade ${at}. Set a target above to see whether that is enough.`;
  const children = [el("p", { class: "lead", text: lead })];
  const costly = result.costly;
  if (costly.length) {
    const number = ["No", "This", "These two", "These three", "These four", "These five"][costly.length] || `These ${costly.length}`;
    children.push(el("p", { class: "note", text: `${number} sentence${costly.length === 1 ? " costs" : "s cost"} most:` }));
    children.push(el("ol", { class: "costly" }, ...costly.map((sentence) => el(
      "li",
      {},
      el("button", { type: "button", class: "sentence", onclick: () => go(sentence) }, short(text.slice(sentence.from, sentence.to).trim(), 110)),
      el("p", { class: "note" }, el("b", { text: `+${sentence.cost.toFixed(1)} ` }), sentence.help.join(" ")),
    ))));
  }
  return refill(box, children);
}
