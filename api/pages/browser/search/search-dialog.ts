import { addressBelow, element } from "../call.ts";
import { readJson, readList } from "../read-all.ts";
import { textsIn } from "../texts.ts";
import { folded, wordsIn } from "./fold.ts";

/** A search result. */
interface Entry {
  href: string;
  title: string;
  /** Distinguishes it from other entries with the same title. */
  more: string;
  words: string;
}

/** Maximum number of entries that each group shows; typing more letters narrows the search. */
const MAX_SHOWN = 8;

const dialog = element<HTMLDialogElement>("#search");
const field = dialog.querySelector("input") as HTMLInputElement;
const status = dialog.querySelector('[role="status"]') as HTMLElement;
const found = dialog.querySelector(".found") as HTMLElement;
const text = textsIn(dialog);
const { items, item = "", labels, label = "", stores, store = "" } = dialog.dataset;

const entry = (href: string, title: string, more = "", others: readonly string[] = []): Entry => ({
  ...{ href, title, more },
  words: folded([title, more, ...others].join(" ")),
});

/** Entries in the page itself are available immediately; the lists are read as soon as somebody types. */
const groups = new Map<string, Entry[]>(
  ["search.pages", "search.stores", "search.items", "search.labels"].map((name) => [
    name,
    [...dialog.querySelectorAll<HTMLAnchorElement>(`[data-known="${name}"] a`)].map(({ href, textContent }) =>
      entry(href, textContent ?? ""),
    ),
  ]),
);

let isReading = false;
let hasRead = false;
let hasFailed = false;

async function readInto<T>(name: string, address: string | undefined, entryOf: (row: T) => Entry): Promise<void> {
  if (address === undefined) return;
  for await (const batch of readList<T>(address)) {
    groups.get(name)?.push(...batch.map(entryOf));
    show();
  }
}

interface ItemRow {
  itemId: string;
  itemName: string | null;
  sics: string[];
}
interface LabelRow {
  barcode: string;
  plLocation: string | null;
}

function readLists(): void {
  if (isReading) return;
  isReading = true;
  void Promise.allSettled([
    stores === undefined
      ? undefined
      : readJson<{ storeId: string; name: string }[]>(stores).then((all) => {
          groups
            .get("search.stores")
            ?.push(...all.map(({ storeId, name }) => entry(withStore(storeId), name, storeId)));
        }),
    readInto<ItemRow>("search.items", items && `${items}?projection=M`, ({ itemId, itemName, sics }) =>
      entry(addressBelow(item, itemId), itemName ?? itemId, itemId, sics),
    ),
    readInto<LabelRow>("search.labels", labels && `${labels}?projection=S`, ({ barcode, plLocation }) =>
      entry(addressBelow(label, barcode), barcode, plLocation ?? ""),
    ),
  ]).then((results) => {
    hasRead = true;
    hasFailed = results.some(({ status: outcome }) => outcome === "rejected");
    show();
  });
}

function withStore(id: string): string {
  const address = new URL(store, location.href);
  address.searchParams.set("store", id);
  return address.href;
}

function show(): void {
  const words = wordsIn(field.value);
  if (words.length === 0) {
    found.replaceChildren();
    status.textContent = "";
    return;
  }
  readLists();
  const matching = [...groups].map(([name, entries]) => {
    const hits: Entry[] = [];
    for (const one of entries) {
      if (words.every((word) => one.words.includes(word))) hits.push(one);
      if (hits.length === MAX_SHOWN) break;
    }
    return [name, hits] as const;
  });
  const shown = matching.filter(([, hits]) => hits.length > 0);
  // Unchanged groups are not replaced, so that the focus stays in place while more is read.
  const drawn = shown.map(([name, hits]) => groupOf(name, hits));
  if (found.innerHTML !== drawn.map(({ outerHTML }) => outerHTML).join("")) found.replaceChildren(...drawn);
  const count = [...groups.values()].reduce((sum, entries) => sum + entries.length, 0);
  if (!hasRead) status.textContent = text("search.reading", { count });
  else if (hasFailed) status.textContent = text("search.failed");
  else status.textContent = shown.length === 0 ? text("search.none") : "";
}

function groupOf(name: string, hits: readonly Entry[]): HTMLElement {
  const section = document.createElement("section");
  const heading = document.createElement("h2");
  heading.textContent = text(name);
  const list = document.createElement("ul");
  list.append(...hits.map(lineOf));
  section.append(heading, list);
  return section;
}

function lineOf({ href, title, more }: Entry): HTMLElement {
  const line = document.createElement("li");
  const link = document.createElement("a");
  link.href = href;
  link.textContent = title;
  if (more !== "" && more !== title) {
    const rest = document.createElement("span");
    rest.className = "muted";
    rest.textContent = more;
    link.append(" ", rest);
  }
  line.append(link);
  return line;
}

/** Moves with the arrow keys from the field through the links and back. */
function walk(step: 1 | -1): void {
  const stops: HTMLElement[] = [field, ...found.querySelectorAll<HTMLElement>("a")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[(at + step + stops.length) % stops.length]?.focus();
}

dialog.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  walk(event.key === "ArrowDown" ? 1 : -1);
});
dialog.querySelector("form")?.addEventListener("submit", (event) => {
  if (event.submitter !== null && document.activeElement !== field) return;
  event.preventDefault();
  found.querySelector<HTMLAnchorElement>("a")?.click();
});
field.addEventListener("input", show);

/** Opens the search, with the last search words selected. */
export function openSearch(): void {
  dialog.showModal();
  field.select();
}
