import test from "ava";
import { type HungLabel, hangLabels } from "../../../../scripts/demo/hang-labels.ts";
import { DEMO_STORE, labelFor } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, type LabelBody, pointersOf, refused } from "../../calls.ts";

const shelfwire = ownStack({ workers: [], leavesStale: "labels are written directly" });
const LABELS = 23;
const labelOf = (index: number): HungLabel => ({
  barcode: labelFor(`page ${index}`),
  own: {
    modelName: index % 3 === 0 ? "Large" : "Medium",
    ...(index % 5 > 0 && { plLocation: `aisle ${index % 5}` }),
  },
  state: { battery: index % 2 === 0 ? "LOW" : "OK", ...(index % 4 > 0 && { lastUpdate: new Date(index % 4) }) },
});
test.before(() =>
  hangLabels(
    shelfwire.system.records,
    DEMO_STORE,
    Array.from({ length: LABELS }, (_, index) => labelOf(index)),
  ),
);

async function readPage(query: string) {
  const answer = await shelfwire.call("GET", `/labels?${query}`);
  const next = /^<\?([^>]*)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1];
  return { barcodes: (await bodyOf<LabelBody[]>(answer)).map(({ barcode }) => barcode), next };
}

async function readAll(first: string): Promise<string[]> {
  const all: string[] = [];
  for (let query: string | undefined = first; query !== undefined; ) {
    const { barcodes, next } = await readPage(query);
    all.push(...barcodes);
    query = next;
  }
  return all;
}

for (const query of [
  "",
  "sortDirection=DESC",
  "sortProperty=plLocation",
  "sortProperty=plLocation&sortDirection=DESC",
  "sortProperty=lastUpdate&sortDirection=DESC",
  "filter[batteryState]=LOW",
  "filter[modelName]=Medium&filter[batteryState]=OK&sortProperty=plLocation",
  `filter[barcode]=${[9, 2, 5, 17].map((index) => labelFor(`page ${index}`)).join(",")}&sortDirection=DESC`,
])
  test.serial(`pages by cursor make up the list that an offset returns: ${query.slice(0, 70)}`, async (t) => {
    const whole = (await bodyOf<LabelBody[]>(await shelfwire.call("GET", `/labels?start=0&limit=1000&${query}`))).map(
      ({ barcode }) => barcode,
    );
    for (const limit of [1, 4, 1000]) t.deepEqual(await readAll(`limit=${limit}&${query}`), whole);
  });

test.serial("a cursor of a list in another order is refused", async (t) => {
  const { next = "" } = await readPage("limit=2&sortProperty=plLocation");
  const answer = await shelfwire.call("GET", `/labels?${next.replace("plLocation", "modelName")}`);
  t.deepEqual(pointersOf(await refused(t, answer, 400)), ["/query/after"]);
});

test.serial("labels that are added between two pages do not make another label repeat or disappear", async (t) => {
  const before = await readAll("limit=100");
  const first = await readPage("limit=10");
  await hangLabels(
    shelfwire.system.records,
    DEMO_STORE,
    Array.from({ length: 9 }, (_, index) => labelOf(100 + index)),
  );
  const known = new Set(before);
  const rest = (await readAll(first.next ?? "")).filter((barcode) => known.has(barcode));
  t.deepEqual([...first.barcodes, ...rest], before);
});
