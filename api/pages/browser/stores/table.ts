import { element } from "../call.ts";
import { folded, wordsIn } from "../fold.ts";
import { readJson } from "../read-all.ts";
import { textsIn } from "../texts.ts";

interface Summary {
  labels: number;
  plState: Record<string, number>;
}

/** Stores whose labels are counted at the same time: each count reads all labels of a store. */
const MAX_COUNTS = 2;
/** The states that are trouble, the worst first. */
const TROUBLE = ["ERROR", "OFFLINE", "UNKNOWN", "PENDING"];

const rowsOf = (table: HTMLElement) => [...table.querySelectorAll<HTMLTableRowElement>("tbody tr")];

/** Shows the rows whose store has all words of the search in its name. */
function offerSearch(table: HTMLElement): void {
  const text = textsIn(table);
  const field = element<HTMLInputElement>("#find-store");
  const rows = rowsOf(table).map((row) => ({ row, words: folded(row.cells[0]?.textContent ?? "") }));
  field.addEventListener("input", () => {
    const words = wordsIn(field.value);
    for (const { row, words: own } of rows) row.hidden = !words.every((word) => own.includes(word));
    const count = rows.filter(({ row }) => !row.hidden).length;
    element("#store-count").textContent = text("user.storeCount", { count });
  });
}

/** Counts the labels of the stores that are in sight; rows that leave the window before their turn are not counted. */
function countLabels(table: HTMLElement): void {
  const text = textsIn(table);
  const waiting = new Set<HTMLElement>();
  let counting = 0;

  async function count(row: HTMLElement): Promise<void> {
    const { store = "" } = row.dataset;
    const address = `${table.dataset.base}${encodeURIComponent(store)}/api/public/core/v1/labels/summary`;
    const summary = await readJson<Summary>(address).catch(() => undefined);
    const cell = row.querySelector(".counts");
    if (cell !== null) cell.textContent = summary === undefined ? "–" : said(summary);
  }

  const said = ({ labels, plState }: Summary): string =>
    [
      text("labels.count", { count: labels }),
      ...TROUBLE.filter((state) => plState[state]).map(
        (state) => `${text(`state.${state}`)}: ${new Intl.NumberFormat(text.language).format(plState[state] ?? 0)}`,
      ),
    ].join(" · ");

  function countNext(): void {
    const [row] = waiting;
    if (row === undefined || counting >= MAX_COUNTS) return;
    waiting.delete(row);
    observer.unobserve(row);
    counting += 1;
    void count(row).finally(() => {
      counting -= 1;
      countNext();
    });
    countNext();
  }

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) waiting.add(target as HTMLElement);
      else waiting.delete(target as HTMLElement);
    }
    countNext();
  });
  for (const row of rowsOf(table)) if (row.querySelector(".counts") !== null) observer.observe(row);
}

const table = document.querySelector<HTMLElement>("#stores");
if (table !== null) {
  offerSearch(table);
  countLabels(table);
}
