import test from "ava";
import { type HungLabel, hangLabels } from "../../../../scripts/demo/hang-labels.ts";
import { DEMO_STORE, labelFor } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, type LabelBody } from "../../calls.ts";

const image = "a".repeat(64);
const shows = { wanted: [{ page: 0, image }], shown: [{ page: 0, image, deliveredAt: new Date(), through: 1 }] };
const LONG_AGO = new Date("2020-01-01T00:00:00Z");

/** Labels by name, one in every state. */
const hung = {
  new: {},
  ok: { state: { ...shows, battery: "OK" }, links: [{ itemId: "apple" }], isDrawn: true },
  low: {
    own: { modelName: "Large", plLocation: "aisle 4", linkDepartment: "Bakery" },
    state: { ...shows, battery: "LOW" },
    isDrawn: true,
  },
  "not drawn": { state: shows, links: [{ itemId: "apple" }] },
  "in transmission": { state: { ...shows, shown: [], battery: "OK" }, links: [{ itemId: "pear" }], isDrawn: true },
  "given up": { own: { modelName: "Large" }, state: { ...shows, givenUp: "no answer" }, isDrawn: true },
  away: { state: { ...shows, battery: "LOW", lastSeen: LONG_AGO, checksIn: true }, isDrawn: true },
  "offline and not drawn": {
    own: { modelName: "Segment, small" },
    state: { ...shows, lastSeen: LONG_AGO, checksIn: true },
  },
  quiet: { own: { modelName: "Quiet" }, state: { ...shows, battery: "OK", lastSeen: LONG_AGO }, isDrawn: true },
} satisfies Record<string, Omit<HungLabel, "barcode">>;
type Name = keyof typeof hung;
const names = Object.keys(hung) as Name[];
const nameOf = new Map(names.map((name) => [labelFor(name), name]));

const shelfwire = ownStack({ workers: [] });
test.before(async () => {
  const labels = Object.entries(hung).map(([name, label]): HungLabel => ({ barcode: labelFor(name), ...label }));
  await hangLabels(shelfwire.system.records, DEMO_STORE, labels);
});

const list = async (query: string): Promise<LabelBody[]> =>
  bodyOf<LabelBody[]>(await shelfwire.call("GET", `/labels?${query}`));
const namesOf = async (query: string) => (await list(query)).map(({ barcode }) => nameOf.get(barcode)).sort();
const barcode = (name: Name) => `filter[barcode]=${labelFor(name)}`;

const rules: [rule: string, query: string, expected: Name[]][] = [
  ["filter[barcode] finds the label with that barcode", barcode("low"), ["low"]],
  ["filter[barcode] for an unknown barcode finds nothing", `filter[barcode]=${labelFor("nowhere")}`, []],
  ["an unknown barcode does not affect the others", `${barcode("ok")},${labelFor("nowhere")}`, ["ok"]],
  ["repeated barcode parameters match any of them", `${barcode("ok")}&${barcode("low")}`, ["low", "ok"]],
  ["comma-separated barcodes match any of them", `${barcode("ok")},${labelFor("low")}`, ["low", "ok"]],
  [
    "repeats and commas can be combined",
    `${barcode("ok")},${labelFor("low")}&${barcode("away")}`,
    ["away", "low", "ok"],
  ],
  ["a duplicate barcode is listed once", `${barcode("ok")}&${barcode("ok")}`, ["ok"]],
  ["barcodes are case-sensitive", `filter[barcode]=${labelFor("ok").toLowerCase()}`, []],
  ["brackets may be encoded", `filter%5Bbarcode%5D=${labelFor("ok")}`, ["ok"]],
  ["commas may be encoded", `${barcode("ok")}%2C${labelFor("low")}`, ["low", "ok"]],
  ["filter[modelName] finds the labels of a model", "filter[modelName]=Large", ["given up", "low"]],
  ["model names are case-sensitive", "filter[modelName]=large", []],
  ["a part of a model's name does not match", "filter[modelName]=Larg", []],
  ["an unknown model has no labels", "filter[modelName]=Huge", []],
  ["filter[plLocation] finds the labels at a location", "filter[plLocation]=aisle 4,aisle 5", ["low"]],
  ["filter[linkDepartment] finds the labels of a department", "filter[linkDepartment]=Bakery", ["low"]],
  ["filter[itemId] finds the labels that show an item", "filter[itemId]=apple", ["not drawn", "ok"]],
  ["several items match any of them", "filter[itemId]=apple,pear,plum", ["in transmission", "not drawn", "ok"]],
  ["filters on item and barcode combine with AND", `${barcode("ok")},${labelFor("low")}&filter[itemId]=apple`, ["ok"]],
  [
    "filters on location and barcode combine with AND",
    `${barcode("ok")},${labelFor("low")}&filter[plLocation]=aisle 4`,
    ["low"],
  ],
  ["an item without labels has none", "filter[itemId]=plum", []],
  ["NEW: nothing was sent yet", "filter[plState]=NEW", ["new"]],
  ["OK: the wanted picture is acknowledged", "filter[plState]=OK", ["low", "ok"]],
  ["PENDING: not drawn yet, or in transmission", "filter[plState]=PENDING", ["in transmission", "not drawn"]],
  ["ERROR: failed after all tries", "filter[plState]=ERROR", ["given up"]],
  ["OFFLINE: silent for a long time, drawn or not", "filter[plState]=OFFLINE", ["away", "offline and not drawn"]],
  ["UNKNOWN: OK at its last report, and never checks in", "filter[plState]=UNKNOWN", ["quiet"]],
  [
    "several states match any of them",
    "filter[plState]=NEW,ERROR&filter[plState]=OK",
    ["given up", "low", "new", "ok"],
  ],
  ["filter[batteryState] finds the labels in a battery state", "filter[batteryState]=LOW", ["away", "low"]],
  [
    "a label without a battery report is UNKNOWN",
    "filter[batteryState]=UNKNOWN",
    ["given up", "new", "not drawn", "offline and not drawn"],
  ],
  ["filters on states combine with AND", "filter[plState]=OK,OFFLINE&filter[batteryState]=LOW", ["away", "low"]],
  ["filters on model and state combine with AND", "filter[modelName]=Large&filter[plState]=OK", ["low"]],
  [
    "filters on barcode and model combine with AND",
    `${barcode("ok")},${labelFor("low")}&filter[modelName]=Large`,
    ["low"],
  ],
  ["filters on barcode and state combine with AND", `${barcode("ok")},${labelFor("new")}&filter[plState]=NEW`, ["new"]],
  [
    "all four filters combine",
    `${barcode("low")}&filter[modelName]=Large&filter[plState]=OK&filter[batteryState]=LOW`,
    ["low"],
  ],
  ["if no label meets all filters, nothing is found", "filter[plState]=NEW&filter[batteryState]=LOW", []],
  ["an unknown filter is ignored", "filter[color]=red&filter[modelName]=Large", ["given up", "low"]],
];

for (const [rule, query, expected] of rules) {
  test.serial(rule, async (t) => {
    t.deepEqual(await namesOf(query), expected);
  });

  test.serial(`${rule}, including in a list sorted by another field`, async (t) => {
    t.deepEqual(await namesOf(`${query}&sortProperty=lastUpdate`), expected);
  });
}

test.serial("a filtered list is sorted by barcode", async (t) => {
  for (const query of ["filter[modelName]=Medium", "filter[batteryState]=OK,LOW", names.map(barcode).join("&")]) {
    const barcodes = (await list(query)).map(({ barcode }) => barcode);
    t.deepEqual(barcodes, barcodes.toSorted());
    t.deepEqual(
      (await list(`${query}&sortDirection=DESC`)).map(({ barcode }) => barcode),
      barcodes.toReversed(),
    );
  }
});

for (const filter of [
  "filter[modelName]=Medium",
  "filter[plState]=OK,PENDING,OFFLINE",
  "filter[batteryState]=OK,LOW",
  names.map(barcode).join("&"),
]) {
  test.serial(`pages divide a filtered list; start and limit count its labels: ${filter.slice(0, 36)}`, async (t) => {
    const whole = await list(filter);
    for (const size of [1, 2, 3]) {
      const pages = await Promise.all(
        Array.from({ length: Math.ceil(whole.length / size) + 1 }, (_, page) =>
          list(`${filter}&start=${page * size}&limit=${size}`),
        ),
      );
      t.deepEqual(pages.flat(), whole);
      t.deepEqual(pages.at(-1), []);
    }
  });
}

test.serial("a filter may use fields that the projection does not show", async (t) => {
  const [label] = await list(`${barcode("low")}&projection=S&filter[plState]=OK&filter[batteryState]=LOW`);
  t.deepEqual(Object.keys(label ?? {}).sort(), ["barcode", "links", "modelName", "plLocation"]);
});

test.serial("a filtered label has the same fields as when it is read alone", async (t) => {
  for (const name of names) {
    const alone = await bodyOf<LabelBody>(await shelfwire.call("GET", `/labels/${labelFor(name)}`));
    const [listed] = await list(`${barcode(name)}&filter[plState]=${alone.plState}`);
    t.deepEqual(listed, alone);
  }
});

test.serial("a query may name thousands of barcodes, each as its own parameter", async (t) => {
  const barcodes = [...Array.from({ length: 5_000 }, (_, index) => labelFor(`none ${index}`)), labelFor("ok")];
  const query = barcodes.map((one) => `filter%5Bbarcode%5D=${one}`).join("&");
  const answer = await shelfwire.call("GET", `/labels?${query}`);
  t.is(answer.status, 200);
  t.deepEqual(
    ((await answer.json()) as LabelBody[]).map(({ barcode }) => nameOf.get(barcode)),
    ["ok"],
  );
});
