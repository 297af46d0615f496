import { setTimeout } from "node:timers/promises";
import test from "ava";
import { MongoClient } from "mongodb";
import { createAcceptance } from "../../records/accept.ts";
import { isVoid, journalCollection } from "../../records/journal.ts";
import { eventually } from "../harness/eventually.ts";
import { openProxy, type StoreProxy } from "../harness/proxy.ts";
import { openADatabase } from "./a-database.ts";

const WITHIN_MS = 1_000;
const LATE_MS = 300;

let database: Awaited<ReturnType<typeof openADatabase>>;
let proxy: StoreProxy;
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

const request = (store: string) => ({
  store: `t/demo/s/${store}`,
  operation: "patch-items",
  rows: [{}],
  ordered: true,
});
const storedIn = (store: string) =>
  eventually(
    "the chunk is stored",
    async () => (await journalCollection(database.db).findOne({ store: `t/demo/s/${store}` })) ?? undefined,
  );

test.serial("a request whose draw was held until its caller was refused is never journaled", async (t) => {
  const accept = createAcceptance(client.db(database.name), () => performance.now(), WITHIN_MS);
  proxy.hold();
  await t.throwsAsync(accept(request("held-draw")), { name: "UnavailableError" });
  await setTimeout(LATE_MS);
  proxy.restore();
  await setTimeout(LATE_MS);
  t.is(await journalCollection(database.db).countDocuments({ store: "t/demo/s/held-draw" }), 0);
});

test.serial("a request that was refused because its confirmation was late is void", async (t) => {
  let time = 0;
  onAnswer = (command) => {
    if (command === "update") time = WITHIN_MS + 1;
  };
  const accept = createAcceptance(client.db(database.name), () => time, WITHIN_MS);
  await t.throwsAsync(accept(request("late-confirmation")), { name: "UnavailableError" });
  const isRefused = async () => isVoid(await storedIn("late-confirmation"));
  t.true(await eventually("the chunk is void", isRefused));
});
