import test, { type ExecutionContext } from "ava";
import { createAcceptance } from "../../../../records/requests/accept.ts";
import { inCommands, numberedChunks, splitInSteps, splitRequest } from "../../../../records/requests/chunks.ts";
import { isVoid, journalCollection } from "../../../../records/requests/journal.ts";
import { counterCollection, openNumbers } from "../../../../records/requests/numbers.ts";
import { type Around, wrapped } from "../../../harness/databases/wrapped-db.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownDatabase } from "../../../harness/own.ts";

/** Longer than any machine takes to answer. */
const TIMEOUT_MS = 600_000;
const MIB = 2 ** 20;

const database = ownDatabase();

const requestOf = (t: ExecutionContext, rows: readonly unknown[]) => ({
  store: `t/demo/s/${t.title.replaceAll(/\W/g, "").slice(0, 50)}`,
  operation: "patch-items",
  rows,
  ordered: true,
});
/** This many rows of one MiB each; three fit in a chunk. */
const mebibytes = (count: number) => Array.from({ length: count }, (_, itemId) => ({ itemId, text: "x".repeat(MIB) }));
const small = [{ itemId: "milk" }];
const isOfChunks = (collection: string, method: string) =>
  collection === "journal" && ["bulkWrite", "findOneAndUpdate"].includes(method);
const isLarge = (given: unknown[]) => JSON.stringify(given).length > 256 * 1024;
const acceptance = (around: Around, clock = () => performance.now()) =>
  createAcceptance(wrapped(database.db, around), clock, TIMEOUT_MS);
const journaled = (store: string) => journalCollection(database.db).find({ store }).toArray();

test("a small request does not wait for a large one to be written", async (t) => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  const accept = acceptance(async (collection, method, given, call) => {
    if (isOfChunks(collection, method) && isLarge(given)) {
      hold();
      await isReleased;
    }
    return call();
  });
  const large = accept(requestOf(t, mebibytes(1)));
  await isHeld;
  for (const _ of [1, 2, 3]) t.is((await accept(requestOf(t, small))).length, 1);
  release();
  t.is((await large).length, 1);
});

test("serializing a large request pauses after each 256 KiB", (t) => {
  const text = "x".repeat(1_000);
  let made = 0;
  const toJSON = () => {
    made += 1;
    return { text };
  };
  const request = requestOf(t, Array(2_000).fill({ toJSON }));
  const rowsPerPause = Math.floor((256 * 1024) / JSON.stringify({ text }).length) + 1;
  const steps = splitInSteps(request);
  for (let pauses = 1; !steps.next().done; pauses += 1) t.is(made, pauses * rowsPerPause);
  t.is(made, 2_000);
  t.true(
    splitInSteps(requestOf(t, Array(200).fill({ toJSON }))).next().done,
    "a small request is serialized without a pause",
  );
});

test("one database command writes chunks of up to 4 MiB in total, or one larger chunk", (t) => {
  const commands = (rows: readonly unknown[]) =>
    inCommands(numberedChunks(splitRequest(requestOf(t, rows)), 1, new Date(0), 1)).map((command) =>
      command.map(({ index }) => index),
    );
  t.deepEqual(commands(Array(2_500).fill({})), [[0, 1, 2]]);
  t.deepEqual(commands([...mebibytes(6), ...Array(2_000).fill({})]), [[0], [1, 2, 3]]);
  t.deepEqual(inCommands([]), []);
});

test("a large request may use the full time for each 4 MiB", async (t) => {
  let time = 0;
  const accept = acceptance(
    (collection, method, _, call) => {
      if (isOfChunks(collection, method) || collection === "counter") time += TIMEOUT_MS - 1;
      return call();
    },
    () => time,
  );
  const request = requestOf(t, mebibytes(32));
  const chunks = await accept(request);
  t.true(time > 8 * TIMEOUT_MS);
  const stored = await journaled(request.store);
  t.is(stored.length, chunks.length);
  t.false(stored.some(isVoid));
});

test("the deadline of large requests in line is extended while those before them are written", async (t) => {
  let time = 0;
  const accept = acceptance(
    (collection, method, _, call) => {
      if (isOfChunks(collection, method)) time += TIMEOUT_MS / 2 - 1;
      return call();
    },
    () => time,
  );
  const accepted = Array.from({ length: 8 }, () => accept(requestOf(t, mebibytes(1))));
  t.deepEqual(new Set((await Promise.all(accepted)).map(([chunk]) => chunk?.number)).size, 8);
});

test("no more than two large requests are written concurrently", async (t) => {
  let writing = 0;
  let most = 0;
  const accept = acceptance(async (collection, method, given, call) => {
    if (!isOfChunks(collection, method) || !isLarge(given)) return call();
    writing += 1;
    most = Math.max(most, writing);
    const stored = await call();
    writing -= 1;
    return stored;
  });
  await Promise.all(Array.from({ length: 6 }, () => accept(requestOf(t, mebibytes(1)))));
  t.is(most, 2);
});

test("a large request with an unconfirmed part is refused and void, and does not delay others", async (t) => {
  let time = 0;
  let commands = 0;
  const accept = acceptance(
    async (collection, method, given, call) => {
      const stored = await call();
      if (isOfChunks(collection, method) && isLarge(given)) {
        commands += 1;
        if (commands === 2) time += TIMEOUT_MS + 1;
      }
      return stored;
    },
    () => time,
  );
  const request = requestOf(t, mebibytes(12));
  await t.throwsAsync(accept(request), { name: "UnavailableError" });
  const { settledThrough } = openNumbers(database.db, () => 0);
  await eventually("its number is settled", async () => (await settledThrough(request.store)) === 1);
  t.true((await journaled(request.store)).some(isVoid));
  t.is(commands, 2, "the following parts are not written");
  t.is((await counterCollection(database.db).findOne({ _id: request.store }))?.number, 1);
});
