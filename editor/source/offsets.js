// The server counts characters as Python does (code points), the browser counts UTF-16 units.

/** A function from a code point's index to its UTF-16 index in `text`. */
export function unitIndex(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (index) => index;
  const units = [];
  let unit = 0;
  for (const character of text) {
    units.push(unit);
    unit += character.length;
  }
  units.push(unit);
  return (index) => units[Math.min(index, units.length - 1)];
}
