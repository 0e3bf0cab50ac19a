// The page of correlations: choosing what a panel shows, by list or by a cell of the heat map.
const showPanel = () => {
  const key = `${$("of-rating").value} ${$("of-metric").value}`;
  show("closer", key);
  for (const cell of all("#overview .cell")) {
    cell.classList.toggle("chosen", `${cell.dataset.column} ${cell.dataset.row}` === key);
  }
};
for (const id of ["of-rating", "of-metric"]) if ($(id)) $(id).addEventListener("change", showPanel);
for (const cell of all("#overview .cell")) {
  cell.addEventListener("click", () => {
    $("of-metric").value = cell.dataset.row;
    $("of-rating").value = cell.dataset.column;
    showPanel();
    $("closer").scrollIntoView({ block: "start" });
  });
}
if ($("of-rating")) showPanel();
