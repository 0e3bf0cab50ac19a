// Ribbons between the sentences of neighbouring columns; drawn again whenever the columns change size.
const SVG = "http://www.w3.org/2000/svg";
document.documentElement.classList.add("js");

// The source stands first; the output and the reference are joined to it, or through it to each other.
function ribbons(box) {
  const svg = box.querySelector("svg");
  const columns = [...box.querySelectorAll(".column")].map((column) => [...column.children]);

  function draw() {
    const frame = box.getBoundingClientRect();
    const sides = columns.map((items) => items.map((item) => {
      const r = item.getBoundingClientRect();
      return { item, left: r.left - frame.left, right: r.right - frame.left, top: r.top - frame.top, bottom: r.bottom - frame.top };
    }));
    svg.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
    const paths = [];
    for (let side = 0; side + 1 < sides.length; side++) {
      const partners = grouped(sides[side + 1]);
      for (const a of sides[side]) for (const b of partners.get(a.item.dataset.group) || []) paths.push(ribbon(a, b));
    }
    svg.replaceChildren(...paths);
  }

  const light = (number, on) => {
    for (const element of box.querySelectorAll(`[data-group="${number}"]`)) element.classList.toggle("lit", on);
  };
  for (const item of columns.flat()) {
    for (const [event, on] of [["mouseenter", true], ["mouseleave", false], ["focus", true], ["blur", false]]) {
      item.addEventListener(event, () => light(item.dataset.group, on));
    }
  }
  new ResizeObserver(draw).observe(box);
  draw();
}

function grouped(items) {
  const out = new Map();
  for (const side of items) out.set(side.item.dataset.group, [...(out.get(side.item.dataset.group) || []), side]);
  return out;
}

function ribbon(a, b) {
  const middle = (a.right + b.left) / 2;
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", `M${a.right},${a.top + 2} C${middle},${a.top + 2} ${middle},${b.top + 2} ${b.left},${b.top + 2}`
    + ` L${b.left},${b.bottom - 2} C${middle},${b.bottom - 2} ${middle},${a.bottom - 2} ${a.right},${a.bottom - 2} Z`);
  path.setAttribute("class", a.item.classList.contains("moved") ? "moved" : a.item.classList[0]);
  path.dataset.group = a.item.dataset.group;
  return path;
}

for (const box of document.querySelectorAll(".ribbons")) ribbons(box);
