import { element } from "../call.ts";
import { readJson } from "../read-all.ts";
import { textsIn } from "../texts.ts";

interface Summary {
  labels: number;
  plState: Record<string, number>;
}

/** Maximum number of stores whose labels are counted at the same time, since each count reads all labels of a store. */
const MAX_COUNTS = 2;
/** The states that indicate trouble, worst first. */
const TROUBLE = ["ERROR", "OFFLINE", "UNKNOWN", "PENDING"];

/** Time from the last key to the search. */
const PAUSE_MS = 250;

const rowsOf = (table: HTMLElement) => [...table.querySelectorAll<HTMLTableRowElement>("tbody tr")];

/** Searches while somebody types: shows the rows of the page that has this search in its address. */
function offerSearch(onShown: () => void): void {
  const field = element<HTMLInputElement>("#find-store");
  let timer: number | undefined;
  async function search(): Promise<void> {
    const address = new URL(location.href);
    address.searchParams.delete("start");
    if (field.value === "") address.searchParams.delete("find");
    else address.searchParams.set("find", field.value);
    const sought = field.value;
    const answer = await fetch(address, { headers: { accept: "text/html" } }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    const rows = text && new DOMParser().parseFromString(text, "text/html").querySelector("#store-rows");
    // If the rows cannot be read, Enter loads the page, which shows the reason.
    if (!rows || field.value !== sought) return;
    element("#store-rows").replaceWith(rows);
    history.replaceState(undefined, "", address);
    onShown();
  }
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE_MS);
  });
}

/** Counts the labels of the stores whose rows are visible; rows that leave the window before their turn are not counted. */
function countLabels(table: HTMLElement): () => void {
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
  return () => {
    for (const row of rowsOf(table)) if (row.querySelector(".counts") !== null) observer.observe(row);
  };
}

const table = document.querySelector<HTMLElement>("#stores");
if (table !== null) {
  const observeRows = countLabels(table);
  observeRows();
  offerSearch(observeRows);
}
