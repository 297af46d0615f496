import test from "ava";
import { scanLabels } from "../../../../api/management/integrity/scan-labels.ts";
import { openRecords, type Records } from "../../../../records/records.ts";
import { storeKey } from "../../../../schemas/keys.ts";
import { hangLabels } from "../../../../scripts/demo/hang-labels.ts";
import { manyLabels } from "../../../../scripts/demo/many-labels.ts";
import { ownDatabase } from "../../../harness/own.ts";

const database = ownDatabase();
const STORE = storeKey("demo", "main");
const LABELS = 12_000;
/** Of each kind at most two batches of 1,000 are held: the one that is compared, and the next. */
const MAX_HELD = 2_000;

/** Records that count the rows of each kind that were read in batches. */
function counting(records: Records) {
  const read = new Map<string, number>();
  const scanFields = async function* (...[kind, prefix, fields, after]: Parameters<Records["scanFields"]>) {
    for await (const batch of records.scanFields(kind, prefix, fields, after)) {
      read.set(kind.name, (read.get(kind.name) ?? 0) + batch.length);
      yield batch;
    }
  };
  return { records: { ...records, scanFields } as Records, read };
}

test.serial(
  "labels are compared batch by batch: however many a store has, few rows are held, and none is read ahead",
  async (t) => {
    const { records, read } = counting(openRecords(database.db));
    await hangLabels(records, STORE, manyLabels(LABELS, new Date(), ["OK"]));
    let compared = 0;
    for await (const { labels, suspects } of scanLabels(records, STORE)) {
      compared += labels;
      t.deepEqual(suspects, []);
      for (const [kind, rows] of read)
        if (rows - compared > MAX_HELD) t.fail(`${rows} of ${kind} were read for ${compared} labels`);
    }
    t.is(compared, LABELS);
    t.deepEqual([...read.values()], Array(4).fill(LABELS), "labels, links, pictures and states are read once");
  },
);

test.serial("a report whose reader goes away reads no further", async (t) => {
  const { records, read } = counting(openRecords(database.db));
  for await (const _ of scanLabels(records, STORE)) break;
  for (const rows of read.values()) t.true(rows <= MAX_HELD, [...read].join(" "));
});
