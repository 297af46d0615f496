import test from "ava";
import type { RecordKind } from "../../../../records/kind.ts";
import { items } from "../../../../records/kinds/items.ts";
import { links, studioLinks } from "../../../../records/kinds/links.ts";
import { itemKey, linkIdOf, linkKey } from "../../../../schemas/keys.ts";
import type { PackOrder } from "../../../../schemas/pack.ts";
import type { PackDifference } from "../../../../schemas/trial.ts";
import { eventually } from "../../../harness/eventually.ts";
import { labelFor } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, pointersOf, refused, writeItems, writeLabels, writeLinks } from "../../calls.ts";
import { manage } from "../calls.ts";

const shelfwire = ownStack({ workers: ["item", "link", "evaluator"] });
const labels = Array.from({ length: 6 }, (_, index) => labelFor(`trial ${index}`, "1328"));
test.before(async () => {
  await writeItems(shelfwire, [
    { itemId: "apple", itemName: "Apple", price: "1.99", properties: { priceKind: "special", brand: "Gala" } },
    { itemId: "pear", itemName: "Pear", price: "2.99" },
  ]);
  const rows = labels.map((barcode, index) => ({ barcode, links: [{ itemId: index < 2 ? "apple" : "pear" }] }));
  await writeLabels(shelfwire, rows);
  await eventually("every link has its design", async () => {
    const found = await Promise.all(labels.map((barcode) => shelfwire.call("GET", `/labels/${barcode}/links`)));
    const lists = await Promise.all(found.map((answer) => answer.json() as Promise<{ designId: string | null }[]>));
    return lists.every(([link]) => link?.designId);
  });
});

const post = (path: string, body: unknown) => manage(shelfwire, "POST", `/communication-packs${path}`, body);
/** Returns a comparison of all links: on a busy machine, a call may end early and say where to continue. */
const compared = (query = "") =>
  eventually("one call compares all links", async () => {
    const difference = await bodyOf<PackDifference>(await post(`/diff${query}`, pack));
    return difference.next === null && difference;
  });
const pack: PackOrder = {
  name: "trial",
  scenarios: [
    {
      id: "dear",
      name: "Dear",
      cel_expression: "double(item.price) > 2.50",
      design_ids: ["special-800x480", "special-296x128"],
      children: [
        { id: "branded", name: "Branded", cel_expression: 'item.brand == "Gala"', design_ids: ["regular-296x128"] },
      ],
    },
    { id: "rest", name: "Rest", design_ids: ["regular-296x128"] },
  ],
};
const pear = { storeId: "main", itemId: "pear", labelType: 1328 };

test.serial("a trial shows the design, the scenario that applies, and the result of each expression", async (t) => {
  const trace = await bodyOf<Record<string, unknown>>(await post("/evaluate", { pack, ...pear }));
  t.like(trace, {
    design_id: "t/demo/designs/special-296x128",
    match: { id: "dear", name: "Dear" },
    designs: [{ isChosen: false }, { isChosen: true }],
    scenarios: [
      { id: "dear", isAsked: true, value: true, missing: [] },
      { id: "branded", isAsked: true, value: false, missing: ["item.brand"], ancestors: ["dear"] },
      { id: "rest", isAsked: false, value: true },
    ],
  });
});

test.serial("an inline item is tried like a stored one; text that is not a number is shown as an error", async (t) => {
  const item = { itemId: "new", price: "on request", properties: { brand: "Gala" } };
  const trace = await bodyOf<{ scenarios: { error?: string }[] }>(
    await post("/evaluate", { pack, item, labelType: 1328 }),
  );
  t.like(trace, { match: { id: "rest" }, design_id: "t/demo/designs/regular-296x128" });
  t.regex(trace.scenarios[0]?.error ?? "", /"on request" is not a number/);
});

test.serial("if no design fits, the trial shows why each was rejected", async (t) => {
  const trace = await bodyOf<{ designs: { reason: string }[] }>(
    await post("/evaluate", { pack, ...pear, labelType: 1317 }),
  );
  t.like(trace, { design_id: null, match: { id: "dear" } });
  t.regex(trace.designs[1]?.reason ?? "", /not for 1317/);
});

test.serial("a saved pack is tried by its ID", async (t) => {
  const body = { ...pear, location: "A1", facings: "2" };
  t.like(await bodyOf(await post("/shelf-prices/evaluate", body)), {
    match: { id: "regular" },
    design_id: "t/demo/designs/regular-296x128",
  });
  await refused(t, await post("/none/evaluate", body), 404);
});

const faults: [rule: string, change: object, pointers: string[]][] = [
  ["an unknown item", { itemId: "plum" }, ["/itemId"]],
  ["an unknown label type", { labelType: 7 }, ["/labelType"]],
  ["no item at all", { itemId: undefined, storeId: undefined }, [""]],
  [
    "an invalid pack",
    { pack: { name: "x", scenarios: [{ name: "A", cel_expression: "item.", design_ids: ["none"] }] } },
    ["/pack/scenarios/0/cel_expression", "/pack/scenarios/0/design_ids/0"],
  ],
];

for (const [rule, change, pointers] of faults) {
  test.serial(`a trial with ${rule} is refused, and the error names the place of the fault`, async (t) => {
    const problem = await refused(t, await post("/evaluate", { pack, ...pear, ...change }), 400);
    t.deepEqual(pointersOf(problem), pointers);
  });
}

test.serial("a comparison counts the labels that would show another design, by scenario", async (t) => {
  const { changes, ...difference } = await compared();
  t.deepEqual(
    changes.map(({ examples }) => examples.length),
    [3, 2],
  );
  t.like(changes[0]?.examples[0], { storeId: "main", labelType: 1328 });
  t.deepEqual(
    { ...difference, changes: changes.map(({ examples: _, ...change }) => change) },
    {
      checked: 6,
      labels: 6,
      changes: [
        {
          from: { scenario: "Regular price", design_id: "t/demo/designs/regular-296x128" },
          to: { scenario: "Dear", design_id: "t/demo/designs/special-296x128" },
          labels: 4,
        },
        {
          from: { scenario: "Special offer", design_id: "t/demo/designs/special-296x128" },
          to: { scenario: "Rest", design_id: "t/demo/designs/regular-296x128" },
          labels: 2,
        },
      ],
      scenarios: [
        { id: "rest", labels: 2 },
        { id: "dear", labels: 4 },
      ],
      next: null,
    },
  );
});

test.serial("comparing the active pack with itself finds no changes, and a comparison changes nothing", async (t) => {
  const { name, scenarios } = await bodyOf<PackOrder>(
    await manage(shelfwire, "GET", "/communication-packs/shelf-prices"),
  );
  t.like(await bodyOf(await post("/diff", { name, scenarios })), { checked: 6, labels: 0, changes: [] });
});

test.serial("forced designs and deactivated links are not compared", async (t) => {
  const [forced = "", off = ""] = labels.slice(4);
  await writeLinks(shelfwire, "PATCH", `/links/${forced}-0`, { forced_design_id: "no-price-296x128" });
  await writeLinks(shelfwire, "PATCH", `/links/${off}-0`, { status: "INACTIVE" });
  await eventually("the forced design is chosen", async () => {
    const difference = await bodyOf<PackDifference>(await post("/diff", pack));
    return difference.checked === 5 && difference.labels === 4;
  });
  t.pass();
});

test.serial("a comparison continues after the given link", async (t) => {
  const last = "t/demo/s/main/links/~";
  const answer = await manage(shelfwire, "POST", `/communication-packs/diff?after=${encodeURIComponent(last)}`, pack);
  t.like(await bodyOf(answer), { checked: 0, next: null });
});

test.serial("a comparison never reads another tenant's links, whatever link it continues after", async (t) => {
  const { records, commit } = shelfwire.system;
  const [own = ""] = labels;
  // The link is copied last: a new item without links starts no evaluation.
  const copies: [RecordKind<object>, keyOf: (store: string) => string][] = [
    [studioLinks, (store) => linkKey(store, linkIdOf(own, 0))],
    [items, (store) => itemKey(store, "apple")],
    [links, (store) => linkKey(store, linkIdOf(own, 0))],
  ];
  for (const [kind, keyOf] of copies) {
    const present = (await records.read(kind, [keyOf("t/demo/s/main")])).get(keyOf("t/demo/s/main"));
    if (present === undefined) return t.fail(`there is no ${kind.name}`);
    const { _id, store, rev, writeId, changedAt, inputs, ...body } = present;
    await commit.change(kind, [keyOf("t/another/s/main")], () => body, "bulk");
  }
  const whole = await compared();
  t.true(whole.checked > 0);
  t.deepEqual(await compared("?after=t%2F"), whole);
});
