import test from "ava";
import { pino } from "pino";
import { createKeepActivity } from "../../../queues/activity/keep-activity.ts";
import { cleanUp } from "../../../queues/clean-up/clean-up.ts";
import { openActivityLog } from "../../../records/activity/activity-log.ts";
import { openCallNotes } from "../../../records/activity/call-notes.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { openUploads } from "../../../records/files/uploads.ts";
import { openGlassLog } from "../../../records/glass-log.ts";
import { openLeases } from "../../../records/leases/leases.ts";
import type { JournaledChunk } from "../../../records/requests/chunks.ts";
import { journalCollection, openJournal } from "../../../records/requests/journal.ts";
import { requestState } from "../../../records/requests/numbers.ts";
import type { KeptOutcome } from "../../../schemas/request.ts";
import { ownSystem } from "../../harness/own.ts";
import { later, RESULT_TTL } from "../../harness/system.ts";

/** Which requests the clean-up deletes, and that it misses none. */
const own = ownSystem();

/** Updates the activity log, and then runs the clean-up at twice RESULT_TTL from now, when everything that exists is old. */
const pass = async (further: Partial<Parameters<typeof cleanUp>[0]> = {}) => {
  const { db, now: present } = own.system;
  const activityLog = openActivityLog(db);
  await createKeepActivity({ ...own.system, activityLog, callNotes: openCallNotes(db, present) })();
  const now = later(2 * RESULT_TTL * 1_000);
  return cleanUp({
    ...own.system,
    imageFiles: openImageFiles(own.system.db, now),
    uploads: openUploads(own.system.db, now),
    leases: openLeases({ ...own.system, now }),
    now,
    glassLog: openGlassLog(own.system.db),
    activityLog,
    resultTtl: RESULT_TTL,
    activityDays: 365,
    undoDays: 7,
    glassHistory: RESULT_TTL,
    log: pino({ level: "silent" }),
    ...further,
  });
};

const accept = (store: string, rows: number, ordered = true) =>
  own.system.accept({ store, operation: "patch-items", rows: Array.from({ length: rows }, () => ({})), ordered });
const settle = (chunks: readonly (JournaledChunk | undefined)[], outcomes: KeptOutcome[] = []) =>
  openJournal(own.system.db, () => new Date()).settle(
    new Map(chunks.flatMap((chunk) => (chunk ? [[chunk._id, outcomes] as const] : []))),
  );
const left = async (store: string) =>
  (await journalCollection(own.system.db).find({ store }).toArray()).map(({ number, index }) => `${number}/${index}`);

test.serial(
  "the chunks of a list that is unfinished after RESULT_TTL are kept, and its remaining rows can be applied",
  async (t) => {
    const store = "t/demo/s/unfinished";
    const chunks = await accept(store, 2_500);
    await settle([chunks[0], chunks[2]]);
    await pass();
    t.deepEqual((await left(store)).toSorted(), ["1/0", "1/1", "1/2"]);
    t.is(requestState(await own.system.journal.readRequest(store, 1)), "open");
    await settle([chunks[1]]);
    await pass();
    t.deepEqual(await left(store), []);
  },
);

test.serial("a request stays while a smaller number of its store is open: a gap would block later ones", async (t) => {
  const store = "t/demo/s/waits";
  const [open] = await accept(store, 1);
  await settle(await accept(store, 1, false));
  await pass();
  t.deepEqual((await left(store)).toSorted(), ["1/0", "2/0"]);
  await settle([open]);
  await pass();
  t.deepEqual(await left(store), []);
});

test.serial("the remains of a request left by a killed pass or an earlier release are deleted", async (t) => {
  const store = "t/demo/s/remains";
  await settle(await accept(store, 2_500));
  t.is(await own.system.numbers.settledThrough(store), 1);
  await journalCollection(own.system.db).deleteOne({ store, index: 0 });
  await pass();
  t.deepEqual(await left(store), []);
});

test.serial("outcomes stored in parts are deleted with their chunk, including unused parts", async (t) => {
  const store = "t/demo/s/parts";
  const chunks = await accept(store, 1);
  const outcomes: KeptOutcome[] = Array.from({ length: 60_000 }, () => {
    return { itemId: "i".repeat(128), status: "SUCCESS", errors: [] };
  });
  const parts = () => own.system.db.collection("outcome").countDocuments({});
  await Promise.all([settle(chunks, outcomes), settle(chunks, outcomes)]);
  t.true((await parts()) > 2);
  t.is((await own.system.journal.readOutcomes(store, 1))[0]?.outcomes?.length, outcomes.length);
  await pass();
  t.deepEqual([await left(store), await parts()], [[], 0]);
});

test.serial("many requests are deleted in batches, earliest applied first", async (t) => {
  const store = "t/demo/s/many";
  const chunks: JournaledChunk[] = [];
  for (let number = 0; number < 1_001; number += 1) chunks.push(...(await accept(store, 1, false)));
  await settle(chunks.slice(0, 1));
  await settle(chunks.slice(1));
  const { now } = own.system;
  let asked = 0;
  const hold = async () => {
    asked += 1;
    return asked < 2;
  };
  const stopped = { ...openLeases(own.system), hold };
  await pass({ leases: stopped, now: () => new Date(now().getTime() + 2 * RESULT_TTL * 1_000) });
  t.is((await left(store)).length, 1);
  await pass();
  t.deepEqual(await left(store), []);
});
