import { addressBelow, element, enableButtons } from "../call.ts";
import { decimalSignOf } from "../prices/decimal-sign.ts";
import { readList } from "../read-all.ts";
import {
  type Comparison,
  checkRows,
  compareRows,
  type PlannedRow,
  type PriceChange,
  type RowFault,
} from "./check-rows.ts";
import { decimalSignOfList, guessTargets, itemOf, type Target } from "./columns.ts";
import { areMeant, linkToList, newListId, startOfList } from "./confirm-large-changes.ts";
import { type Csv, decoded, parseCsv } from "./csv.ts";
import {
  base,
  bounds,
  changeText,
  labelAddress,
  limits,
  list,
  price,
  rowText,
  say,
  show,
  text,
} from "./import-view.ts";
import { linkTo } from "./listing.ts";
import type { ItemAnswer } from "./searched-fields.ts";
import { type FailedRow, sendRows } from "./send-rows.ts";

/** Number of rows used for guessing, and of values shown per column. */
const ROWS_TO_GUESS_BY = 50;
const VALUES_SHOWN = 3;
const PRICES_LISTED = 20;

let csv: Csv = { header: [], rows: [] };
let toSend: PlannedRow[] = [];
let large: readonly PriceChange[] = [];
let isStopped = false;
let isSending = false;
/** Counts choices of a file and its columns, so that work started for an earlier choice no longer shows anything. */
let choice = 0;

const input = element<HTMLInputElement>("#file");
input.addEventListener("change", () => void read());
// The same file may be chosen again after it has been corrected or its import has been interrupted.
input.addEventListener("click", () => {
  input.value = "";
});
addEventListener("beforeunload", (event) => {
  if (isSending) event.preventDefault();
});
// A file may be chosen before this script has loaded.
if (input.value !== "") void read();

/** Reads the chosen file, and offers its columns. */
async function read(): Promise<void> {
  const file = input.files?.[0];
  for (const step of ["#columns", "#check", "#progress"]) show(step, false);
  const begun = ++choice;
  if (file === undefined) return;
  if (file.size > limits.bytes) return say(text("import.tooLarge", { count: Math.round(limits.bytes / 1e6) }));
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (begun !== choice) return;
  if (bytes === undefined) return say(text("import.unreadable"));
  csv = parseCsv(decoded(bytes, text.language));
  if (csv.openQuote !== undefined) return say(text("import.openQuote", { line: csv.openQuote }));
  if (csv.rows.length === 0) return say(text("import.noRows"));
  if (csv.rows.length > limits.rows) return say(text("import.tooMany", { count: limits.rows }));
  say(text("import.read", { count: csv.rows.length }));
  offerColumns();
}

/** Shows each column with some of its values and the guessed meaning. */
function offerColumns(): void {
  const guessed = guessTargets(csv.header, csv.rows.slice(0, ROWS_TO_GUESS_BY));
  const template = element<HTMLTemplateElement>("#column");
  const list = element("#column-list");
  list.replaceChildren(
    ...csv.header.map((name, column) => {
      const row = template.content.cloneNode(true) as DocumentFragment;
      const put = (selector: string, content: string) => {
        const part = row.querySelector(selector);
        if (part) part.textContent = content;
      };
      put(".name", name || text("import.unnamed", { count: column + 1 }));
      const values = csv.rows.map(({ cells }) => cells[column]?.trim() ?? "").filter(Boolean);
      put(".values", values.slice(0, VALUES_SHOWN).join(" · "));
      const select = row.querySelector("select");
      if (select) select.value = guessed[column] ?? "";
      return row;
    }),
  );
  show("#columns", true);
  tellColumns();
}

const chosen = (): Target[] =>
  [...element("#column-list").querySelectorAll("select")].map(({ value }) => value as Target);

const decimalOf = (columns: readonly Target[]) => decimalSignOfList(csv.rows, columns, decimalSignOf(text.language));

/** Reports missing or duplicate columns; otherwise shows how the first row is read. */
function tellColumns(): void {
  choice += 1;
  show("#check", false);
  const columns = chosen();
  const single = columns.filter((target) => target !== "" && target !== "sics" && target !== "property");
  const doubled = single.find((target, index) => single.indexOf(target) !== index);
  const fault = !columns.includes("itemId")
    ? text("import.needsNumber")
    : doubled === undefined
      ? undefined
      : text("import.doubled", { field: text(`import.to.${doubled}`) });
  const first = itemOf(csv.rows[0]?.cells ?? [], csv.header, columns, decimalOf(columns));
  const example = [first.itemId, first.itemName, first.price && price(first.price)].filter(Boolean).join(" · ");
  element("#columns-said").textContent = fault ?? text("import.first", { item: example });
  element<HTMLButtonElement>("#try").disabled = fault !== undefined;
}
element("#column-list").addEventListener("change", tellColumns);

/** The dry run: what the file would do to the existing items. */
element("#try").addEventListener("click", async () => {
  const button = element<HTMLButtonElement>("#try");
  button.disabled = true;
  show("#progress", false);
  const begun = choice;
  const { valid, faults } = checkRows(csv.rows, csv.header, chosen(), bounds, decimalOf(chosen()));
  try {
    const present = new Map<string, ItemAnswer>();
    for await (const batch of readList<ItemAnswer>(`${base}/items?projection=M`)) {
      for (const item of batch) present.set(item.itemId, item);
      if (begun !== choice) return;
      say(text("items.reading", { count: present.size }));
    }
    const comparison = compareRows(valid, present);
    const touched = labelAddress !== "" ? await labelsTouched(comparison.toSend) : undefined;
    if (begun !== choice) return;
    tellCheck(comparison, faults, touched);
  } catch {
    if (begun !== choice) return;
    say(text("items.failed"));
  }
  button.disabled = false;
});

/** Returns the labels that show a changed item. */
async function labelsTouched(rows: readonly PlannedRow[]): Promise<string[]> {
  const wanted = new Set(rows.map(({ item }) => item.itemId));
  const touched: string[] = [];
  for await (const batch of readList<{ barcode: string; links: { itemId: string }[] }>(`${base}/labels?projection=S`))
    for (const { barcode, links } of batch) if (links.some(({ itemId }) => wanted.has(itemId))) touched.push(barcode);
  return touched;
}

function tellCheck(comparison: Comparison, faults: readonly RowFault[], touched: readonly string[] | undefined): void {
  toSend = comparison.toSend;
  large = comparison.large;
  const figures = {
    created: comparison.created,
    changed: comparison.changed,
    unchanged: comparison.unchanged,
    invalid: faults.length,
    touched: touched?.length,
  };
  for (const [name, count] of Object.entries(figures)) {
    const tile = element(`[data-figure="${name}"]`);
    tile.hidden = count === undefined;
    const figure = tile.querySelector(".figure");
    if (figure) figure.textContent = new Intl.NumberFormat(text.language).format(count ?? 0);
  }
  const name = (field: string | number) => text(`import.to.${field === "propertyKey" ? "property" : field}`);
  list("#touched", touched ?? [], (barcode) => linkTo(addressBelow(labelAddress, barcode), barcode));
  list("#faults", faults, ({ line, itemId, fault, values = {} }) =>
    rowText(line, itemId, text(`import.fault.${fault}`, { ...values, field: name(values.field ?? "") })),
  );
  // Prices that must be confirmed come first.
  const prices = [...new Set([...large, ...comparison.prices])];
  list("#prices", prices.slice(0, PRICES_LISTED), changeText, prices.length);
  say(text("import.checked"));
  element<HTMLButtonElement>("#go").textContent = text("import.go", { count: toSend.length });
  show("#go", toSend.length > 0);
  show("#check", true);
  element("#check h2").focus();
}

element("#stop").addEventListener("click", () => {
  isStopped = true;
});
element("#go").addEventListener("click", async () => {
  if (!(await areMeant(large))) return;
  const priceList = newListId(input.files?.[0]?.name ?? "", new Date());
  isStopped = false;
  isSending = true;
  const failed: FailedRow[] = [];
  const bar = element<HTMLProgressElement>("#bar");
  const total = toSend.length;
  bar.max = total;
  bar.value = 0;
  for (const [selector, isShown] of [
    ["#go", false],
    ["#columns", false],
    ["#progress", true],
    ["#stop", true],
    ["#failures", false],
  ] as const)
    show(selector, isShown);
  input.disabled = true;
  element("#stop").focus();
  say(text("import.sent", { done: 0, count: total }));
  const done = await sendRows(toSend, {
    base,
    text,
    priceList,
    validFrom: startOfList(),
    isStopped: () => isStopped,
    onDone(done, more) {
      failed.push(...more);
      bar.value = done;
      say(text("import.sent", { done, count: total }));
      list("#failures", failed, ({ line, itemId, reason }) => rowText(line, itemId, reason || text("import.noAnswer")));
    },
  }).catch(() => undefined);
  isSending = false;
  input.disabled = false;
  // The preview is outdated; checking again finds what is left.
  show("#stop", false);
  show("#check", false);
  show("#columns", true);
  const good = (done ?? bar.value) - failed.length;
  if (done === undefined) say(text("import.brokenOff", { count: good }));
  else if (done < total) say(text("import.stopped", { count: good, rest: total - done }));
  else say(text("import.done", { count: good }));
  if (failed.length > 0) element("#said").append(` ${text("import.failed", { count: failed.length })}`);
  if (good > 0) linkToList(element("#said"), priceList);
});

enableButtons();
