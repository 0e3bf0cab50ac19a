// Ribbons between the sentences of neighbouring columns; drawn again whenever the columns change size.
const data = JSON.parse(document.getElementById("data").textContent);
const box = document.querySelector(".ribbons");
const svg = box.querySelector("svg");
const SVG = "http://www.w3.org/2000/svg";
document.documentElement.classList.add("js");

// The source stands first; the output and the reference are joined to it, or through it to each other.
function draw() {
  const frame = box.getBoundingClientRect();
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  data.groups.forEach((group, number) => {
    const sides = group.members.map((members, side) => members.map((i) => {
      const r = document.getElementById(`s${side}-${i}`).getBoundingClientRect();
      return { left: r.left - frame.left, right: r.right - frame.left, top: r.top - frame.top, bottom: r.bottom - frame.top };
    }));
    for (let side = 0; side + 1 < sides.length; side++) {
      for (const a of sides[side]) for (const b of sides[side + 1]) ribbon(a, b, group, number);
    }
  });
}

function ribbon(a, b, group, number) {
  const middle = (a.right + b.left) / 2;
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", `M${a.right},${a.top + 2} C${middle},${a.top + 2} ${middle},${b.top + 2} ${b.left},${b.top + 2}`
    + ` L${b.left},${b.bottom - 2} C${middle},${b.bottom - 2} ${middle},${a.bottom - 2} ${a.right},${a.bottom - 2} Z`);
  path.setAttribute("class", group.moved ? "moved" : group.change);
  path.dataset.group = number;
  svg.append(path);
}

function light(number, on) {
  for (const element of box.querySelectorAll(`[data-group="${number}"]`)) element.classList.toggle("lit", on);
}

for (const item of box.querySelectorAll("li")) {
  for (const [event, on] of [["mouseenter", true], ["mouseleave", false], ["focus", true], ["blur", false]]) {
    item.addEventListener(event, () => light(item.dataset.group, on));
  }
}
new ResizeObserver(draw).observe(box);
draw();
