import { addressBelow, element, enableButtons } from "../call.ts";
import { keepPlace } from "../keep-place.ts";
import { priceText } from "../prices/price-text.ts";
import { readList } from "../read-all.ts";
import { wordsIn } from "../search/fold.ts";
import { textsIn } from "../texts.ts";
import { wallText } from "../wall-text.ts";
import { type ItemAnswer, wordsOf } from "./searched-fields.ts";

const ITEMS_AT_ONCE = 100;

const page = element("#items");
const { base = "", item: itemAddress = "", currency } = page.dataset;
const text = textsIn(page);
const form = element<HTMLFormElement>("#finder");
const status = element("#count");
const more = element<HTMLButtonElement>("#more");
const emptyRow = element<HTMLTemplateElement>("#row");

const items: { item: ItemAnswer; words: string }[] = [];
let reading: Promise<void> | undefined;
let isComplete = false;
let limit = ITEMS_AT_ONCE;
const restorePlace = keepPlace({ form, limit: { get: () => limit, set: (kept) => (limit = kept) } });

/** Reads all items as soon as somebody searches; results found so far are shown in the meantime. */
function readAll(): Promise<void> {
  reading ??= (async () => {
    for await (const batch of readList<ItemAnswer>(`${base}/items?projection=M&serializeDatesToIso8601=true`)) {
      items.push(...batch.map((item) => ({ item, words: wordsOf(item) })));
      show();
    }
    isComplete = true;
    show();
  })().catch(() => {
    reading = undefined;
    status.textContent = text("items.failed");
  });
  return reading;
}

function show(): void {
  const wish = new FormData(form);
  const words = wordsIn(String(wish.get("search") ?? ""));
  const isPlanned = wish.has("planned");
  const isSearch = words.length > 0 || isPlanned;
  element("#all").hidden = isSearch;
  element("#found").hidden = !isSearch;
  if (!isSearch) {
    status.textContent = "";
    restorePlace();
    return;
  }
  void readAll();
  const found = items.filter(
    ({ item, words: own }) => (!isPlanned || item.validFrom !== null) && words.every((word) => own.includes(word)),
  );
  const shown = found.slice(0, limit);
  element("#rows").replaceChildren(...shown.map(({ item }) => rowOf(item)));
  element("#rows").hidden = shown.length === 0;
  more.hidden = found.length <= limit;
  const count = found.length;
  if (!isComplete) status.textContent = text("items.reading", { count: items.length });
  else if (count === 0) status.textContent = text("items.none");
  else status.textContent = text(count > limit ? "items.foundMore" : "items.found", { count, shown: limit });
  restorePlace();
}

function rowOf({ itemId, itemName, price, department, itemGroup, validFrom }: ItemAnswer): Node {
  const row = emptyRow.content.cloneNode(true) as DocumentFragment;
  const put = (selector: string, content: string) => {
    const part = row.querySelector(selector);
    if (part) part.textContent = content;
  };
  row.querySelector("a")?.setAttribute("href", addressBelow(itemAddress, itemId));
  put(".name", itemName ?? itemId);
  put(".price", price === null ? "" : priceText(price, currency, text.language));
  put(".number", itemId);
  put(".place", [department, itemGroup].filter(Boolean).join(" · "));
  put(".planned", validFrom === null ? "" : text("items.planned", { time: wallText(validFrom, text.language) }));
  return row;
}

function search(): void {
  limit = ITEMS_AT_ONCE;
  const address = new URL(location.href);
  for (const name of ["search", "planned", "start"]) address.searchParams.delete(name);
  for (const [name, value] of new FormData(form)) if (value !== "") address.searchParams.set(name, String(value));
  history.replaceState(null, "", address);
  show();
}

form.addEventListener("input", search);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
more.addEventListener("click", () => {
  limit += ITEMS_AT_ONCE;
  show();
});
show();

enableButtons();
