import test from "ava";
import type { IntegrityReport } from "../../../schemas/integrity.ts";
import type { LawFindings } from "../../../schemas/law.ts";
import type { PriceHistory } from "../../../schemas/price-history.ts";
import type { DraftFinding } from "../../../schemas/version.ts";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { sessionOf } from "../../harness/served.ts";
import { bodyOf, deleteItem, writeItems, writeLabels } from "../calls.ts";
import { manage } from "../management/calls.ts";

const shelfwire = ownStack();
const label = labelFor("reduced");
const priceHistory = async (itemId: string) =>
  bodyOf<PriceHistory>(await shelfwire.call("GET", `/items/${itemId}/price-history`));
const findings = async (query = "") => bodyOf<LawFindings>(await shelfwire.call("GET", `/law-findings${query}`));
const setStore = (more: object) => manage(shelfwire, "PUT", "/stores/main", { ...demoStore, ...more });

test.serial("without a country nothing is checked", async (t) => {
  t.deepEqual(await findings(), { country: null, findings: [], itemsRead: 0, next: null });
  const { law } = await bodyOf<IntegrityReport>(await manage(shelfwire, "GET", "/stores/main/integrity"));
  t.is(law, null);
});

test.serial("each price is kept with the labels that acknowledged it, and the lowest is the prior price", async (t) => {
  await writeItems(shelfwire, [{ itemId: "reduced", itemName: "Reduced", price: "2.00" }]);
  await writeLabels(shelfwire, [{ barcode: label, links: [{ itemId: "reduced" }] }]);
  await glassOf(shelfwire, label);
  const shownOf = async () => (await priceHistory("reduced")).prices.at(-1)?.shown ?? undefined;
  const shown = await eventually("the acknowledgement is logged", shownOf);
  t.is(shown.labels, 1);
  await writeItems(shelfwire, [{ itemId: "reduced", price: "2.50" }]);
  await writeItems(shelfwire, [{ itemId: "reduced", price: "1.50" }]);
  const history = await priceHistory("reduced");
  t.like(history, { price: "1.50", priorPrice: "2.00", reducedBy: 25, labelsRead: 1, isCut: false });
  t.deepEqual(
    history.prices.map(({ price, counts }) => [price, counts]),
    [
      ["1.50", false],
      ["2.50", true],
      ["2.00", true],
    ],
  );
  t.true(history.period?.isCovered);
  const [present, before] = history.prices;
  t.is(present?.since, before?.until);
});

test.serial("the same price sent again, and rows without a price, add nothing", async (t) => {
  await writeItems(shelfwire, [{ itemId: "reduced", price: "1.50" }]);
  await writeItems(shelfwire, [{ itemId: "reduced", itemName: "Still reduced" }]);
  t.is((await priceHistory("reduced")).prices.length, 3);
});

test.serial("an item that is deleted and created again keeps its earlier prices", async (t) => {
  await writeItems(shelfwire, [{ itemId: "again", price: "5.00" }]);
  await deleteItem(shelfwire, "again");
  await writeItems(shelfwire, [{ itemId: "again", price: "9.00" }]);
  const { prices, priorPrice, reducedBy } = await priceHistory("again");
  t.deepEqual(
    prices.map(({ price }) => price),
    ["9.00", null, "5.00"],
  );
  t.deepEqual([priorPrice, reducedBy], ["5.00", null]);
  const unknown = await shelfwire.call("GET", "/items/none/price-history");
  t.is(unknown.status, 404);
});

test.serial("an item's page shows the prior price", async (t) => {
  const cookie = await sessionOf(shelfwire.origin, await shelfwire.token());
  const open = async (itemId: string) =>
    (await fetch(`${shelfwire.origin}/items/${itemId}`, { headers: { cookie, accept: "text/html" } })).text();
  t.regex(await open("reduced"), /<p class="prior-price">[^<]*2\.00[^<]*25% lower/);
  t.regex(await open("again"), /<p class="prior-price">[^<]*5\.00[^<]*not a reduction/);
});

test.serial("a store's rules take effect with the next price change", async (t) => {
  t.is((await setStore({ country: "HR", priorPrice: { progressive: true } })).status, 200);
  // A process caches a store's rules for several seconds.
  const steps = await eventually("the rules are in effect", async () => {
    const itemId = `steps ${Date.now()}`;
    for (const price of ["10", "9", "8"]) await writeItems(shelfwire, [{ itemId, price }]);
    const history = await priceHistory(encodeURIComponent(itemId));
    return history.rules.progressive === true && history;
  });
  t.is(steps.priorPrice, "10");
});

test.serial("findings about items name their check and its legal source, and can be read page by page", async (t) => {
  const properties = { lowestPrice30: "2.40", quantity: "1 l" };
  await writeItems(shelfwire, [{ itemId: "reduced", properties }]);
  const ofItem = ({ findings: all }: LawFindings) => all.filter(({ subject }) => subject.id === "reduced");
  const whole = await findings("?limit=1000");
  t.is(whole.country, "HR");
  t.like(ofItem(whole)[0], {
    check: "SENT_PRIOR_PRICE",
    level: "breach",
    source: "Directive 98/6/EC, article 6a(2)",
    since: "2022-05-28",
  });
  const paged: LawFindings["findings"] = [];
  let next: string | null = "";
  while (next !== null) {
    const page: LawFindings = await findings(`?limit=1${next && `&after=${encodeURIComponent(next)}`}`);
    paged.push(...page.findings);
    next = page.next;
  }
  t.deepEqual(paged, whole.findings);
  const { law } = await bodyOf<IntegrityReport>(await manage(shelfwire, "GET", "/stores/main/integrity"));
  const breaches = whole.findings.filter(({ level }) => level === "breach").length;
  t.like(law, { country: "HR", breaches, isCut: false });
});

test.serial("a draft that announces a reduction without the prior price cannot be published", async (t) => {
  const text = { kind: "text", x: 4, y: 4, width: 280, height: 40, font: "bold", size: 32, color: "black" };
  const price = { kind: "price", x: 4, y: 50, width: 280, height: 70, font: "bold", size: 60, color: "black" };
  const elements = [
    { ...price, value: "${item.price}" },
    { ...text, text: "${discount(item.price, item.formerPrice)}" },
  ];
  const save = async (more: object[]) => {
    const content = { name: "Offer", width: 296, height: 128, background: "white", elements: [...elements, ...more] };
    const answer = await manage(shelfwire, "PUT", "/canvas-designs/offer/draft", { content });
    return bodyOf<{ errors: DraftFinding[]; warnings: DraftFinding[] }>(answer);
  };
  const { errors, warnings } = await save([]);
  t.deepEqual(
    errors.map(({ pointer, detail }) => [pointer, /\((\w+), (\w+):/.exec(detail)?.slice(1).join(" ")]),
    [
      ["", "PRIOR_PRICE HR"],
      ["/elements/1", "PERCENT_BASE HR"],
    ],
  );
  t.true(warnings.some(({ detail }) => detail.includes("UNIT_PRICE")));
  const order = { drafts: [{ subject: "canvas-designs", id: "offer" }] };
  t.is((await manage(shelfwire, "POST", "/publications", order)).status, 400);
  elements.splice(1, 1, { ...text, text: "${discount(item.price, item.priorPrice)}" });
  t.deepEqual((await save([])).errors, []);
});
