import type { Texts } from "../../../texts.ts";
import { make, option } from "../../make.ts";
import { expressionOf, partsOf, type TextPart, templateOf } from "../document/text-parts.ts";
import type { Property } from "../trial/items.ts";
import { dataName, said } from "./names.ts";

interface ChipsWorld {
  text: Texts;
  catalogue: readonly Property[];
  label: string;
  isOpen: boolean;
  change(template: string): void;
}

/** Fields that every item can have, whether or not the items that were read have them. */
const usual = ["itemName", "price", "itemId", "itemGroup", "department", "presentation"];

/** A field for a template: its letters can be edited, and each expression is a chip that opens for editing. */
export function chipField(template: string, { text, catalogue, label, isOpen, change }: ChipsWorld): HTMLElement {
  const line = make("div", { class: "chips" });
  line.setAttribute("role", "textbox");
  line.setAttribute("aria-label", label);
  if (isOpen) line.contentEditable = "true";
  line.spellcheck = false;
  line.append(...partsOf(template).map(nodeOf));
  let caret: Range | undefined;

  function nodeOf(part: TextPart): Node {
    if ("letters" in part) return new Text(part.letters);
    const chip = make("button", { type: "button", class: "chip", "data-expression": part.expression });
    chip.contentEditable = "false";
    chip.textContent = dataName(text, part.expression);
    chip.title = part.expression;
    return chip;
  }
  const templateNow = (): string => templateOf([...line.childNodes].map(partIn));
  const tell = () => change(templateNow());

  line.addEventListener("input", tell);
  line.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
    event.stopPropagation();
  });
  line.addEventListener("paste", (event) => {
    event.preventDefault();
    const pasted = (event.clipboardData?.getData("text/plain") ?? "").replace(/\s+/g, " ");
    put(partsOf(pasted).map(nodeOf));
  });
  line.addEventListener("blur", () => {
    const selection = getSelection();
    if (selection?.rangeCount && line.contains(selection.anchorNode)) caret = selection.getRangeAt(0).cloneRange();
  });
  line.addEventListener("click", ({ target }) => {
    const chip = (target as Element).closest<HTMLElement>(".chip");
    if (chip === null || !isOpen) return;
    askExpression(text, chip.dataset.expression ?? "", (expression) => {
      if (expression.trim() === "") chip.remove();
      else chip.replaceWith(nodeOf({ expression }));
      tell();
    });
  });

  /** Inserts nodes at the last caret position, or at the end. */
  function put(nodes: readonly Node[]): void {
    const selection = getSelection();
    const isInside = selection?.rangeCount && line.contains(selection.anchorNode);
    const range = isInside ? selection.getRangeAt(0) : caret;
    if (range && line.contains(range.startContainer)) {
      range.deleteContents();
      for (const node of nodes.toReversed()) range.insertNode(node);
      range.collapse(false);
    } else line.append(...nodes);
    tell();
  }

  const field = make("div", { class: "chip-field" }, line);
  if (isOpen) field.append(insertion(text, catalogue, (expression) => put([nodeOf({ expression })])));
  return field;
}

/** Returns the part of a template that a node of the field represents. */
function partIn(node: Node): TextPart {
  const { expression } = node instanceof HTMLElement ? node.dataset : {};
  return expression === undefined ? { letters: (node.textContent ?? "").replaceAll("\u00a0", " ") } : { expression };
}

/** The choice of data: item properties, most frequent first, and any expression. */
function insertion(text: Texts, catalogue: readonly Property[], insert: (expression: string) => void): HTMLElement {
  const names = [...new Set([...usual, ...catalogue.map(({ name }) => name)])];
  const choice = make("select", { class: "insert" });
  choice.setAttribute("aria-label", text("canvas.insert"));
  const options = names.map((name) => {
    const { example = "" } = catalogue.find((one) => one.name === name) ?? {};
    const shown = said(text, `canvas.data.${name}`, name);
    return option(expressionOf(name), example === "" ? shown : text("canvas.insertHint", { name: shown, example }));
  });
  choice.append(option("", `+ ${text("canvas.insert")}`), ...options, option("=", `${text("canvas.expression")} …`));
  choice.addEventListener("change", () => {
    const { value } = choice;
    choice.value = "";
    if (value === "=") askExpression(text, "", (expression) => expression.trim() !== "" && insert(expression));
    else if (value !== "") insert(value);
  });
  return choice;
}

/** Opens a dialog for an expression. */
function askExpression(text: Texts, present: string, use: (expression: string) => void): void {
  const input = make("textarea", { rows: 3, spellcheck: "false" }, present);
  const dialog = make("dialog", { class: "expression" });
  const form = make(
    "form",
    { method: "dialog" },
    make("label", { class: "field" }, make("span", {}, text("canvas.expression")), input),
    make("p", { class: "hint" }, text("canvas.expressionHint")),
    make("div", { class: "buttons" }, make("button", { value: "yes", class: "primary" }, text("canvas.apply"))),
  );
  dialog.append(form);
  document.body.append(dialog);
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (dialog.returnValue === "yes") use(input.value);
  });
  dialog.showModal();
}
