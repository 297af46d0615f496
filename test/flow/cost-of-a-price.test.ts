import test, { type ExecutionContext } from "ava";
import { queueNames } from "../../queues/topology.ts";
import { type Database, openDatabase } from "../../records/client.ts";
import { labelStates } from "../../records/kinds/labels.ts";
import { openLog } from "../../runtime/log.ts";
import { type Cost, costOfEach, countCommands } from "../harness/cost/cost.ts";
import { createMongoWatcher, inSeries } from "../harness/cost/mongodb-watcher.ts";
import { type RedisCommand, watchRedis } from "../harness/cost/redis-watcher.ts";
import { eventually } from "../harness/eventually.ts";
import { DEMO_STORE, glassOf, labelFor, labelOutcomes } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";
import { PATIENT_MS } from "../harness/patience.ts";
import { hostWith } from "../harness/threads/host.ts";

/**
 * What a price change costs the databases, counted and not timed (docs/architecture/development.md#the-cost-of-a-price). If a
 * cost falls, lower its limit here, so that a later rise is noticed.
 */
const mongo = createMongoWatcher();
const shelfwire = ownStack(
  { withProxy: mongo.watcher, settings: { SWEEP_EVERY: "3600", AUDIT_EVERY: "604800" } },
  hostWith((name, { LOG_LEVEL = "silent" }) => openLog(name, LOG_LEVEL), { isIdle: true }),
);

const ROWS = 100;
const REPETITIONS = 6;

const labels = Array.from({ length: ROWS }, (_, index) => ({ itemId: `item ${index}`, barcode: labelFor(`${index}`) }));

let redis: ReturnType<typeof watchRedis>;
/** The test's own connection, whose commands are not counted. */
let database: Database;

test.serial.before(async () => {
  const { mongoUrl, database: name } = shelfwire.databases;
  database = openDatabase(mongoUrl, name, PATIENT_MS);
  await shelfwire.client.patchItems(labels.map(({ itemId }) => ({ itemId, itemName: itemId, price: "1.99" })));
  const rows = labels.map(({ itemId, barcode }) => ({ barcode, links: [{ itemId }] }));
  await labelOutcomes(shelfwire, await shelfwire.client.patchLabels(rows));
  for (const { barcode } of labels) await glassOf(shelfwire, barcode);
  redis = watchRedis(shelfwire.databases.redis.url, shelfwire.system.redis);
});
test.after.always(async () => {
  redis?.close();
  await database?.close();
});

/** Waits until all work that the test's calls caused is done. */
const untilDone = () =>
  eventually("all work is done", async () => {
    const { publisher } = shelfwire.system;
    const { db } = database;
    const counts = await Promise.all(
      queueNames.map((name) => publisher.queue(name).getJobCounts("waiting", "prioritized", "delayed", "active")),
    );
    if (counts.some((one) => Object.values(one).some((count) => count > 0))) return false;
    const waiting = await Promise.all([
      db.collection("outbox").countDocuments({}),
      db.collection("report").countDocuments({}),
      db.collection("journal").countDocuments({ open: true }),
      ...["sending", "sendDue"].map((field) =>
        db.collection(labelStates.name).countDocuments({ store: DEMO_STORE, [field]: { $exists: true } }),
      ),
    ]);
    return waiting.every((count) => count === 0);
  });

type Change = Awaited<ReturnType<typeof change>>;

/**
 * Changes prices and returns the commands of this change, from its call until its labels have acknowledged it and no work is
 * left.
 */
async function change(price: string, rows: number) {
  await untilDone();
  mongo.take();
  await redis.take();
  await shelfwire.client.patchItems(labels.slice(0, rows).map(({ itemId }) => ({ itemId, price })));
  for (const { barcode } of labels.slice(0, rows))
    await eventually("the price is on the glass", async () => {
      const state = await database.db
        .collection<{ _id: string }>(labelStates.name)
        .findOne({ _id: `${DEMO_STORE}/labels/${barcode}` });
      return JSON.stringify(state).includes(price);
    });
  await untilDone();
  const commands = mongo.take().filter(({ name }) => !AT_INTERVALS.has(name));
  const scripts = (await redis.take()).filter(({ key }) => !SCRIPTS_AT_INTERVALS.test(key));
  const withJobs = new Set(scripts.filter(({ arguments: words }) => words.includes("added")).map(queueOf));
  const isIdle = (one: RedisCommand) => one.key.startsWith("{") && !withJobs.has(queueOf(one));
  return {
    commands,
    counts: countCommands(
      commands,
      scripts.filter((one) => !isIdle(one)),
    ),
  };
}

/** Returns the hash tag of a command's first key. Queues without a job look for one at intervals. */
const queueOf = ({ key }: RedisCommand): string => key.slice(0, key.indexOf("}"));

/** Commands that are sent at intervals: on a slow machine a price change takes longer than an interval and would include them. */
const AT_INTERVALS = new Set([
  ...["find walk", "find inbox", "find report", "find delivery", "find subscription"],
  ...["aggregate walk", "aggregate failure", "aggregate lease"],
  ...["find lease", "update lease", "find store", "find tenant", "aggregate journal", "count report"],
]);
const SCRIPTS_AT_INTERVALS = /:(?:sentinel|stalled)$/;

function isAtMost(t: ExecutionContext, cost: Cost & { commands: string[] }, most: Partial<Cost>): void {
  t.log(JSON.stringify(cost, undefined, 1));
  for (const [name, value] of Object.entries(most))
    t.true(cost[name as keyof Cost] <= value, `${name}: ${cost[name as keyof Cost]}, at most ${value}`);
}

test.serial("an urgent change of one price costs few reads, writes and jobs", async (t) => {
  const repetitions: Change[] = [];
  for (let index = 0; index < REPETITIONS; index += 1) repetitions.push(await change(`2.${10 + index}`, 1));
  isAtMost(t, costOfEach(repetitions.map(({ counts }) => counts)), {
    reads: 7,
    majorityWrites: 13,
    jobs: 3,
    scripts: 15,
  });
  // How many of the commands overlap depends on the machine.
  t.log(`${Math.min(...repetitions.map(({ commands }) => inSeries(commands)))} waits in series`);
});

test.serial("a row of a price list costs few look-ups and few written documents", async (t) => {
  const repetitions: Change[] = [];
  for (let index = 0; index < 3; index += 1) repetitions.push(await change(`3.${10 + index}`, ROWS));
  // The number of reports depends on the label server, which may put several into one call.
  const ofRows = ({ commands }: Change) => commands.filter(({ name }) => !name.endsWith(" report"));
  const total = (pick: "lookUps" | "writes") =>
    Math.min(...repetitions.map((one) => ofRows(one).reduce((sum, command) => sum + command[pick], 0))) / ROWS;
  t.log(total("lookUps"), total("writes"));
  t.true(total("lookUps") <= 11.5);
  t.true(total("writes") <= 7.3);
});
