// Elements are made here and filled with text, never with HTML: a text stays a text whatever it contains.

/** An element with attributes (on* are listeners, class and text are themselves) and children. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "text") element.textContent = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Replaces the children and gives the focus back to what had it, if that is still there. */
export function refill(element, children) {
  const focused = document.activeElement;
  element.replaceChildren(...children);
  if (focused !== document.activeElement && focused?.isConnected) focused.focus({ preventScroll: true });
}

export const short = (text, most = 90) => (text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`);

export const count = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

/** A number with at most one decimal. */
export const tenth = (value) => (Math.round(value * 10) / 10).toLocaleString("en");

const WORDS = /[\p{L}\p{N}]/u;
export const wordCount = (text) => text.split(/\s+/u).filter((word) => WORDS.test(word)).length;
