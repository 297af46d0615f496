/** What pages use of CodeMirror, as one module (docs/decisions/pages/bundles.md). */
export { autocompletion, type CompletionContext, completionKeymap } from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export {
  bracketMatching,
  HighlightStyle,
  StreamLanguage,
  type StreamParser,
  syntaxHighlighting,
} from "@codemirror/language";
export { type Diagnostic, setDiagnostics } from "@codemirror/lint";
export { Compartment, EditorState } from "@codemirror/state";
export { EditorView, keymap, placeholder } from "@codemirror/view";
export { tags } from "@lezer/highlight";
