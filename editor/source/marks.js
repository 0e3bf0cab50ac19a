// Marks under words, and the light on sentences that belong together, as extensions of CodeMirror.

import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

export const setFindings = StateEffect.define();
export const setActive = StateEffect.define();
export const setLit = StateEffect.define();

const inside = (from, to, length) => from >= 0 && from < to && to <= length;

/** The findings with their places in the document; an edit inside one takes it away until the next answer. */
export function follow(findings, changes) {
  const out = [];
  for (const finding of findings) {
    const sentence = finding.whole;
    if (!sentence && changes.touchesRange(finding.from, finding.to) && touchesInside(changes, finding)) continue;
    const from = changes.mapPos(finding.from, 1);
    const to = changes.mapPos(finding.to, -1);
    if (from < to) out.push(from === finding.from && to === finding.to ? finding : { ...finding, from, to });
  }
  return out;
}

function touchesInside(changes, { from, to }) {
  let touched = false;
  changes.iterChangedRanges((start, end) => {
    if (start < to && end > from) touched = true;
  });
  return touched;
}

function decorate(findings, active, length) {
  const marks = [];
  for (const finding of findings) {
    if (!inside(finding.from, finding.to, length)) continue;
    const kind = `mark ${finding.severity}${finding.whole ? " whole" : ""}${finding.key === active ? " active" : ""}`;
    marks.push(Decoration.mark({ class: kind, attributes: { "data-key": finding.key } }).range(finding.from, finding.to));
  }
  return Decoration.set(marks, true);
}

export const marks = StateField.define({
  create: () => ({ findings: [], active: "", decorations: Decoration.none }),
  update(value, transaction) {
    let { findings, active, decorations } = value;
    let fresh = false;
    if (transaction.docChanged) {
      const kept = follow(findings, transaction.changes);
      fresh = kept.length !== findings.length;
      findings = kept;
      decorations = decorations.map(transaction.changes);
    }
    for (const effect of transaction.effects) {
      if (effect.is(setFindings)) [findings, fresh] = [effect.value, true];
      else if (effect.is(setActive) && effect.value !== active) [active, fresh] = [effect.value, true];
    }
    if (fresh) decorations = decorate(findings, active, transaction.newDoc.length);
    else if (!transaction.docChanged) return value;
    return { findings, active, decorations };
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.decorations),
});

const LIT = Decoration.mark({ class: "lit" });

export const lights = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    value = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setLit)) {
        const ranges = effect.value.filter(({ from, to }) => inside(from, to, transaction.newDoc.length));
        value = Decoration.set(ranges.map(({ from, to }) => LIT.range(from, to)), true);
      }
    }
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});
