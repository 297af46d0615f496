import test from "ava";
import { MongoClient } from "mongodb";
import { createAcceptance } from "../../../../records/requests/accept.ts";
import { createAcceptOnce, type Run } from "../../../../records/requests/accept-once.ts";
import type { AcceptedRequest } from "../../../../records/requests/chunks.ts";
import { isVoid, journalCollection } from "../../../../records/requests/journal.ts";
import { counterCollection, openNumbers, PARTIAL_TTL_MS } from "../../../../records/requests/numbers.ts";
import { createRevocation } from "../../../../records/requests/revoke.ts";
import { type DatabaseProxy, openProxy } from "../../../../scripts/develop/proxy/database-proxy.ts";
import { openADatabase } from "../../../harness/databases/database.ts";
import { eventually } from "../../../harness/eventually.ts";

/** Longer than any machine takes to answer. */
const TIMEOUT_MS = 600_000;
/** How long a request waits if its write is held back: longer than it takes to assign its number. */
const HELD_MS = 5_000;

let database: Awaited<ReturnType<typeof openADatabase>>;
let proxy: DatabaseProxy;
let client: MongoClient;
let onAnswer: (command: string) => void = () => {};
test.before(async () => {
  database = await openADatabase();
  proxy = await openProxy(database.url);
  client = new MongoClient(proxy.url, { ignoreUndefined: true, monitorCommands: true });
  client.on("commandSucceeded", ({ commandName }) => onAnswer(commandName));
  await client.connect();
});
test.after.always(async () => {
  await client.close();
  await proxy.close();
  await database.close();
});

const storeOf = (name: string) => `t/demo/s/${name}`;
const requestOf = (name: string, count = 1): AcceptedRequest => ({
  store: storeOf(name),
  operation: "patch-items",
  rows: Array.from({ length: count }, (_, index) => ({ itemId: `item-${index}` })),
  ordered: true,
});

/** Accepts requests as a run of a call does; `isRepeated` means that an earlier run began the call. */
function accepting(name: string, isRepeated: boolean, db = database.db, timeoutMs = TIMEOUT_MS) {
  const run: Run = { name, requests: 0, isRepeated, isFound: false };
  const accept = createAcceptance(db, () => performance.now(), timeoutMs);
  return {
    run,
    accept: createAcceptOnce(
      db,
      accept,
      () => run,
      () => new Date(),
    ),
  };
}

const raise = (error: Error): never => {
  throw error;
};

const journaled = (name: string) =>
  journalCollection(database.db)
    .find({ store: storeOf(name) })
    .toArray();
const valid = async (name: string) => (await journaled(name)).filter((chunk) => !isVoid(chunk));
const numberOf = (chunks: readonly { number: number }[]) => chunks[0]?.number;

for (const count of [1, 2_500]) {
  test.serial(`a request with ${count} rows that another run journaled is found and not journaled again`, async (t) => {
    const store = `found-${count}`;
    const first = await accepting(`call ${store}`, false).accept(requestOf(store, count));
    const { run, accept } = accepting(`call ${store}`, true);
    const second = await accept(requestOf(store, count));
    t.is(numberOf(second), numberOf(first));
    t.deepEqual(
      second.map(({ rows }) => rows),
      first.map(({ rows }) => rows),
    );
    t.true(run.isFound);
    t.is((await journaled(store)).length, first.length);
  });

  test.serial(`many concurrent runs of one call journal its ${count} rows once`, async (t) => {
    const store = `many-${count}`;
    const runs = Array.from({ length: 6 }, () => accepting(`call ${store}`, false));
    const numbers = await Promise.all(runs.map(async ({ accept }) => numberOf(await accept(requestOf(store, count)))));
    t.is(new Set(numbers).size, 1, numbers.join(" "));
    t.deepEqual(new Set((await valid(store)).map(({ number }) => number)), new Set(numbers));
  });
}

test.serial("the numbers reserved by duplicate requests do not block later requests", async (t) => {
  const store = "gaps";
  const runs = Array.from({ length: 6 }, () => accepting("call gaps", false));
  const [chunks = []] = await Promise.all(runs.map(({ accept }) => accept(requestOf(store))));
  const journal = journalCollection(database.db);
  await journal.updateMany({ store: storeOf(store), number: numberOf(chunks) }, { $set: { open: false } });
  const drawn = (await counterCollection(database.db).findOne({ _id: storeOf(store) }))?.number;
  t.true((drawn ?? 0) > 1, "several runs have drawn a number");
  const { settledThrough } = openNumbers(database.db, () => 0);
  await eventually("all are settled", async () => (await settledThrough(storeOf(store))) === drawn);
  t.pass();
});

test.serial("the requests of one call differ by their index", async (t) => {
  const { accept } = accepting("call of two", false);
  const first = [numberOf(await accept(requestOf("two"))), numberOf(await accept(requestOf("two")))];
  const again = accepting("call of two", true);
  const second = [numberOf(await again.accept(requestOf("two"))), numberOf(await again.accept(requestOf("two")))];
  t.deepEqual(second, first);
  t.is(new Set(first).size, 2);
});

test.serial("a repeated call accepts requests that a killed process did not", async (t) => {
  const before = accepting("call half", false);
  const first = numberOf(await before.accept(requestOf("half")));
  const { accept } = accepting("call half", true);
  t.is(numberOf(await accept(requestOf("half"))), first);
  const second = numberOf(await accept(requestOf("half")));
  t.is(second, (first ?? 0) + 1);
  t.is((await valid("half")).length, 2);
});

test.serial("exactly one valid request follows a void one", async (t) => {
  const store = "refused";
  onAnswer = (command) => command === "findAndModify" && proxy.hold();
  const refused = accepting("call refused", false, client.db(database.name), HELD_MS);
  await t.throwsAsync(refused.accept(requestOf(store)), { name: "UnavailableError" });
  onAnswer = () => {};
  proxy.restore();
  await eventually("the late chunk is stored", async () => (await journaled(store)).length === 1);
  const runs = [accepting("call refused", true), accepting("call refused", true)];
  const numbers = await Promise.all(runs.map(async ({ accept }) => numberOf(await accept(requestOf(store)))));
  t.is(new Set(numbers).size, 1);
  t.deepEqual(
    (await valid(store)).map(({ number }) => number),
    [numbers[0]],
  );
});

test.serial("a chunk that arrives after the repeated call's chunk is not stored", async (t) => {
  const store = "crossed";
  onAnswer = (command) => command === "findAndModify" && proxy.hold();
  const refused = accepting("call crossed", false, client.db(database.name), HELD_MS);
  await t.throwsAsync(refused.accept(requestOf(store)), { name: "UnavailableError" });
  let isAnswered = false;
  onAnswer = (command) => {
    isAnswered ||= ["update", "findAndModify"].includes(command);
  };
  const number = numberOf(await accepting("call crossed", true).accept(requestOf(store)));
  proxy.restore();
  await eventually("the late write is answered", async () => isAnswered);
  t.deepEqual(
    (await valid(store)).map((chunk) => chunk.number),
    [number],
  );
});

test.serial("a request that a repeated call has found can no longer become void", async (t) => {
  const store = "found";
  const chunks = await accepting("call found", false).accept(requestOf(store, 1_500));
  await accepting("call found", true).accept(requestOf(store, 1_500));
  const unrepeated = await accepting("call not found", false).accept(requestOf("not-found"));
  createRevocation(database.db, raise)([...chunks, ...unrepeated]);
  await eventually("the request without a repetition is void", async () => (await valid("not-found")).length === 0);
  t.is((await valid(store)).length, 2);
});

test.serial("a request revoked before the call is repeated is not found as valid", async (t) => {
  const store = "void";
  const [chunk] = await accepting("call void", false).accept(requestOf(store));
  createRevocation(database.db, raise)(chunk ? [chunk] : []);
  await eventually("it is void", async () => (await valid(store)).length === 0);
  t.is(numberOf(await accepting("call void", true).accept(requestOf(store))), 2);
});

test.serial(
  "a repeated call waits while its request is only partly journaled, and makes a new one if the rest is lost",
  async (t) => {
    const store = "part";
    const chunks = await accepting("call part", false).accept(requestOf(store, 1_500));
    await journalCollection(database.db).deleteOne({ _id: chunks[1]?._id ?? "" });
    const [first] = await journaled(store);
    const at = (ms: number) => {
      const { run } = accepting("call part", true);
      const now = () => new Date((first?.journaledAt.getTime() ?? 0) + ms);
      const accepted = createAcceptOnce(
        database.db,
        createAcceptance(database.db, () => performance.now(), TIMEOUT_MS),
        () => run,
        now,
      );
      return { run, accepted };
    };
    await t.throwsAsync(at(PARTIAL_TTL_MS - 1).accepted(requestOf(store, 1_500)), {
      message: "the journal does not have the whole request yet",
    });
    const lost = at(PARTIAL_TTL_MS);
    t.is(numberOf(await lost.accepted(requestOf(store, 1_500))), (numberOf(chunks) ?? 0) + 1);
    t.false(lost.run.isFound);
  },
);

test.serial("any other error of an attempt is rethrown: the journal's refusal, or an unexpected fault", async (t) => {
  const run: Run = { name: "call fault", requests: 0, isRepeated: false, isFound: false };
  const failing = createAcceptOnce(
    database.db,
    () => Promise.reject(new RangeError("too many")),
    () => run,
    () => new Date(),
  );
  await t.throwsAsync(failing(requestOf("fault")), { instanceOf: RangeError });
});

test.serial("requests without an Idempotency-Key are accepted each time", async (t) => {
  const accept = createAcceptance(database.db, () => performance.now(), TIMEOUT_MS);
  const once = createAcceptOnce(
    database.db,
    accept,
    () => undefined,
    () => new Date(),
  );
  t.deepEqual([numberOf(await once(requestOf("plain"))), numberOf(await once(requestOf("plain")))], [1, 2]);
});

test.serial("a duplicate request does not affect other requests in its group", async (t) => {
  const store = "group";
  await accepting("call group", false).accept(requestOf(store));
  const run: Run = { name: "call group", requests: 0, isRepeated: false, isFound: false };
  let isKeyed = false;
  const accept = createAcceptance(database.db, () => performance.now(), TIMEOUT_MS);
  const once = createAcceptOnce(
    database.db,
    accept,
    () => (isKeyed ? run : undefined),
    () => new Date(),
  );
  // While the first request is committed the others form one group, in which the duplicate comes first.
  const first = once(requestOf("group-first"));
  isKeyed = true;
  const keyed = once(requestOf(store));
  isKeyed = false;
  const plain = await Promise.all(Array.from({ length: 5 }, () => once(requestOf(store))));
  await first;
  t.is(numberOf(await keyed), 1);
  t.deepEqual(plain.map(numberOf), [3, 4, 5, 6, 7], "the duplicate was numbered before them, in the same group");
  const stored = new Set((await valid(store)).map(({ number }) => number));
  for (const chunks of plain) t.true(stored.has(numberOf(chunks) ?? 0), "confirmed requests are in the journal");
});
