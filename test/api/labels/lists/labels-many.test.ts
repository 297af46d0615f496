import { isDeepStrictEqual } from "node:util";
import test, { type ExecutionContext } from "ava";
import { hangLabels } from "../../../../scripts/demo/hang-labels.ts";
import { type ManyLabel, manyLabels } from "../../../../scripts/demo/many-labels.ts";
import { DEMO_STORE } from "../../../harness/glass.ts";
import { type OwnApi, openOwnApi } from "../../../harness/processes/own-api.ts";
import { sizeToTry } from "../../../harness/searches/effort.ts";
import { openShelfwire, type Shelfwire } from "../../../harness/shelfwire.ts";
import { thisThread } from "../../../harness/threads/host.ts";
import { bodyOf, type LabelBody } from "../../calls.ts";

const LABELS = sizeToTry(40_000, 60_000);
const PAGE = 20_000;
const MAX_GROWTH_MB = 100;
/** Sorting keeps a key and a value of each label in memory, in addition to the page. */
const MAX_SORTING_MB = MAX_GROWTH_MB + LABELS / 1_500;

const many = manyLabels(LABELS, new Date());
const byBarcode = many.toSorted((one, other) => (one.barcode < other.barcode ? -1 : 1));

let shelfwire: Shelfwire;
let api: OwnApi;
let token: string;
/** Megabytes that the API needs to respond with one page. */
let warm: number;

test.before(async () => {
  shelfwire = await openShelfwire({ workers: [] }, thisThread);
  await hangLabels(shelfwire.system.records, DEMO_STORE, many);
  token = await shelfwire.token();
  api = await openOwnApi(shelfwire);
  await list(`limit=${PAGE}`);
  warm = api.memory().resident;
});
test.after.always(async () => {
  await api?.close();
  await shelfwire.close();
});

const read = async <Body>(path: string, headers = {}): Promise<Body> =>
  bodyOf<Body>(await fetch(`${api.base}${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } }));
const list = (query: string, headers = {}) => read<LabelBody[]>(`/labels?${query}`, headers);
const barcodesOf = (labels: readonly { barcode: string }[]) => labels.map(({ barcode }) => barcode);
const starts = Array.from({ length: LABELS / PAGE }, (_, page) => page * PAGE);

for (const [what, query, headers, pages] of [
  ["all pages, projection=S", "projection=S", {}, starts],
  ["the last page, no projection", "serializeDatesToIso8601=true", { "accept-encoding": "gzip" }, starts.slice(-1)],
] as const) {
  test.serial(`pages of 20,000 of ${LABELS} labels return each label exactly once, in order: ${what}`, async (t) => {
    const barcodes: string[] = [];
    for (const start of pages) {
      const page = await list(`limit=${PAGE}&start=${start}&${query}`, headers);
      t.is(page.length, PAGE);
      barcodes.push(...barcodesOf(page));
    }
    t.true(isDeepStrictEqual(barcodes, barcodesOf(byBarcode.slice(pages[0]))));
    t.deepEqual(await list(`limit=${PAGE}&start=${LABELS}&${query}`, headers), []);
  });
}

test.serial("after all these calls, the API process has grown by less than 100 MB", (t) => {
  assertGrowth(t, MAX_GROWTH_MB);
});

function assertGrowth(t: ExecutionContext, most: number): void {
  const { peak } = api.memory();
  t.log(`${warm.toFixed(0)} MB after one page, at most ${peak.toFixed(0)} MB`);
  t.true(peak - warm < most, `it grew from ${warm} MB to ${peak} MB`);
}

const facts = ({ barcode, plState, batteryState, plLocation }: Pick<LabelBody, keyof typeof shown>) => ({
  barcode,
  plState,
  batteryState,
  plLocation,
});
const shown = { barcode: "", plState: "", batteryState: "", plLocation: "" };

test.serial("a label deep in the list has the same fields as when it is read alone", async (t) => {
  const page = await list(`limit=${PAGE}&start=${LABELS - PAGE}&projection=M`);
  t.true(isDeepStrictEqual(page.map(facts), byBarcode.slice(-PAGE).map(facts)));
});

test.serial("a filter returns every matching label", async (t) => {
  const is = ({ plState, batteryState }: ManyLabel) => plState !== "NEW" && batteryState === "LOW";
  const filter = "filter[plState]=OK,PENDING,ERROR,OFFLINE,UNKNOWN&filter[batteryState]=LOW";
  t.deepEqual(barcodesOf(await list(`limit=${PAGE}&projection=S&${filter}`)), barcodesOf(byBarcode.filter(is)));
});

test.serial("sorting places all labels, with many ties and unknown values", async (t) => {
  const rank = ({ plLocation }: ManyLabel) => plLocation ?? "~";
  const sorted = byBarcode.toSorted((one, other) => (rank(one) === rank(other) ? 0 : rank(one) < rank(other) ? -1 : 1));
  for (const start of [0, LABELS - PAGE]) {
    const page = await list(`limit=${PAGE}&start=${start}&projection=S&sortProperty=plLocation`);
    t.deepEqual(barcodesOf(page), barcodesOf(sorted.slice(start, start + PAGE)));
  }
  const dated = await list(`limit=${PAGE}&sortProperty=lastUpdate&sortDirection=DESC&serializeDatesToIso8601=true`);
  const times = dated.map(({ lastUpdate }) => Date.parse(lastUpdate ?? ""));
  t.deepEqual(
    times,
    times.toSorted((one, other) => other - one),
  );
  t.is(new Set(barcodesOf(dated)).size, PAGE);
});

test.serial("the summary counts all labels", async (t) => {
  const { labels, plState } = await read<{ labels: number; plState: Record<string, number> }>("/labels/summary");
  t.is(labels, LABELS);
  for (const [state, count] of Object.entries(plState))
    t.is(count, many.filter((label) => label.plState === state).length, state);
});

test.serial("sorting and counting many labels reads only a key and a value from each", (t) => {
  assertGrowth(t, MAX_SORTING_MB);
});
