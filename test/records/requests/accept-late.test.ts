import { setTimeout } from "node:timers/promises";
import test from "ava";
import { MongoClient } from "mongodb";
import { createAcceptance } from "../../../records/requests/accept.ts";
import { isVoid, journalCollection } from "../../../records/requests/journal.ts";
import { openNumbers } from "../../../records/requests/numbers.ts";
import { openOpenChunks } from "../../../records/requests/open-chunks.ts";
import { openADatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { openProxy, type StoreProxy } from "../../harness/proxy.ts";

/** How long a caller waits: longer than a server takes that answers, and short for tests of one that does not. */
const TIMEOUT_MS = 1_500;
/** How long a write is held back after that time. */
const LATE_MS = 500;

let database: Awaited<ReturnType<typeof openADatabase>>;
let proxy: StoreProxy;
let client: MongoClient;
/** Called when a command was answered, before its caller gets the answer. */
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
test.beforeEach(() => {
  onAnswer = () => {};
});

const request = (store: string, count = 1) => ({
  store: `t/demo/s/${store}`,
  operation: "patch-items",
  rows: Array.from({ length: count }, (_, index) => ({ itemId: `item-${index}` })),
  ordered: true,
});
const acceptance = (clock = () => performance.now()) => createAcceptance(client.db(database.name), clock, TIMEOUT_MS);
const chunksOf = (store: string) =>
  journalCollection(database.db)
    .find({ store: `t/demo/s/${store}` })
    .toArray();

for (const [count, chunks] of [
  [1, 1],
  [2_500, 3],
] as const) {
  test.serial(`a request that is stored after its caller was refused is void: ${count} rows`, async (t) => {
    const store = `late-${count}`;
    onAnswer = (command) => command === "findAndModify" && proxy.hold();
    await t.throwsAsync(acceptance()(request(store, count)), { name: "UnavailableError" });
    await setTimeout(LATE_MS);
    t.deepEqual(await chunksOf(store), []);
    proxy.restore();
    const stored = await eventually("the write has arrived", async () => {
      const found = await chunksOf(store);
      return found.length === chunks && found;
    });
    t.true(stored.every(isVoid));
    const numbers = openNumbers(database.db, () => 0);
    t.is(await numbers.settledThrough(`t/demo/s/${store}`), 1, "later requests do not wait for it");
    const open = await Array.fromAsync(openOpenChunks(database.db).scan());
    t.deepEqual(open.flat(), []);
  });
}

test.serial("a confirmation after the deadline is a refusal", async (t) => {
  let time = 0;
  onAnswer = (command) => {
    if (command === "update") time = TIMEOUT_MS + 1;
  };
  await t.throwsAsync(acceptance(() => time)(request("confirmed-late")), { message: "the journal confirmed too late" });
});

test.serial("a confirmation at the deadline is accepted", async (t) => {
  // Chunks that earlier tests refused are revoked by updates as well, which must not count as the confirmation.
  await setTimeout(2 * LATE_MS);
  let time = 0;
  let isDrawn = false;
  onAnswer = (command) => {
    if (command === "findAndModify") isDrawn = true;
    if (command === "update" && isDrawn) time = TIMEOUT_MS;
  };
  const [chunk] = await acceptance(() => time)(request("confirmed-just"));
  t.is(chunk?.number, 1);
});

test.serial("a database that refuses connections refuses the request, and the next one is accepted", async (t) => {
  const accept = acceptance();
  proxy.cut();
  await t.throwsAsync(accept(request("refused")));
  proxy.restore();
  const chunks = await eventually("a request is accepted", () => accept(request("refused")));
  t.is((await chunksOf("refused")).filter((chunk) => !isVoid(chunk)).length, chunks.length);
});

test.serial("a request whose draw was held until its caller was refused is never journaled", async (t) => {
  proxy.hold();
  await t.throwsAsync(acceptance()(request("held-draw")), { name: "UnavailableError" });
  await setTimeout(LATE_MS);
  proxy.restore();
  await setTimeout(LATE_MS);
  t.deepEqual(await chunksOf("held-draw"), []);
});

test.serial("a request that was refused because its confirmation was late is void", async (t) => {
  let time = 0;
  onAnswer = (command) => {
    if (command === "update") time = TIMEOUT_MS + 1;
  };
  await t.throwsAsync(acceptance(() => time)(request("late-confirmation")), { name: "UnavailableError" });
  const voided = () => chunksOf("late-confirmation").then((chunks) => chunks.length === 1 && chunks.every(isVoid));
  t.true(await eventually("the chunk is void", voided));
});
