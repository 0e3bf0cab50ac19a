// Scores and signatures, for those who need them.

import { el, refill } from "./dom.js";
import { post } from "./server.js";

export async function showScores(box, metrics, source, output) {
  if (!source.trim() || !output.trim()) {
    refill(box, [el("p", { class: "note", text: "Scores compare your text with an original." })]);
    return;
  }
  refill(box, [el("p", { class: "note", text: "Computing …" })]);
  const scores = await (await post("/api/score", { source, output, metrics })).json();
  const row = (score) => el(
    "tr",
    {},
    el("th", { scope: "row", text: score.metric }),
    el("td", { class: "number", text: score.value === null ? "–" : score.value.toFixed(2) }),
    el("td", {}, el("code", { text: score.signature })),
  );
  const head = el("tr", {}, ...["Score", "Value", "Signature"].map((text) => el("th", { scope: "col", text })));
  refill(box, [
    el("p", { class: "note", text: "One text says little: scores are for comparing systems on many texts, and only scores with the same signature may be compared." }),
    el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Scores" }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...scores.map(row)))),
  ]);
}
