// Figures of a comparison: pairs of systems, and scores against length and readability.
const { systems, metrics } = data;

// Pairs of systems.
const drawPair = () => {
  const m = Number($("pair-metric").value), a = Number($("pair-a").value), b = Number($("pair-b").value);
  show("pairs", `pairs ${m}`);
  const panel = document.querySelector(`[data-panel="pairs ${m}"]`);
  for (const cell of all(".cell", panel)) {
    cell.classList.toggle("chosen", Number(cell.dataset.row) === a && Number(cell.dataset.column) === b);
  }
  $("pair-samples").disabled = a === b;
  panel.querySelector("[data-bars]").hidden = a === b;
  if (a === b) {
    $("pair-text").textContent = "Choose two different systems.";
    return;
  }
  const [low, high] = a < b ? [a, b] : [b, a];
  const at = low * systems.length - (low * (low + 1)) / 2 + (high - low - 1);
  const pair = data.pairs[m], flip = a > b;
  const counts = flip ? [...pair.counts[at]].reverse() : pair.counts[at];
  const [more, same, less] = flip ? [...pair.outcomes[at]].reverse() : pair.outcomes[at];
  const better = metrics[m].better < 0 ? less : more, worse = metrics[m].better < 0 ? more : less;
  const defined = better + same + worse, total = defined || 1;
  const share = (n) => `${n.toLocaleString("en")} (${Math.round((100 * n) / total)}%)`;
  const turned = { "+": "−", "−": "+" }, text = pair.differences[at];
  const difference = flip ? (turned[text[0]] || text[0]) + text.slice(1) : text;
  const words = metrics[m].better ? ["better", "worse"] : ["higher", "lower"];
  const shared = defined < pair.samples
    ? `${defined.toLocaleString("en")} samples (of ${pair.samples.toLocaleString("en")}) on which both are defined` : "samples";
  $("pair-text").textContent =
    `${systems[a]} scores ${words[0]} than ${systems[b]} on ${share(better)} of the ${shared}, ${words[1]} on ${share(worse)}, ` +
    `the same on ${share(same)}. ${metrics[m].name} of the corpus: ${difference}, ${pair.p[at]}` +
    `${pair.significant[at] ? "" : ", not significant"}.`;
  panel.querySelector("figcaption").textContent = `${systems[a]} minus ${systems[b]}, sample by sample`;
  const bars = all(".bar", panel), frame = panel.querySelector(".histogram");
  const top = Number(frame.dataset.top), bottom = Number(frame.dataset.bottom);
  const peak = niceTop(Math.max(...counts));
  all(".tick-count", panel).forEach((tick, i) => { tick.textContent = format((peak * i) / 2, 0); });
  bars.forEach((bar, i) => {
    const height = ((bottom - top) * counts[i]) / peak, width = (2 * pair.reach) / counts.length;
    bar.setAttribute("y", bottom - height);
    bar.setAttribute("height", height);
    const from = -pair.reach + i * width;
    bar.firstElementChild.textContent =
      `${format(from, metrics[m].digits)} to ${format(from + width, metrics[m].digits)}: ${count(counts[i], "sample")}`;
  });
};
/** An even number at or above a count: 2, 4 or 10 times a power of ten. */
const niceTop = (peak) => {
  const power = 10 ** Math.floor(Math.log10(Math.max(peak, 1)));
  return [2, 4, 6, 8, 10, 20].map((n) => n * power).find((n) => n >= peak);
};
if ($("pair-metric")) {
  for (const id of ["pair-metric", "pair-a", "pair-b"]) $(id).addEventListener("change", drawPair);
  for (const cell of all("#pairs .cell")) {
    cell.addEventListener("click", () => {
      $("pair-a").value = cell.dataset.row;
      $("pair-b").value = cell.dataset.column;
      drawPair();
    });
  }
  $("pair-samples").addEventListener("click", () => {
    $("metric").value = $("pair-metric").value;
    $("a").value = $("pair-a").value;
    $("b").value = $("pair-b").value;
    view("ahead");
    $("samples").scrollIntoView();
  });
  drawPair();
}

// Scores against length and readability: a point tells which sample it is.
const xs = { words: data.words, ratio: data.ratio, grade: data.grade };
const drawRelation = () => {
  const kinds = $("relation-kind"), m = $("relation-metric").value;
  for (const option of kinds.options) {
    option.disabled = !document.querySelector(`[data-panel="relations ${m} ${option.value}"]`);
  }
  if (kinds.selectedOptions[0].disabled) kinds.value = [...kinds.options].find((o) => !o.disabled).value;
  show("relations", `relations ${m} ${kinds.value}`);
};
for (const id of ["relation-metric", "relation-kind"]) $(id).addEventListener("change", drawRelation);
drawRelation();
for (const plot of all("#relations .scatter")) {
  const [, m, kind] = plot.closest(".panel").dataset.panel.split(" ");
  const s = plot.closest("figure").dataset.system;
  const frame = plot.querySelector(".frame");
  const range = (name) => frame.dataset[name].split(" ").map(Number);
  const size = ["x", "y", "width", "height"].map((name) => Number(frame.getAttribute(name)));
  const nearest = (event) => {
    const box = plot.getBoundingClientRect(), scale = plot.viewBox.baseVal.width / box.width;
    const px = (event.clientX - box.left) * scale, py = (event.clientY - box.top) * scale;
    const [x0, x1] = range("x"), [y0, y1] = range("y");
    let best = null, distance = 144;
    for (const i of data.drawn) {
      const x = xs[kind][s][i], y = data.scores[m][s][i];
      if (x === null || y === null) continue;
      const qx = size[0] + (size[2] * (bounded(x, x0, x1) - x0)) / (x1 - x0);
      const qy = size[1] + size[3] - (size[3] * (bounded(y, y0, y1) - y0)) / (y1 - y0);
      const d = (qx - px) ** 2 + (qy - py) ** 2;
      if (d < distance) [best, distance] = [{ i, x, y, qx, qy }, d];
    }
    return best;
  };
  const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  ring.setAttribute("class", "near");
  ring.setAttribute("r", "5");
  let hit = null;
  plot.addEventListener("pointermove", (event) => {
    hit = nearest(event);
    $("tip").hidden = !hit;
    if (!hit) { ring.remove(); return; }
    ring.setAttribute("cx", hit.qx);
    ring.setAttribute("cy", hit.qy);
    plot.append(ring);
    $("tip").textContent = `Sample ${data.ids[hit.i]}: ${metrics[m].name} ${format(hit.y, metrics[m].digits)}, ` +
      `${kind === "words" ? count(hit.x, "word") : kind === "ratio" ? `${Math.round(100 * hit.x)}% of the source` : `FKGL ${format(hit.x, 1)}`}`;
    $("tip").style.left = `${bounded(event.clientX + 14, 4, innerWidth - 200)}px`;
    $("tip").style.top = `${event.clientY + 16}px`;
  });
  plot.addEventListener("pointerleave", () => { hit = null; $("tip").hidden = true; ring.remove(); });
  plot.addEventListener("click", (event) => {
    const point = hit || nearest(event); // what the tip says; a finger does not hover
    if (point) goTo(point.i);
  });
}
