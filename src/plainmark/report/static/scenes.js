// Ribbons from Scenes to their sentences, sample by sample; drawn again whenever a sample changes size.
const SVG = "http://www.w3.org/2000/svg";
document.documentElement.classList.add("js");

function draw(box) {
  const svg = box.querySelector("svg");
  const frame = box.getBoundingClientRect();
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  for (const scene of box.querySelectorAll("[data-to]")) {
    const a = scene.getBoundingClientRect();
    const b = document.getElementById(scene.dataset.to).getBoundingClientRect();
    const [x0, x1] = [a.right - frame.left, b.left - frame.left];
    const [top, bottom] = [a.top - frame.top + 2, a.bottom - frame.top - 2];
    const [up, down] = [b.top - frame.top + 2, b.bottom - frame.top - 2];
    const middle = (x0 + x1) / 2;
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", `M${x0},${top} C${middle},${top} ${middle},${up} ${x1},${up}`
      + ` L${x1},${down} C${middle},${down} ${middle},${bottom} ${x0},${bottom} Z`);
    path.setAttribute("class", scene.classList[0]);
    path.dataset.to = scene.dataset.to;
    svg.append(path);
  }
}

function light(box, id, on) {
  for (const element of [...box.querySelectorAll(`[data-to="${id}"]`), document.getElementById(id)]) {
    element.classList.toggle("lit", on);
  }
}

const watcher = new ResizeObserver((seen) => seen.forEach((entry) => draw(entry.target)));
for (const box of document.querySelectorAll(".ribbons")) {
  for (const item of box.querySelectorAll("[data-to], li[id]")) {
    const id = item.dataset.to ?? item.id;
    for (const [event, on] of [["mouseenter", true], ["mouseleave", false], ["focus", true], ["blur", false]]) {
      item.addEventListener(event, () => light(box, id, on));
    }
  }
  watcher.observe(box);
  draw(box);
}
