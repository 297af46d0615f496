import { element } from "../../call.ts";
import { make } from "../make.ts";
import { data, text } from "./desk.ts";
import { type Row, type Rule, rowsOf, type Step, type Where } from "./pack-tree.ts";
import { readSentence } from "./sentence/read-sentence.ts";
import { sentenceText } from "./words.ts";

/** What the tree shows about a rule in addition to its name and condition. */
export interface Marks {
  chosen: string | undefined;
  /** Number of labels for each rule; undefined if unknown. */
  counts: ReadonlyMap<string, number> | undefined;
  /** Faults, by rule. */
  faults: ReadonlyMap<string, readonly string[]>;
  /** Warnings, by rule. */
  warnings: ReadonlyMap<string, readonly string[]>;
  /** The path of the selected test item: the result for each rule. */
  path: ReadonlyMap<string, { state: "chosen" | "passed" | "failed"; said: string }>;
}

interface Acts {
  choose(id: string): void;
  step(id: string, step: Step): void;
  place(id: string, where: Where, target: string): void;
  remove(id: string): void;
}

const tree = element("#tree");
const number = new Intl.NumberFormat(text.language);
const steps: Readonly<Record<string, Step>> = { ArrowUp: "up", ArrowDown: "down", ArrowRight: "in", ArrowLeft: "out" };
let dragged: string | undefined;
/** Whether a rule is pressed or dragged, and what to draw afterwards, because a redraw would end the press or drag. */
let isHeld = false;
let next: (() => void) | undefined;

/** Shows the rules as a tree, as soon as no rule is held. */
export function showTree(rules: readonly Rule[], marks: Marks): void {
  if (isHeld) next = () => drawTree(rules, marks);
  else drawTree(rules, marks);
}

function release(): void {
  isHeld = false;
  const draw = next;
  next = undefined;
  draw?.();
}

/** Draws the tree, and keeps the focus where it was. */
function drawTree(rules: readonly Rule[], marks: Marks): void {
  const focused = tree.contains(document.activeElement)
    ? (document.activeElement as HTMLElement).dataset.id
    : undefined;
  tree.replaceChildren(...rowsOf(rules).map((row) => rowElement(row, marks)));
  if (focused !== undefined) focusRow(focused) ?? focusRow(marks.chosen ?? "");
}

/** Moves the focus to a rule. */
export function focusRow(id: string): true | undefined {
  const found = tree.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
  found?.focus();
  return found === null ? undefined : true;
}

function rowElement(
  { rule, level, index, siblings }: Row,
  { chosen, counts, faults, warnings, path }: Marks,
): HTMLElement {
  const count = counts && (counts.get(rule.id) ?? 0);
  const own = faults.get(rule.id) ?? [];
  const passed = path.get(rule.id);
  const isChosen = rule.id === chosen;
  const expression = rule.cel_expression ?? "";
  const sentence = readSentence(expression);
  return make(
    "li",
    {
      role: "treeitem",
      "aria-level": level,
      "aria-posinset": index + 1,
      "aria-setsize": siblings,
      "aria-selected": String(isChosen),
      "data-id": rule.id,
      "data-level": Math.min(level, 8),
      "data-path": passed?.state,
      tabindex: isChosen ? 0 : -1,
      draggable: data.mayWrite ? "true" : undefined,
    },
    make("span", { class: "name" }, rule.name),
    make("span", { class: "labels", title: text("rules.labels") }, count === undefined ? "" : number.format(count)),
    make("span", { class: "condition" }, sentence ? sentenceText(sentence, text) : expression),
    ...(passed ? [make("span", { class: "reply" }, passed.said)] : []),
    ...own.map((fault) => make("span", { class: "fault" }, fault)),
    ...(warnings.get(rule.id) ?? []).map((warning) => make("span", { class: "warning" }, warning)),
  );
}

/** Makes rules selectable and movable, by pointer and by keyboard. */
export function listenToTree(acts: Acts): void {
  const idAt = (target: EventTarget | null) => (target as HTMLElement).closest<HTMLElement>("[data-id]")?.dataset.id;
  tree.addEventListener("click", ({ target }) => {
    const id = idAt(target);
    if (id !== undefined) acts.choose(id);
  });
  tree.addEventListener("keydown", (event) => {
    const id = idAt(event.target);
    if (id === undefined) return;
    const step = steps[event.key];
    if (event.altKey && step !== undefined && data.mayWrite) acts.step(id, step);
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") moveFocus(event.key === "ArrowUp" ? -1 : 1, acts);
    else if (event.key === "Home" || event.key === "End") moveFocus(event.key === "Home" ? -Infinity : Infinity, acts);
    else if (event.key === "Delete" && data.mayWrite) acts.remove(id);
    else return;
    event.preventDefault();
  });
  listenToDrags(acts, idAt);
}

function moveFocus(by: number, { choose }: Acts): void {
  const rows = [...tree.querySelectorAll<HTMLElement>("[data-id]")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
  if (next?.dataset.id === undefined) return;
  choose(next.dataset.id);
  focusRow(next.dataset.id);
}

const EDGE = 0.25;

/** Returns where a rule is dropped: the upper quarter of a row means before it, the lower one after it, and the rest inside. */
function placeIn(row: HTMLElement, { clientY }: DragEvent): Where {
  const { top, height } = row.getBoundingClientRect();
  const share = (clientY - top) / height;
  return share < EDGE ? "before" : share > 1 - EDGE ? "after" : "inside";
}

function listenToDrags({ place }: Acts, idAt: (target: EventTarget | null) => string | undefined): void {
  const rowAt = (target: EventTarget | null) => (target as HTMLElement).closest<HTMLElement>("[data-id]");
  const clear = () => {
    for (const row of tree.querySelectorAll("[data-drop]")) row.removeAttribute("data-drop");
  };
  tree.addEventListener("pointerdown", () => {
    isHeld = true;
  });
  // The tree is released only after the click that follows, because the pressed row must not be redrawn before it.
  addEventListener("pointerup", () => setTimeout(release));
  // A drag takes over the pointer, and ends with its own event.
  addEventListener("pointercancel", () => dragged === undefined && release());
  tree.addEventListener("dragstart", (event) => {
    dragged = idAt(event.target);
    event.dataTransfer?.setData("text/plain", dragged ?? "");
  });
  tree.addEventListener("dragover", (event) => {
    const row = rowAt(event.target);
    if (row === null || dragged === undefined) return;
    event.preventDefault();
    clear();
    row.dataset.drop = placeIn(row, event);
  });
  tree.addEventListener("drop", (event) => {
    const row = rowAt(event.target);
    if (row?.dataset.id === undefined || dragged === undefined) return;
    event.preventDefault();
    const [id, where] = [row.dataset.id, placeIn(row, event)];
    release();
    place(dragged, where, id);
    dragged = undefined;
  });
  tree.addEventListener("dragend", () => {
    dragged = undefined;
    clear();
    release();
  });
}
