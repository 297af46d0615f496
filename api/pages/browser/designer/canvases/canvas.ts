import { element, enableButtons } from "../../call.ts";
import { type HardItem, hardItems } from "../../shared/hard-items.ts";
import { textsIn } from "../../texts.ts";
import { option } from "../make.ts";
import { publishingPage } from "../publishing/page.ts";
import { layoutsOf, openDocument } from "./document/document.ts";
import { elementAt, type Path, removed } from "./document/elements.ts";
import type { Unit } from "./document/lengths.ts";
import type { EditorData, TrialType } from "./editor-data.ts";
import { openLayers } from "./panels/layers.ts";
import { noticeLine } from "./panels/notice-lines.ts";
import { openSettings } from "./panels/settings.ts";
import { openSizes } from "./panels/sizes.ts";
import { showChangedPictures } from "./publishing/changed-pictures.ts";
import { openDraft } from "./publishing/draft.ts";
import { openPublishing } from "./publishing/publishing.ts";
import { afterFrame } from "./stage/after-frame.ts";
import { openGuide } from "./stage/guide.ts";
import { keyAct } from "./stage/keys.ts";
import { nudged } from "./stage/moves.ts";
import { openStage } from "./stage/stage.ts";
import { openAllItems } from "./trial/all-items.ts";
import { layoutFor, typesFor } from "./trial/fitting.ts";
import { type Property, readCatalogue, readItems } from "./trial/items.ts";
import { latest } from "./trial/latest.ts";
import { openMatrix } from "./trial/matrix.ts";
import { previewing, previewingMany } from "./trial/preview-call.ts";
import { isPreview, type Preview, type TrialItem } from "./trial/preview-shapes.ts";

const root = element("#editor");
const data = JSON.parse(root.dataset.editor ?? "{}") as EditorData;
const text = textsIn(root);
const edited = openDocument(data.canvas);
const preview = previewing(data.manage, data.storeId);
const previewMany = previewingMany(data.manage, data.storeId);
const hidden = new Set<string>();

/** Drawn until the store's items are known, and if the store has none. */
const example: TrialItem = { itemId: "0000000", itemName: "Apple juice 1 l", price: "1.99" };
const [typeChoice, itemChoice, unitChoice] = ["#type", "#item", "#unit"].map((id) =>
  element<HTMLSelectElement>(id),
) as [HTMLSelectElement, HTMLSelectElement, HTMLSelectElement];
let items: readonly TrialItem[] = [example];
let hard: readonly HardItem<TrialItem>[] = [{ item: example }];
let catalogue: readonly Property[] = [];
let trialItem = example;
/** The elements of the last picture; the form shows how the selected one is drawn. */
let drawnElements: Preview["elements"] = [];

/** The label on display: the chosen one if it shows the displayed layout, otherwise the first that does. */
function type(): TrialType {
  const fitting = typesFor(layoutsOf(edited.edited.canvas), edited.edited.layout, data.types);
  const chosen = fitting.find((one) => String(one.type) === typeChoice.value);
  const { width, height } = edited.layout;
  const none = { type: 0, width, height, colors: ["white", "black"], dpi: 112, isShown: false };
  return chosen ?? fitting.find(({ isShown }) => isShown) ?? fitting[0] ?? none;
}

/** Draws the newest state; while a picture is in progress, older states are skipped. */
const draw = latest(async () => {
  const { layout, canvas } = edited.edited;
  const labelType = type();
  if (labelType.type === 0) return say([text("canvas.matrixNone")]);
  const drawn = hidden.size === 0 ? canvas : withoutHidden();
  const answer = await preview({ canvas: drawn, labelType: labelType.type, item: trialItem }).catch(() => undefined);
  if (answer === undefined) return say([text("canvas.failed")]);
  if (!isPreview(answer)) return say(answer.errors.map(({ pointer, detail }) => `${pointer} ${detail}`));
  if (layout !== edited.edited.layout) return;
  await stage.show(answer);
  afterFrame(() => tell(answer));
});
// Registered first, so that the picture is requested before the lists and the form are filled again.
edited.follow((what) => what === "design" && draw(undefined));

/** Lists a picture's notices once its pixels are visible. */
function tell({ notices, elements }: Preview): void {
  stage.refresh();
  layers.mark(notices);
  settings.tell(elements);
  drawnElements = elements;
  say([...new Set(notices.map((notice) => noticeLine(notice, text)))]);
  root.dataset.drawn = String(Number(root.dataset.drawn ?? 0) + 1);
}

const stage = openStage({ data, document: edited, type, hidden });
const layers = openLayers({ document: edited, text, dpi: () => type().dpi, hidden, redraw, mayWrite: data.mayWrite });
const settings = openSettings({
  ...{ data, document: edited, text, type },
  unit: () => unitChoice.value as Unit,
  catalogue: () => catalogue,
});
const sizes = openSizes({ data, document: edited, text, preview: previewMany, item: () => trialItem });
const matrix = openMatrix({ data, document: edited, text, preview: previewMany, open: openCell });
openAllItems({ data, document: edited, text, preview: previewMany, items: () => items, type });
openGuide();
const page = publishingPage("canvas-designs", data.canvasId);
openPublishing(page, data, data.mayWrite ? openDraft(data, edited, text, page.text) : undefined, text, () =>
  showChangedPictures(edited.edited.canvas, { data, text, preview: previewMany, items: () => hard }),
);

function say(lines: readonly string[]): void {
  element("#notices").textContent = lines.join(" ");
}

/** The design without the elements that are hidden in the editor. */
function withoutHidden() {
  const paths = [...hidden].map((path) => JSON.parse(path) as Path).filter((path) => elementAt(edited.layout, path));
  const { elements } = removed(edited.layout, paths);
  const { canvas, layout } = edited.edited;
  if (layout === 0) return { ...canvas, elements };
  return {
    ...canvas,
    variants: (canvas.variants ?? []).map((one, at) => (at === layout - 1 ? { ...one, elements } : one)),
  };
}

function redraw(): void {
  draw(undefined);
  stage.refresh();
}

/** Pictures of other sizes and of the matrix wait for a pause. */
function drawOthers(): void {
  sizes.draw();
  matrix.draw(hard);
}

function fillTypes(): void {
  const fitting = typesFor(layoutsOf(edited.edited.canvas), edited.edited.layout, data.types);
  const shown = type();
  typeChoice.replaceChildren(
    ...fitting.map((one) =>
      option(String(one.type), `${one.type} · ${one.width} × ${one.height}`, one.type === shown.type),
    ),
  );
}

function fillItems(): void {
  const ofHard = hard.map(({ item, why }, index) =>
    option(
      `hard ${index}`,
      why ? `${text(`canvas.reason.${why}`)}: ${item.itemName ?? item.itemId}` : (item.itemName ?? item.itemId),
    ),
  );
  const others = items.slice(0, 200).map((item, index) => option(`item ${index}`, item.itemName ?? item.itemId));
  itemChoice.replaceChildren(...ofHard, ...others);
}

/** Shows a cell of the matrix in the editor. */
function openCell(of: TrialType, item: TrialItem): void {
  const index = layoutFor(layoutsOf(edited.edited.canvas), of);
  if (index === undefined) return;
  trialItem = item;
  const place = hard.findIndex((one) => one.item === item);
  if (place >= 0) itemChoice.value = `hard ${place}`;
  edited.show(index);
  typeChoice.value = String(of.type);
  settings.show();
  redraw();
  element("#stage").focus();
}

edited.follow((what) => {
  element<HTMLButtonElement>("#undo").disabled = !edited.canUndo;
  element<HTMLButtonElement>("#redo").disabled = !edited.canRedo;
  if (what === "selection") return settings.tell(drawnElements);
  const name = element<HTMLInputElement>("#design-name");
  if (name.value !== edited.edited.canvas.name) name.value = edited.edited.canvas.name;
  fillTypes();
  drawOthers();
});

element("#design-name").addEventListener("input", ({ target }) => {
  const { value } = target as HTMLInputElement;
  if (value.trim() !== "") edited.change({ canvas: { ...edited.edited.canvas, name: value } }, "name");
});
element("#undo").addEventListener("click", () => edited.undo());
element("#redo").addEventListener("click", () => edited.redo());
typeChoice.addEventListener("change", () => {
  settings.show();
  redraw();
});
unitChoice.addEventListener("change", () => settings.show());
itemChoice.addEventListener("change", () => {
  const [kind, index = "0"] = itemChoice.value.split(" ");
  trialItem = (kind === "hard" ? hard[Number(index)]?.item : items[Number(index)]) ?? example;
  redraw();
  sizes.draw();
});

document.addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  const isTyping = target.matches("input, textarea, select, [contenteditable]");
  const act = keyAct(event);
  const isStep = act !== undefined && "act" in act && (act.act === "undo" || act.act === "redo");
  const isHere = target.closest("#stage, #layers") !== null;
  if (act === undefined || !(isHere || (isStep && !isTyping))) return;
  event.preventDefault();
  if ("way" in act) {
    const { layout, edited: now } = edited;
    if (data.mayWrite) edited.changeLayout(nudged(layout, now.selection, act.way, type().dpi), now.selection, "nudge");
    return;
  }
  if (act.act === "undo") edited.undo();
  else if (act.act === "redo") edited.redo();
  else if (act.act === "none") edited.select([]);
  else layers.act(act.act);
});

fillTypes();
fillItems();
redraw();
drawOthers();
void readItems(data.base).then(async (found) => {
  if (found.length === 0) return;
  items = found;
  hard = hardItems<TrialItem>(found, (itemId) => ({ itemId }));
  trialItem = hard[0]?.item ?? example;
  fillItems();
  redraw();
  drawOthers();
  catalogue = await readCatalogue(data.manage, found);
  // A field that somebody has started to fill in is not replaced.
  if (!element("#fields").contains(document.activeElement)) settings.show();
});
enableButtons();
element<HTMLButtonElement>("#undo").disabled = true;
element<HTMLButtonElement>("#redo").disabled = true;
