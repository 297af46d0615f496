import test from "ava";
import fc from "fast-check";
import type { Care } from "../../../../schemas/care.ts";
import { storeKey } from "../../../../schemas/keys.ts";
import { type LabelScalar, labelScalars } from "../../../../schemas/label.ts";
import { TENANT_ID } from "../../../../scripts/demo/catalogue.ts";
import { type HungLabel, hangLabels } from "../../../../scripts/demo/hang-labels.ts";
import { labelFor } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import type { Shelfwire } from "../../../harness/shelfwire.ts";
import { bodyOf, type LabelBody, openStore } from "../../calls.ts";

const COUNT = 45;
const image = "a".repeat(64);
const wanted = [{ page: 0, image }];
/** The clocks in Zagreb go back between these times, so as local times they sort in the opposite order. */
const BEFORE_THE_CLOCK_GOES_BACK = new Date("2025-10-26T00:30:00.000Z");
const AFTER = new Date("2025-10-26T01:15:00.000Z");
const LONG_AGO = new Date("2020-01-01T00:00:00Z");

/** Picks a label's value by its index, so that values repeat, and each field is missing on different labels. */
const pick = <T>(values: readonly T[], index: number, step: number): T | undefined =>
  values[(index * step) % (values.length + 1)];
const dates = [LONG_AGO, AFTER, BEFORE_THE_CLOCK_GOES_BACK, new Date("2025-10-26T01:15:00.001Z")];

/** The care of a label whose battery currently has this voltage. */
const careWith = (millivolts: number): Care => ({
  ...{ since: Date.now(), refreshes: 0, days: [] },
  voltages: [{ at: Date.now(), millivolts }],
});

/** Labels on which each field has few different values and is often unknown. */
const hung = Array.from({ length: COUNT }, (_, index): HungLabel => {
  const optional = <T>(name: string, value: T | undefined) => (value === undefined ? {} : { [name]: value });
  return {
    barcode: labelFor(`sorted ${index}`),
    own: {
      ...optional("modelName", pick(["Large", "Medium", "medium", "Žuti"], index, 1)),
      ...optional("plLocation", pick(["A", "a", "A-10", "A-9", "\uffff", "\u{1f34e}", "Ä"], index, 3)),
      ...optional("linkDepartment", pick(["sales-floor", "1"], index, 2)),
      ...optional("homeTrx", pick(["T1", "T10", "T2"], index, 1)),
      ...optional("device", pick(["00000218D6C53B19", "0218D6C53B19"], index, 2)),
      ...optional("firstLinked", pick(dates, index, 2)),
      ...optional("lastLinked", pick(dates, index, 3)),
    },
    ...(index % 5 > 0 && {
      state: {
        ...optional("wanted", index % 4 > 0 ? wanted : undefined),
        ...optional("shown", index % 3 > 0 ? [{ page: 0, image, deliveredAt: AFTER, through: 1 }] : undefined),
        ...optional("lastSeen", pick([LONG_AGO, undefined], index, 1)),
        ...optional("checksIn", index % 4 === 0 ? true : undefined),
        ...optional("givenUp", index % 7 === 0 ? "no answer" : undefined),
        ...optional("battery", pick(["OK", "LOW"], index, 1)),
        ...optional("transceivers", pick([["T2", "T1"], ["T1"], ["T1", "T2"]], index, 1)),
        ...optional("care", pick([3_000, 2_600, 2_900].map(careWith), index, 2)),
        ...optional("hardwareRevision", pick(["2", "10"], index, 1)),
        ...Object.fromEntries(
          labelScalars
            .filter((name) => isDate(name) && !name.endsWith("Linked"))
            .flatMap((name, step) => Object.entries(optional(name, pick(dates, index, step + 1)))),
        ),
      },
    }),
    isDrawn: index % 2 > 0,
  };
});

function isDate(name: LabelScalar): boolean {
  return /Date$|Linked$|Update$|Changed$|Confirmed$|EnteredLow$/.test(name);
}

const shelfwire = ownStack({ workers: [] });
let store: Shelfwire;
test.before(async () => {
  store = await openStore(shelfwire, "sorted");
  await hangLabels(shelfwire.system.records, storeKey(TENANT_ID, "sorted"), hung);
});

const list = async (query: string): Promise<LabelBody[]> =>
  bodyOf<LabelBody[]>(await store.call("GET", `/labels?${query}`));
const ISO = "serializeDatesToIso8601=true&limit=1000";

/** Returns the value that a caller sorts by, read from the response: a time, or the bytes of a string. */
function rankOf(label: LabelBody, name: LabelScalar): Buffer | number | null {
  const value = label[name];
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return value;
  return isDate(name) ? Date.parse(value) : Buffer.from(value);
}

function compare(one: LabelBody, other: LabelBody, name: LabelScalar, direction: 1 | -1): number {
  const [first, second] = [rankOf(one, name), rankOf(other, name)];
  const isTie = first === null ? second === null : second !== null && differ(first, second) === 0;
  if (isTie) return one.barcode < other.barcode ? -1 : 1;
  if (first === null || second === null) return first === null ? 1 : -1;
  return direction * differ(first, second);
}

const differ = (one: Buffer | number, other: Buffer | number): number =>
  typeof one === "number" ? one - Number(other) : Buffer.compare(one, other as Buffer);

for (const name of labelScalars) {
  test.serial(`labels are sorted by ${name}, unknown values last in both directions, ties by barcode`, async (t) => {
    const labels = await list(ISO);
    t.is(labels.length, COUNT);
    t.true(name === "barcode" || new Set(labels.map((label) => label[name])).size < COUNT);
    for (const [sortDirection, direction] of [
      ["ASC", 1],
      ["DESC", -1],
    ] as const) {
      const sorted = await list(`${ISO}&sortProperty=${name}&sortDirection=${sortDirection}`);
      t.deepEqual(
        sorted,
        labels.toSorted((one, other) => compare(one, other, name, direction)),
      );
    }
  });
}

test.serial("dates are sorted by time, not by the displayed text", async (t) => {
  const both = (await list("sortProperty=lastUpdate&limit=1000")).filter(({ lastUpdate }) =>
    lastUpdate?.startsWith("2025"),
  );
  const texts = [...new Set(both.map(({ lastUpdate }) => lastUpdate))];
  t.deepEqual(texts, ["2025-10-26 02:30:00", "2025-10-26 02:15:00"]);
});

test.serial("strings are sorted by code point: capitals first, characters beyond 16 bits last", async (t) => {
  const labels = await list("sortProperty=plLocation&limit=1000");
  t.deepEqual(
    [...new Set(labels.map(({ plLocation }) => plLocation))],
    ["A", "A-10", "A-9", "a", "Ä", "\uffff", "\u{1f34e}", null],
  );
});

test.serial("the direction defaults to ASC and is case-insensitive", async (t) => {
  const ascending = await list("sortProperty=homeTrx&sortDirection=ASC");
  for (const query of ["", "&sortDirection=asc", "&sortDirection=Asc"])
    t.deepEqual(await list(`sortProperty=homeTrx${query}`), ascending);
  const descending = await list("sortProperty=homeTrx&sortDirection=DESC");
  for (const query of ["desc", "Desc", "dEsC"])
    t.deepEqual(await list(`sortProperty=homeTrx&sortDirection=${query}`), descending);
  t.notDeepEqual(descending, ascending);
});

test.serial("a direction without a property sorts by barcode in that direction", async (t) => {
  const labels = await list("");
  t.deepEqual(
    labels.map(({ barcode }) => barcode),
    hung.map(({ barcode }) => barcode).toSorted(),
  );
  t.deepEqual(await list("sortDirection=desc"), labels.toReversed());
  t.deepEqual(await list("sortProperty=barcode&sortDirection=desc"), labels.toReversed());
});

test.serial("a list may be sorted by a field outside its projection", async (t) => {
  const order = async (query: string) => (await list(query)).map(({ barcode }) => barcode);
  for (const name of ["linkDepartment", "plState", "lastOkUpdate"])
    t.deepEqual(await order(`sortProperty=${name}&projection=S`), await order(`sortProperty=${name}`));
});

const filters = ["", "&filter[plState]=NEW,PENDING,OK", "&filter[batteryState]=UNKNOWN&filter[modelName]=Medium,Large"];

test.serial(
  "pages of any size make up the whole list, for every property, direction, filter and projection",
  async (t) => {
    const listing = fc.record({
      name: fc.constantFrom(...labelScalars),
      direction: fc.constantFrom("ASC", "DESC"),
      size: fc.integer({ min: 4, max: COUNT + 1 }),
      filter: fc.constantFrom(...filters),
      projection: fc.constantFrom("", "&projection=S", "&projection=M"),
    });
    await fc.assert(
      fc.asyncProperty(listing, async ({ name, direction, size, filter, projection }) => {
        const query = `sortProperty=${name}&sortDirection=${direction}${filter}${projection}`;
        const whole = await list(`${query}&limit=1000`);
        const pages: LabelBody[][] = [];
        for (let start = 0; start < whole.length; start += size)
          pages.push(await list(`${query}&start=${start}&limit=${size}`));
        t.deepEqual(pages.flat(), whole);
        t.is(new Set(whole.map(({ barcode }) => barcode)).size, whole.length);
        t.deepEqual(await list(`${query}&start=${whole.length}`), []);
      }),
      { numRuns: 40 },
    );
  },
);
