import { setTimeout } from "node:timers/promises";
import test from "ava";
import { MongoClient } from "mongodb";
import { createAcceptance } from "../../../../records/requests/accept.ts";
import { isVoid, journalCollection } from "../../../../records/requests/journal.ts";
import { openNumbers } from "../../../../records/requests/numbers.ts";
import { openOpenChunks } from "../../../../records/requests/open-chunks.ts";
import { type DatabaseProxy, openProxy } from "../../../../scripts/develop/proxy/database-proxy.ts";
import { openADatabase } from "../../../harness/databases/database.ts";
import { wrapped } from "../../../harness/databases/wrapped-db.ts";
import { eventually } from "../../../harness/eventually.ts";

/** How long a caller waits: longer than a responding server takes, but short, because some tests get no response. */
const TIMEOUT_MS = 5_000;
/** How long a caller waits if it gets a response, or if the test sets the clock: longer than any machine takes. */
const PATIENT_MS = 600_000;
/** How long a write is held back after its caller was refused. */
const LATE_MS = 500;

let database: Awaited<ReturnType<typeof openADatabase>>;
let proxy: DatabaseProxy;
let client: MongoClient;
/** Called when a command has been answered, before its caller gets the response; "store" means a write to the journal. */
let onAnswer: (command: string) => void = () => {};

test.before(async () => {
  database = await openADatabase();
  proxy = await openProxy(database.url);
  client = new MongoClient(proxy.url, { ignoreUndefined: true, monitorCommands: true });
  const stores = new Set<number>();
  client.on("commandStarted", ({ command, requestId }) => {
    const isOfJournal = command.update === "journal" || command.findAndModify === "journal";
    // Requests that earlier tests refused become void in the meantime, by writes that do not confirm any request.
    if (isOfJournal && !JSON.stringify(command).includes('"validFor":-1')) stores.add(requestId);
  });
  client.on("commandSucceeded", ({ commandName, requestId }) => {
    onAnswer(stores.delete(requestId) ? "store" : commandName);
  });
  await client.connect();
});
test.after.always(async () => {
  await client.close();
  await proxy.close();
  await database.close();
});
test.beforeEach(() => {
  onAnswer = () => {};
});

const request = (store: string, count = 1) => ({
  store: `t/demo/s/${store}`,
  operation: "patch-items",
  rows: Array.from({ length: count }, (_, index) => ({ itemId: `item-${index}` })),
  ordered: true,
});
const acceptance = () => createAcceptance(client.db(database.name), () => performance.now(), TIMEOUT_MS);
const acceptanceAt = (clock: () => number) => createAcceptance(client.db(database.name), clock, PATIENT_MS);
const chunksOf = (store: string) =>
  journalCollection(database.db)
    .find({ store: `t/demo/s/${store}` })
    .toArray();

for (const [count, chunks] of [
  [1, 1],
  [2_500, 3],
] as const) {
  test.serial(`a request stored after its caller was refused is void: ${count} rows`, async (t) => {
    const store = `late-${count}`;
    onAnswer = (command) => command === "findAndModify" && proxy.hold();
    await t.throwsAsync(acceptance()(request(store, count)), { name: "UnavailableError" });
    await setTimeout(LATE_MS);
    t.deepEqual(await chunksOf(store), []);
    // On a busy machine, the draw may be answered only now, and must not hold the proxy again.
    onAnswer = () => {};
    proxy.restore();
    const stored = await eventually("the write has arrived", async () => {
      const found = await chunksOf(store);
      return found.length === chunks && found;
    });
    t.true(stored.every(isVoid));
    const numbers = openNumbers(database.db, () => 0);
    t.is(await numbers.settledThrough(`t/demo/s/${store}`), 1, "later requests do not wait for the void one");
    const open = await Array.fromAsync(openOpenChunks(database.db).scan());
    t.deepEqual(open.flat(), []);
  });
}

test.serial("a confirmation after the deadline is a refusal", async (t) => {
  let time = 0;
  onAnswer = (command) => {
    if (command === "store") time = PATIENT_MS + 1;
  };
  await t.throwsAsync(acceptanceAt(() => time)(request("confirmed-late")), {
    message: "the journal's confirmation came too late",
  });
});

test.serial("a confirmation at the deadline is accepted", async (t) => {
  let time = 0;
  let isDrawn = false;
  onAnswer = (command) => {
    if (command === "findAndModify") isDrawn = true;
    if (command === "store" && isDrawn) time = PATIENT_MS;
  };
  const [chunk] = await acceptanceAt(() => time)(request("confirmed-just"));
  t.is(chunk?.number, 1);
});

test.serial("if a database refuses connections the request is refused, and the next request is accepted", async (t) => {
  const accept = acceptance();
  proxy.cut();
  await t.throwsAsync(accept(request("refused")));
  proxy.restore();
  const chunks = await eventually("a request is accepted", () => accept(request("refused")));
  // On a busy machine, attempts before it may have been refused after they were stored; they become void later.
  await eventually("only its chunks are valid", async () => {
    const valid = (await chunksOf("refused")).filter((chunk) => !isVoid(chunk));
    return valid.length === chunks.length;
  });
});

test.serial("a request whose draw stalls until its caller is refused is never journaled", async (t) => {
  proxy.hold();
  await t.throwsAsync(acceptance()(request("held-draw")), { name: "UnavailableError" });
  await setTimeout(LATE_MS);
  proxy.restore();
  const store = "t/demo/s/held-draw";
  const { settledThrough } = openNumbers(database.db, () => 0);
  await eventually("its number is closed", async () => (await settledThrough(store)) === 1);
  for (const chunk of await chunksOf("held-draw")) t.deepEqual([chunk.rows, isVoid(chunk)], ["[]", true]);
});

test.serial("uploads that the database refused leave no number for which later requests would wait", async (t) => {
  const accept = acceptance();
  const store = "t/demo/s/stalled";
  const refuseAll = (requests: Promise<unknown>[]) =>
    Promise.all(requests.map((request) => t.throwsAsync(request, { name: "UnavailableError" })));
  // First the responses to the draws are held back, then the writes, then both in one group of several stores.
  for (const heldAt of ["nothing", "findAndModify"]) {
    let isHeld = false;
    onAnswer = (command) => {
      if (command === heldAt && !isHeld) proxy.hold();
      if (command === heldAt) isHeld = true;
    };
    if (heldAt === "nothing") proxy.hold();
    await refuseAll([request("stalled"), request("stalled", 2_500), request("other")].map((each) => accept(each)));
    onAnswer = () => {};
    proxy.restore();
  }
  const last = await eventually("a request is accepted", () => accept(request("stalled")));
  const { settledThrough } = openNumbers(database.db, () => 0);
  const number = last[0]?.number ?? 0;
  await eventually("no earlier number is missing", async () => (await settledThrough(store)) === number - 1);
  const valid = (await chunksOf("stalled")).filter((chunk) => !isVoid(chunk));
  t.deepEqual(
    valid.map((chunk) => chunk.number),
    [number],
  );
});

test.serial("if one store's draw fails, requests of other stores in its group are accepted", async (t) => {
  const failing = wrapped(database.db, (collection, _, [filter], call) => {
    if (collection === "counter" && JSON.stringify(filter).includes("broken")) throw new Error("refused");
    return call();
  });
  const accept = createAcceptance(failing, () => performance.now(), PATIENT_MS);
  const [first, broken, healthy] = await Promise.allSettled(
    ["first", "broken", "healthy"].map((s) => accept(request(s))),
  );
  t.deepEqual([first?.status, broken?.status, healthy?.status], ["fulfilled", "rejected", "fulfilled"]);
});

test.serial("a stored request whose confirmation was lost is void", async (t) => {
  const losing = wrapped(database.db, async (collection, method, given, call) => {
    const answer = await call();
    const isStored = collection === "journal" && ["bulkWrite", "findOneAndUpdate"].includes(method);
    if (isStored && JSON.stringify(given).includes("item-0")) throw new Error("the connection was closed");
    return answer;
  });
  const accept = createAcceptance(losing, () => performance.now(), PATIENT_MS);
  await Promise.all([1, 2, 3].map(() => t.throwsAsync(accept(request("lost-answer")), { message: /was closed/ })));
  const stored = await eventually("each is void", async () => {
    const found = await chunksOf("lost-answer");
    return found.every(isVoid) && found;
  });
  t.is(stored.length, 3);
});

test.serial("a request refused because of its late confirmation is void", async (t) => {
  let time = 0;
  onAnswer = (command) => {
    if (command === "store") time = PATIENT_MS + 1;
  };
  await t.throwsAsync(acceptanceAt(() => time)(request("late-confirmation")), { name: "UnavailableError" });
  const voided = () => chunksOf("late-confirmation").then((chunks) => chunks.length === 1 && chunks.every(isVoid));
  t.true(await eventually("the chunk is void", voided));
});
