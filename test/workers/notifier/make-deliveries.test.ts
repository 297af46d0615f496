import test from "ava";
import { createChangeEvents } from "../../../queues/publish/change-events.ts";
import { createSubscriptionMatcher } from "../../../queues/publish/subscription-matcher.ts";
import { createChangeHandler } from "../../../queues/worker/change-handler.ts";
import { links } from "../../../records/kinds/links.ts";
import { subscriptions } from "../../../records/kinds/tenants.ts";
import { isUnavailable } from "../../../records/mongodb/unavailable.ts";
import { openDeliveries } from "../../../records/outbox/deliveries.ts";
import { openInbox } from "../../../records/outbox/inbox.ts";
import { openRecords, type Records } from "../../../records/records.ts";
import type { ObservedTopic } from "../../../schemas/events.ts";
import type { Change, Topic } from "../../../schemas/topics.ts";
import { notifier } from "../../../workers/notifier/index.ts";
import { createMakeDeliveries } from "../../../workers/notifier/make-deliveries.ts";
import { createReadInbox } from "../../../workers/notifier/read-inbox.ts";
import { ownDatabase } from "../../harness/own.ts";

/** A notifier that reads from a new primary, which does not know yet that the last writes have a majority. */
const database = ownDatabase();
const behind = ownDatabase();

const SUBSCRIPTION = "t/demo/subscriptions/one";
const WRITTEN_AT = Date.UTC(2026, 2, 1, 8);
const OLD = "dtoflow-changes-link.v1";
const keyOf = (name: string) => `t/demo/s/main/links/${name}-0`;
const change = (name: string, more: Partial<Change> = {}): Change => ({
  ...{ key: keyOf(name), rev: 9, operation: "CREATED", changed: ["itemId"], urgency: "bulk", at: WRITTEN_AT },
  ...more,
});

/** A notifier with one subscription and an empty inbox; `states` has the rev of the link "A" in each database. */
async function aNotifier(topics: readonly ObservedTopic[], states: { main?: number; behind?: number }) {
  for (const { db } of [database, behind])
    for (const name of [links.name, subscriptions.name, "inbox", "delivery"]) await db.collection(name).deleteMany({});
  const insert = (db: typeof database.db, name: string, document: object) =>
    db.collection<object>(name).insertOne(document);
  await insert(database.db, subscriptions.name, { _id: SUBSCRIPTION, topics });
  const link = { origin: "studio", itemId: "milk", eslId: "A", status: "ACTIVE" };
  for (const [db, rev] of [
    [database.db, states.main],
    [behind.db, states.behind],
  ] as const)
    if (rev !== undefined) await insert(db, links.name, { _id: keyOf("A"), ...link, rev });

  const world = { time: WRITTEN_AT + 1_000, isBehind: true };
  const now = () => new Date(world.time);
  const [current, old] = [openRecords(database.db), openRecords(behind.db)];
  const present = () => (world.isBehind ? old : current);
  const records: Pick<Records, "read" | "readFields" | "readRevs"> = {
    read: (...call) => present().read(...call),
    readFields: (...call) => present().readFields(...call),
    readRevs: (...call) => present().readRevs(...call),
  };
  const deliveries = openDeliveries(database.db, now);
  const makeDeliveries = createMakeDeliveries({
    ...{ records, deliveries, now },
    subscriptionMatcher: createSubscriptionMatcher(current, () => world.time),
    eventsOf: createChangeEvents(records, now),
  });
  const failed: unknown[] = [];
  const handle = createChangeHandler(
    "notifier",
    notifier({ makeDeliveries }),
    { isUnavailable, step: (_name, _causes, _attributes, work) => work() },
    async (_topic, keys) => void failed.push(...keys),
  );
  const inbox = openInbox(database.db, now);
  return {
    ...{ world, failed },
    add: (topic: Topic, ...changes: Change[]) => inbox.add(topic, changes),
    readInbox: createReadInbox({ inbox, handle }),
    waiting: () => database.db.collection("inbox").countDocuments(),
    /** The type, id and item of each stored event. */
    async stored() {
      const found = await deliveries.take(SUBSCRIPTION, 100, 0);
      return found.map(({ event: { type, id, data } }) => [type, id, "itemId" in data ? data.itemId : undefined]);
    },
  };
}

test.serial("a change has its event even if the database returns an older record, or no record", async (t) => {
  const { add, readInbox, stored, waiting, failed } = await aNotifier(["link.v2"], { main: 9, behind: 5 });
  await add("link.v2", change("A", { operation: "UPDATED" }), change("new"));
  await readInbox();
  t.deepEqual((await stored()).map(([, id]) => id).toSorted(), [`${keyOf("A")}#9`, `${keyOf("new")}#9`]);
  t.deepEqual([await waiting(), failed], [0, []]);
});

test.serial("an event that contains its record waits for it, and no other event waits with it", async (t) => {
  for (const older of [undefined, 5]) {
    const { world, add, readInbox, stored, waiting, failed } = await aNotifier([OLD, "link.v2"], {
      main: 9,
      ...(older && { behind: older }),
    });
    await add("link.v2", change("A"));
    await add("ecclink.v1", change("B"));
    await add("link.v2", change("gone", { operation: "DELETED" }));
    const error = await t.throwsAsync(readInbox, { name: "UnavailableError" });
    t.is(error?.message, `the database still returns ${keyOf("A")} at a rev older than the announced 9`);
    t.deepEqual(await stored(), [["link.v2", `${keyOf("gone")}#9`, undefined]]);
    t.is(await waiting(), 1);

    world.isBehind = false;
    await readInbox();
    t.is(await waiting(), 1, "the entry is leased");
    world.time += 60_000;
    await readInbox();
    t.deepEqual((await stored()).filter(([, id]) => id === `${keyOf("A")}#9`).toSorted(), [
      [OLD, `${keyOf("A")}#9`, "milk"],
      ["link.v2", `${keyOf("A")}#9`, undefined],
    ]);
    t.deepEqual([await waiting(), failed], [0, []]);
  }
});

test.serial("a record that was removed holds up its events for at most ten minutes", async (t) => {
  const { world, add, readInbox, stored, waiting } = await aNotifier([OLD, "link.v2"], {});
  await add("link.v2", change("A"));
  world.time = WRITTEN_AT + 600_000 - 1;
  await t.throwsAsync(readInbox, { name: "UnavailableError" });
  world.time += 60_000;
  await readInbox();
  t.deepEqual([await stored(), await waiting()], [[["link.v2", `${keyOf("A")}#9`, undefined]], 0]);
});
