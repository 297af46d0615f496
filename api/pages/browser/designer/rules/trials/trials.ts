import { element } from "../../../call.ts";
import { priceText } from "../../../prices/price-text.ts";
import { readList } from "../../../read-all.ts";
import { button, make, signButton } from "../../make.ts";
import { readProperties } from "../conditions/read-properties.ts";
import { base, currency, data, designName, type Pack, packId, text } from "../desk.ts";
import { rowsOf } from "../pack-tree.ts";
import type { Values } from "../sentence/holds.ts";
import type { Marks } from "../tree-view.ts";
import { whyText } from "../words.ts";
import { post } from "./counts.ts";
import { type Case, hardCases } from "./hard-cases.ts";
import { drawPicture, pictureOf, reportsOf } from "./pictures.ts";
import { propertiesOf, type ShopItem } from "./shop.ts";
import { type Traced, whyNot } from "./why.ts";

/** How a pack chooses the design of an item on a label. */
interface Trace {
  design_id: string | null;
  match: { id: string; name: string } | null;
  scenarios: readonly (Traced & { ancestors: readonly string[] })[];
}

interface ShownCase extends Case {
  item: ShopItem;
  labelType: number;
  trace?: Trace;
}

export interface Trials {
  /** Tries a pack on every test item, and shows the results. */
  tryAll(pack: Pack): Promise<void>;
  /** Returns the path of the selected item through the rules. */
  path(pack: Pack): Marks["path"];
}

const list = element("#cases");
const outcome = element("#trials-outcome");
/** Maximum number of items that are searched. */
const MAX_ITEMS = 20_000;
const PINNED = `shelfwire-rules-${packId}-${data.store}`;

/** Opens the trials of test items, which the page finds or a person pins. */
export async function openTrials(pack: Pack, changed: () => void): Promise<Trials> {
  const trials = { tryAll: async () => undefined, path: () => new Map() };
  if (!data.mayReadItems) {
    outcome.textContent = text("rules.noItems");
    element("#pin").hidden = true;
    return trials;
  }
  outcome.textContent = text("rules.loadingItems");
  const found = await Promise.all([readItems(), readTypes()]).catch(() => undefined);
  outcome.textContent = found ? "" : text("form.failed");
  element("#pin").hidden = found === undefined;
  if (found === undefined) return trials;
  const [items, typeOf] = found;
  return createTrials(items, typeOf, pack, changed);
}

async function readItems(): Promise<ShopItem[]> {
  const items: ShopItem[] = [];
  for await (const batch of readList<ShopItem>(`${base}/items?projection=M`)) {
    items.push(...batch);
    if (items.length >= MAX_ITEMS) break;
  }
  return items;
}

/** The label types on which items are shown; empty if the session may not see labels. */
async function readTypes(): Promise<ReadonlyMap<string, number>> {
  if (!data.mayReadLabels) return new Map();
  const types = new Map<string, number>();
  const labels = readList<{ modelName: string | null; links: { itemId: string }[] }>(`${base}/labels?projection=S`);
  for await (const batch of labels)
    for (const { modelName, links } of batch) {
      const type = data.models.find(({ name }) => name === modelName)?.labelTypes[0];
      if (type !== undefined) for (const { itemId } of links) types.set(itemId, type);
    }
  return types;
}

function createTrials(
  items: readonly ShopItem[],
  typeOf: ReadonlyMap<string, number>,
  pack: Pack,
  changed: () => void,
): Trials {
  const byId = new Map(items.map((item) => [item.itemId, item]));
  const usualType = [...typeOf.values()][0] ?? data.labelTypes[0]?.type ?? 0;
  const read = readProperties(rowsOf(pack.scenarios).map(({ rule }) => rule.cel_expression ?? ""));
  const pinned = new Set(JSON.parse(localStorage.getItem(PINNED) ?? "[]") as string[]);
  const pins = [...pinned].map((itemId): Case => ({ reason: "pinned", itemId }));
  const found = hardCases(items, read, ({ itemId }) => typeOf.has(itemId)).filter(({ itemId }) => !pinned.has(itemId));
  let cases = [...pins, ...found].flatMap(shownCase);
  let seen: string | undefined;
  let tried = pack;
  let trial = 0;

  function shownCase(one: Case): ShownCase[] {
    const item = byId.get(one.itemId);
    return item === undefined ? [] : [{ ...one, item, labelType: typeOf.get(one.itemId) ?? usualType }];
  }

  async function tryAll(next: Pack): Promise<void> {
    tried = next;
    trial += 1;
    const own = trial;
    const traces = await Promise.all(cases.map((one) => traceOf(next, one)));
    if (own !== trial) return;
    cases = cases.map((one, index) => ({ ...one, ...(traces[index] && { trace: traces[index] }) }));
    show();
    changed();
  }

  function show(): void {
    list.replaceChildren(...cases.map((one) => caseElement(one, one.itemId === seen, { look, remove })));
  }

  function look(itemId: string): void {
    seen = seen === itemId ? undefined : itemId;
    for (const card of list.querySelectorAll<HTMLElement>(".case")) {
      const isSeen = card.dataset.item === seen;
      card.toggleAttribute("data-seen", isSeen);
      card.querySelector(".look")?.setAttribute("aria-pressed", String(isSeen));
    }
    changed();
  }

  function remove(itemId: string): void {
    pinned.delete(itemId);
    keep();
    cases = cases.filter((one) => one.itemId !== itemId);
    if (seen === itemId) seen = undefined;
    show();
    changed();
  }

  const keep = () => localStorage.setItem(PINNED, JSON.stringify([...pinned]));

  element("#pin").addEventListener("submit", (event) => {
    event.preventDefault();
    const field = element<HTMLInputElement>("#pin input");
    const wanted = field.value.trim().toLowerCase();
    if (wanted === "") return;
    const item =
      items.find(({ itemId }) => itemId.toLowerCase() === wanted) ??
      items.find(({ itemName }) => itemName?.toLowerCase() === wanted) ??
      items.find(({ itemName }) => itemName?.toLowerCase().includes(wanted));
    outcome.textContent = item === undefined ? text("rules.notFound", { item: field.value }) : "";
    if (item === undefined) return;
    pinned.add(item.itemId);
    keep();
    cases = [
      ...shownCase({ reason: "pinned", itemId: item.itemId }),
      ...cases.filter(({ itemId }) => itemId !== item.itemId),
    ];
    field.value = "";
    void tryAll(tried);
  });
  offerNames(items);

  return {
    tryAll,
    path: (shown) =>
      pathOf(
        cases.find(({ itemId }) => itemId === seen),
        shown,
      ),
  };
}

/** Maximum number of items offered, since nobody reads a longer list. */
const MAX_OFFERED = 500;

const offerNames = (items: readonly ShopItem[]): void =>
  element("#item-names").replaceChildren(
    ...items.slice(0, MAX_OFFERED).map(({ itemName, itemId }) => make("option", { value: itemName ?? itemId })),
  );

const traceOf = (pack: Pack, { itemId, labelType }: ShownCase): Promise<Trace | undefined> =>
  post<Trace>("/evaluate", { pack, storeId: data.store, itemId, labelType }).catch(() => undefined);

const valuesOf = ({ item, labelType }: ShownCase): Values => {
  const properties = propertiesOf(item);
  return ({ root, key }) => (root === "item" ? properties.get(key) : key === "type" ? labelType : undefined);
};

type PathMark = Marks["path"] extends ReadonlyMap<string, infer One> ? One : never;

/** Returns the result of each evaluated rule for an item. */
function pathOf(one: ShownCase | undefined, { scenarios }: Pack): Marks["path"] {
  if (one?.trace === undefined) return new Map();
  const { match, scenarios: traced } = one.trace;
  const above = traced.find(({ id }) => id === match?.id)?.ancestors ?? [];
  const expressions = new Map(rowsOf(scenarios).map(({ rule }) => [rule.id, rule.cel_expression ?? ""]));
  return new Map(
    traced
      .filter(({ isAsked }) => isAsked)
      .map((rule): [string, PathMark] => {
        if (rule.id === match?.id) return [rule.id, { state: "chosen", said: text("rules.applies") }];
        if (above.includes(rule.id)) return [rule.id, { state: "passed", said: text("rules.passed") }];
        const why = whyNot(rule, expressions.get(rule.id) ?? "", valuesOf(one));
        return [rule.id, { state: "failed", said: whyText(why, text) }];
      }),
  );
}

interface Acts {
  look(itemId: string): void;
  remove(itemId: string): void;
}

function caseElement(one: ShownCase, isSeen: boolean, { look, remove }: Acts): HTMLElement {
  const { item, itemId, reason, property = "", trace } = one;
  const name = item.itemName ?? itemId;
  const price = item.price === null ? "" : ` · ${priceText(item.price, currency, text.language)}`;
  const opener = button("", () => look(itemId), { class: "look", "aria-pressed": String(isSeen) });
  opener.append(name, make("span", { class: "reason" }, `${text(`rules.case.${reason}`, { property })}${price}`));
  const card = make(
    "li",
    { class: "case", "data-item": itemId, "data-seen": isSeen },
    make(
      "header",
      {},
      opener,
      signButton("×", text("rules.unpin", { item: name }), () => remove(itemId)),
    ),
    make("p", { class: "gets" }, trace ? getsText(trace) : ""),
  );
  if (trace?.design_id) void showPicture(card, one, trace.design_id);
  return card;
}

function getsText({ match, design_id }: Trace): string {
  if (match === null) return text("rules.getsNothing");
  if (design_id === null) return text("rules.getsNoDesign", { rule: match.name });
  return text("rules.gets", { rule: match.name, design: designName(design_id) });
}

async function showPicture(card: HTMLElement, { item, itemId, labelType }: ShownCase, design: string): Promise<void> {
  const preview = await drawPicture(design, { storeId: data.store, itemId, labelType });
  if (preview === undefined) return;
  card.append(pictureOf(preview, text("rules.pictureOf", { item: item.itemName ?? itemId })));
  card.append(...reportsOf(preview).map((report) => make("p", { class: "warning" }, report)));
}
