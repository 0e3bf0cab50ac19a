// The two texts in CodeMirror: how they look, how long they may be, and typing over a selection.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";

import { byId } from "./dom.js";
import { lights } from "./marks.js";

// Browsers keep the style of a selection in an attribute, which the page's policy refuses.
const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== "insertText" || !event.data || view.state.selection.main.empty || view.composing) return false;
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    event.preventDefault();
    return true;
  },
});

/** A function that puts an editor in the place of a text field; `complain(words)` tells why a change was refused. */
export function viewMaker({ nonce, longest, complain }) {
  const limit = EditorState.changeFilter.of((transaction) => {
    const length = transaction.newDoc.length;
    if (length <= longest || length <= transaction.startState.doc.length) return true;
    complain(`That would make ${length.toLocaleString("en")} characters; the editor takes at most ${longest.toLocaleString("en")}. Nothing was changed. Take a part of it, or use \`plainmark check FILE\` for texts of any length.`);
    return false;
  });
  const look = [EditorView.cspNonce.of(nonce), EditorView.lineWrapping, drawSelection(), history(), keymap.of([...historyKeymap, ...defaultKeymap])];

  return function makeView(id, doc, label, help, extensions) {
    const area = byId(id);
    const view = new EditorView({
      doc,
      parent: area.parentElement,
      extensions: [
        ...look,
        limit,
        typeOver,
        lights,
        placeholder(help),
        EditorView.contentAttributes.of({ "aria-label": label, id: `${id}-content`, spellcheck: "true" }),
        ...extensions,
      ],
    });
    area.hidden = true;
    area.disabled = true;
    area.removeAttribute("id");
    area.parentElement.insertBefore(view.dom, area);
    return view;
  };
}
