import { element, enableButtons } from "../call.ts";
import { onChanges } from "../follow-changes.ts";
import { keepPlace } from "../keep-place.ts";
import { priceText } from "../prices/price-text.ts";
import { folded } from "../search/fold.ts";
import { offerActs } from "./acts.ts";
import { createFilter } from "./filter.ts";
import { createGrid } from "./grid.ts";
import { readItem, readItems, readLabels, readSome, type ShelfItem, type ShelfLabel } from "./read-labels.ts";

interface ScriptTexts {
  language: string;
  plain: Record<string, string>;
  counted: Record<string, string | Record<string, string>>;
  marks: Record<string, string>;
}

const page = element("#shelf");
const { base = "", tail, store = "", items: mayReadItems, label: labelAddress = "" } = page.dataset;
const texts = JSON.parse(page.dataset.texts ?? "{}") as ScriptTexts;
const plural = new Intl.PluralRules(texts.language);
const number = new Intl.NumberFormat(texts.language);
const form = element<HTMLFormElement>("#filters");
const status = element("#count");

const labels: ShelfLabel[] = [];
const byBarcode = new Map<string, ShelfLabel>();
const items = new Map<string, ShelfItem>();
const selected = new Set<string>();
const restorePlace = keepPlace({ form });
let shown: readonly ShelfLabel[] = [];
let isComplete = false;
/** If set, only these labels are shown, such as those that an action did not reach. */
let only: ReadonlySet<string> | undefined;

const text = (key: string) => texts.plain[key] ?? "";
function counted(key: string, count: number): string {
  const forms = texts.counted[key] ?? "";
  const form = typeof forms === "string" ? forms : (forms[plural.select(count)] ?? forms.other ?? "");
  return form.replace("{count}", number.format(count));
}

const grid = createGrid({
  root: element("#grid"),
  labelAddress,
  imageAddress: ({ barcode, version }, of) =>
    `${base}/labels/${encodeURIComponent(barcode)}/image?of=${of}&v=${version}`,
  itemOf: ({ item }) => (item === undefined ? undefined : items.get(item)),
  isSelected: (barcode) => selected.has(barcode),
  text,
  priceOf: (price) => priceText(price, page.dataset.currency, texts.language),
  markOf: (state) => texts.marks[state] ?? "",
  mayAct: document.querySelector("#selection") !== null,
});

/** Shows the labels that match the filters. */
function filter(): void {
  const entered = new FormData(form);
  const matches = createFilter((name) => String(entered.get(name) ?? ""));
  shown = labels.filter((label) => (only === undefined || only.has(label.barcode)) && matches(label));
  grid.show(shown);
  status.textContent = shown.length === 0 && isComplete ? text("shelf.none") : counted("shelf.shown", shown.length);
  restorePlace();
}

/** Offers the values that occur among the labels in a filter, which is shown once it offers a choice. */
function offer(name: "model" | "place" | "department" | "area"): void {
  const select = element<HTMLSelectElement>(`[name=${name}]`);
  const known = new Set(Array.from(select.options, ({ value }) => value));
  for (const value of [...new Set(labels.map((label) => label[name]))].sort())
    if (!known.has(value)) select.add(new Option(value, value));
  const field = select.closest<HTMLElement>(".field");
  if (field !== null) field.hidden &&= select.options.length < 2;
}

function showSelection(): void {
  const bar = document.querySelector<HTMLElement>("#selection");
  if (bar === null) return;
  bar.hidden = selected.size === 0;
  element("#selected").textContent = counted("shelf.selected", selected.size);
  element("#rest").hidden = true;
  grid.redraw();
}

const yieldToFrames = () => new Promise((done) => setTimeout(done));

async function load(): Promise<void> {
  for await (const batch of readLabels(base)) {
    for (const label of batch) put(label);
    filter();
    await yieldToFrames();
  }
  isComplete = true;
  offer("model");
  offer("place");
  offer("area");
  filter();
  if (mayReadItems !== "true") return;
  const byItem = Map.groupBy(labels, ({ item }) => item ?? "");
  for await (const batch of readItems(base)) {
    for (const item of batch) learn(item, byItem.get(item.itemId) ?? []);
    filter();
    await yieldToFrames();
  }
  offer("department");
}

/** Applies new data of a label, and refetches its picture if it was already shown. Labels stay in the order of barcodes. */
function put(fresh: ShelfLabel): void {
  const known = byBarcode.get(fresh.barcode);
  if (known === undefined) {
    byBarcode.set(fresh.barcode, fresh);
    labels.splice(labels.findLastIndex(({ barcode }) => barcode < fresh.barcode) + 1, 0, fresh);
  } else Object.assign(known, fresh, { version: known.version + 1 });
  const item = items.get(fresh.item ?? "");
  if (item !== undefined) learn(item, [known ?? fresh]);
}

/** Makes a label findable by its item's name, codes and department. */
function learn(item: ShelfItem, itsLabels: readonly ShelfLabel[]): void {
  items.set(item.itemId, item);
  for (const label of itsLabels) {
    label.words = folded(`${label.barcode} ${label.place} ${label.item} ${item.itemName ?? ""} ${item.sics.join(" ")}`);
    label.department = item.department ?? "";
  }
}

/** If any label may have changed, the labels that are not visible are read again after this time. */
const READ_ALL_AFTER_MS = 60_000;
let readAllAt = performance.now();

/**
 * Rereads changed labels and their items. If the changed labels are unknown, rereads the visible labels, and all labels
 * from time to time.
 */
async function refresh(told: ReadonlySet<string> | undefined): Promise<void> {
  const seen = Array.from(document.querySelectorAll<HTMLElement>(".cell"), ({ dataset }) => dataset.barcode ?? "");
  const prefix = `${store}/`;
  const changed = told && [...told].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  const wanted = new Set(changed ?? seen);
  for await (const batch of readSome(base, [...wanted])) for (const label of batch) put(label);
  if (mayReadItems === "true") await refreshItems(seen.filter((barcode) => wanted.has(barcode)));
  filter();
  if (told !== undefined || performance.now() - readAllAt < READ_ALL_AFTER_MS || !isComplete) return;
  readAllAt = performance.now();
  for await (const batch of readLabels(base)) {
    for (const label of batch) if (!wanted.has(label.barcode)) put(label);
    filter();
    await yieldToFrames();
  }
}

/** Rereads the items of labels, whose name and price are shown next to the picture. */
async function refreshItems(barcodes: readonly string[]): Promise<void> {
  const byItem = Map.groupBy(
    barcodes.flatMap((barcode) => byBarcode.get(barcode) ?? []),
    ({ item }) => item,
  );
  for (const [itemId, itsLabels] of byItem) {
    const item = itemId === undefined ? undefined : await readItem(base, itemId);
    if (item !== undefined) learn(item, itsLabels);
  }
}

let searching: number | undefined;
form.addEventListener("input", () => {
  only = undefined;
  window.clearTimeout(searching);
  searching = window.setTimeout(filter, 120);
});
form.addEventListener("submit", (event) => event.preventDefault());
element("#grid").addEventListener("change", ({ target }) => {
  const box = target as HTMLInputElement;
  const barcode = box.closest<HTMLElement>(".cell")?.dataset.barcode ?? "";
  if (box.checked) selected.add(barcode);
  else selected.delete(barcode);
  showSelection();
});
document.querySelector("#clear")?.addEventListener("click", () => {
  selected.clear();
  only = undefined;
  showSelection();
  filter();
});
if (document.querySelector("#selection") !== null)
  offerActs({
    base,
    selected: () => [...selected],
    counted,
    isHeard: (barcode) => byBarcode.get(barcode)?.state !== "OFFLINE",
    offerRest(barcodes) {
      const rest = element("#rest");
      rest.hidden = barcodes.length === 0;
      rest.textContent = counted("shelf.rest", barcodes.length);
      rest.onclick = () => {
        only = new Set(barcodes);
        selected.clear();
        for (const barcode of barcodes) selected.add(barcode);
        showSelection();
        filter();
      };
    },
    say: (said) => {
      element("#selected").textContent = said;
      void refresh(new Set(Array.from(selected, (barcode) => `${store}/${barcode}`)));
    },
  });
onChanges(tail, refresh);
load().catch(() => {
  status.textContent = text("shelf.failed");
});

enableButtons();
