import type * as CodeMirror from "../../../vendor/codemirror.ts";
import { make } from "../../make.ts";
import { text } from "../desk.ts";
import { pathText } from "../sentence/write-sentence.ts";
import type { Finding } from "../trials/counts.ts";
import type { Known } from "./known-properties.ts";

export interface CelField {
  element: HTMLElement;
  showFaults(findings: readonly Finding[]): void;
}

/** The functions and keywords of expressions (docs/rules.md), for completion. */
const functions =
  "has double int uint string bool timestamp duration size matches contains startsWith endsWith trim lowerAscii upperAscii indexOf lastIndexOf substring split join all exists exists_one map filter getFullYear getMonth getDate getDayOfWeek getHours getMinutes".split(
    " ",
  );
const words = ["true", "false", "null", "in"];

/** Creates an editor for an expression. CodeMirror is fetched when the first one opens; until then the field is a plain one. */
export function celField(source: string, known: readonly Known[], change: (source: string) => void): CelField {
  const area = make("textarea", { "aria-label": text("rules.celLabel"), rows: 3, spellcheck: "false", class: "cel" });
  area.value = source;
  area.addEventListener("input", () => change(area.value));
  const host = make("div", { class: "cel-field" }, area);
  let found: readonly Finding[] = [];
  let mark: ((findings: readonly Finding[]) => void) | undefined;
  void import("../../../vendor/codemirror.js").then((library: typeof CodeMirror) => {
    // The field was removed in the meantime because a different rule is shown.
    if (!host.isConnected) return;
    const isFocused = document.activeElement === area;
    const at = area.selectionStart;
    const own = make("div", { class: "cel-host" });
    host.replaceChildren(own);
    mark = openEditor(library, own, area.value, { known, change, ...(isFocused && { at }) });
    mark(found);
  });
  return {
    element: host,
    showFaults(findings) {
      found = findings;
      mark?.(findings);
    },
  };
}

interface EditorOrder {
  known: readonly Known[];
  change(source: string): void;
  /** The position of the caret, if the editor has the focus. */
  at?: number;
}

/** Opens CodeMirror in a shadow root, whose style sheets are constructed; returns a function that marks faults. */
function openEditor(library: typeof CodeMirror, host: HTMLElement, source: string, { known, change, at }: EditorOrder) {
  const { EditorView, EditorState, setDiagnostics } = library;
  const root = host.attachShadow({ mode: "open" });
  const state = EditorState.create({ doc: source, extensions: extensionsOf(library, known, change) });
  const view = new EditorView({ state, parent: root, root });
  if (at !== undefined) {
    view.dispatch({ selection: { anchor: Math.min(at, source.length) } });
    view.focus();
  }
  return (findings: readonly Finding[]): void => {
    const { doc } = view.state;
    const diagnostics = findings.map(({ line, column, detail, isWarning }): CodeMirror.Diagnostic => {
      const place = doc.line(Math.min(line ?? 1, doc.lines));
      const from = Math.min(place.from + (column ?? 1) - 1, place.to);
      const to = view.state.wordAt(from)?.to ?? Math.min(from + 1, place.to);
      // At the end of the text, only the character before can be underlined.
      const start = from === to ? Math.max(place.from, from - 1) : from;
      return { from: start, to, severity: isWarning ? "warning" : "error", message: detail };
    });
    view.dispatch(setDiagnostics(view.state, diagnostics));
  };
}

function extensionsOf(library: typeof CodeMirror, known: readonly Known[], change: (source: string) => void) {
  const { EditorView, keymap, history, historyKeymap, defaultKeymap, completionKeymap, bracketMatching } = library;
  return [
    history(),
    bracketMatching(),
    library.autocompletion({ override: [completionsOf(known)] }),
    library.syntaxHighlighting(styleOf(library)),
    library.StreamLanguage.define(celMode),
    keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
    EditorView.lineWrapping,
    EditorView.domEventHandlers({ beforeinput: replaceSelection }),
    EditorView.contentAttributes.of({ "aria-label": text("rules.celLabel"), spellcheck: "false" }),
    EditorView.updateListener.of((update) => update.docChanged && change(update.state.doc.toString())),
    EditorView.theme({
      "&": { fontSize: "0.875rem" },
      "&.cm-focused": { outline: "none" },
      ".cm-content": {
        fontFamily: 'ui-monospace, "Cascadia Mono", Menlo, monospace',
        padding: "0.75rem 0",
        caretColor: "var(--text)",
      },
      ".cm-line": { padding: "0 0.875rem" },
      ".cm-cursor": { borderLeftColor: "var(--text)" },
      ".cm-tooltip": {
        background: "var(--surface)",
        color: "var(--text)",
        border: "1px solid var(--line)",
        borderRadius: "8px",
      },
      ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent)", color: "var(--on-accent)" },
      ".cm-diagnostic-error": { borderLeft: "3px solid var(--error)" },
    }),
  ];
}

/**
 * Replaces a selection when somebody types. A browser would keep the style of the replaced text in an inline style, which
 * the page's policy forbids.
 */
function replaceSelection(event: InputEvent, view: CodeMirror.EditorView): boolean {
  const isTyped = event.inputType === "insertText" && event.data !== null && !view.composing;
  if (!isTyped || view.state.selection.main.empty) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(event.data ?? ""), { userEvent: "input.type" });
  return true;
}

/**
 * Completes item properties, most frequent first, their values after a comparison, and functions. While somebody types on, the
 * same list is filtered (`validFor`): if it were made again, a choice would be ignored meanwhile.
 */
const completionsOf = (known: readonly Known[]) => (context: CodeMirror.CompletionContext) => {
  const compared = context.matchBefore(/\bitem\.\w+\s*(?:==|!=)\s*"[^"]*/);
  if (compared) {
    const key = /item\.(\w+)/.exec(compared.text)?.[1];
    const values = known.find(({ field }) => field.key === key)?.values ?? [];
    const from = compared.from + compared.text.lastIndexOf('"') + 1;
    return { from, options: values.map((label) => ({ label, type: "text" })), validFor: /^[^"]*$/ };
  }
  const word = context.matchBefore(/[A-Za-z_][\w.]*/);
  if (word === null && !context.explicit) return null;
  const paths = [...known.map(({ field, count }) => ({ label: pathText(field), detail: `${count}` }))];
  const ofLabel = ["link.location", "link.facings", "device.type"].map((label) => ({ label }));
  return {
    from: word?.from ?? context.pos,
    validFor: /^[\w.]*$/,
    options: [
      ...[...paths, ...ofLabel].map((one) => ({ ...one, type: "property" })),
      ...functions.map((label) => ({ label, type: "function" })),
      ...words.map((label) => ({ label, type: "keyword" })),
    ],
  };
};

/** Colours expressions. */
const celMode: CodeMirror.StreamParser<object> = {
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match(/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?/)) return "string";
    if (stream.match(/\d+(?:\.\d+)?/)) return "number";
    if (stream.match(/(?:true|false|null|in)\b/)) return "keyword";
    if (stream.match(/(?:item|link|device)\b/)) return "variableName";
    if (stream.match(/[A-Za-z_]\w*/)) return stream.peek() === "(" ? "keyword" : "propertyName";
    stream.next();
    return null;
  },
};

const styleOf = ({ HighlightStyle, tags }: typeof CodeMirror) =>
  HighlightStyle.define([
    { tag: tags.string, color: "var(--ok)" },
    { tag: tags.number, color: "var(--pending)" },
    { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
    { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
    { tag: tags.variableName, color: "var(--muted)" },
  ]);
