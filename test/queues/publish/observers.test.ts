import test from "ava";
import { createMetrics } from "../../../queues/metrics/metrics.ts";
import { createObservers } from "../../../queues/publish/observers.ts";
import { createPublisher } from "../../../queues/publish/publisher.ts";
import { keepStream, labelStreamKey, streamKey } from "../../../queues/publish/streams.ts";
import { matchesKey } from "../../../queues/publish/subscription-matcher.ts";
import { subscriptions } from "../../../records/kinds/tenants.ts";
import type { InboxEntry } from "../../../records/outbox/inbox.ts";
import { itemKey } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { Subscription } from "../../../schemas/subscription.ts";
import type { Change } from "../../../schemas/topics.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { partOf } from "../../harness/part-of.ts";
import { jobsOf, sayingToBe } from "../../harness/system.ts";

const world = ownSystem();
test.before(async () => {
  const order = { topics: ["storeitemvalues.v1" as const], url: "https://shop.example/", secret: "whsec_" };
  const subscription = { ...order, createdAt: new Date() };
  await world.system.commit.change(subscriptions, ["t/demo/subscriptions/one"], () => subscription, "bulk");
  // A process reads a new subscription within two seconds.
  await eventually("the subscription is known", async () =>
    (await world.system.subscriptionMatcher.byTenant("storeitemvalues.v1")).has("t/demo"),
  );
});
test.beforeEach(() => world.system.db.collection("inbox").deleteMany({}));

const changeOf = (key: string): Change => {
  return { key, rev: 7, operation: "UPDATED", changed: ["price"], urgency: "interactive" };
};
const own = changeOf(itemKey("t/demo/s/main", "own"));
const hasRoom = async () => false;
const foreign = changeOf(itemKey("t/other/s/main", "foreign"));
const inbox = async (): Promise<Change[]> =>
  (await world.system.db.collection("inbox").find().toArray()).flatMap((entry) => JSON.parse(entry.changes));

test.serial("only changes that match subscriptions enter the inbox; none enters the notifier's queue", async (t) => {
  const { publisher } = world.system;
  t.true(await publisher.publish("storeitemvalues.v1", [own, foreign]));
  t.true(await publisher.publish("storeesl.v1", [own]));
  t.deepEqual(await inbox(), [own]);
  t.deepEqual(await jobsOf(world.system, "notifier"), []);
});

test.serial("changes published together stay together, at most a thousand", async (t) => {
  const many = Array.from({ length: 2_500 }, (_, index) => changeOf(itemKey("t/demo/s/main", `many ${index}`)));
  await world.system.publisher.publish("storeitemvalues.v1", many);
  const entries = await world.system.db.collection("inbox").find().toArray();
  t.deepEqual(entries.map((entry) => JSON.parse(entry.changes).length).sort(), [1000, 1000, 500].sort());
});

test.serial("observers are notified once, when all queues have accepted the changes", async (t) => {
  const { redis, subscriptionMatcher } = world.system;
  const added: InboxEntry["changes"][] = [];
  let isFull = true;
  const onError = (error: Error) => t.fail(error.message);
  const inbox = { add: async (_: string, changes: readonly Change[]) => void added.push([...changes]) };
  const publisher = createPublisher({
    queuePartitions: 1,
    metrics: createMetrics(),
    bulkJobs: world.system.bulkJobs,
    interactiveRows: world.system.interactiveRows,
    findUnread: async () => new Set(),
    choices: { noteUnread: async () => {} },
    redis,
    isFull: async () => isFull,
    observers: createObservers({ redis, matcher: subscriptionMatcher, inbox, isFull: hasRoom, onError }),
    onError,
  });
  const bulk = { ...own, urgency: "bulk" as const };
  t.false(await publisher.publish("storeitemvalues.v1", [bulk]));
  t.deepEqual(added, []);
  isFull = false;
  t.true(await publisher.publish("storeitemvalues.v1", [bulk]));
  t.deepEqual(added, [[bulk]]);
});

test.serial("a change that the inbox did not store counts as unpublished and is published again", async (t) => {
  const { redis, subscriptionMatcher } = world.system;
  const faults: string[] = [];
  const failing = { add: () => Promise.reject(new Error("away")) };
  const onError = (error: Error) => void faults.push(error.message);
  const publisher = createPublisher({
    queuePartitions: 1,
    metrics: createMetrics(),
    bulkJobs: world.system.bulkJobs,
    interactiveRows: world.system.interactiveRows,
    findUnread: async () => new Set(),
    choices: { noteUnread: async () => {} },
    redis,
    isFull: async () => false,
    observers: createObservers({ redis, matcher: subscriptionMatcher, inbox: failing, isFull: hasRoom, onError }),
    onError,
  });
  t.false(await publisher.publish("storeitemvalues.v1", [own]));
  t.deepEqual(faults, ["away"]);
  t.true(await publisher.publish("storeitemvalues.v1", [foreign]), "no subscription matches it");
});

test.serial("a change that matches one of several subscriptions is stored, and tails see every change", async (t) => {
  const { redis } = world.system;
  await redis.flushall();
  const added: string[] = [];
  const named = (id: string, stores: string[]) =>
    partOf<Stored<Subscription>>({ _id: `t/demo/subscriptions/${id}`, stores });
  const byTenant = new Map([["t/demo", [named("a", ["main"]), named("b", ["other"])]]]);
  const open = (status: "ready" | "reconnecting", isFull = hasRoom) =>
    createObservers({
      isFull,
      redis: sayingToBe(redis, status),
      matcher: { byTenant: async () => byTenant },
      inbox: { add: async (_, changes) => void added.push(...changes.map(({ key }) => key)) },
      onError: (error) => t.fail(error.message),
    });
  const entries = (key: string) => redis.xlen(key);
  const [ofItems, ofLabels] = [streamKey("t/demo", "storeitemvalues.v1"), labelStreamKey("t/demo")];
  const observers = open("ready");
  await Promise.all([keepStream(redis, ofItems), keepStream(redis, ofLabels)]);
  await observers.notify("storeitemvalues.v1", [own]);
  t.deepEqual(added, [own.key]);
  await eventually("the stream has the change", async () => (await entries(ofItems)) === 1);
  observers.streamLabels([]);
  observers.streamLabels(["t/demo/s/main/labels/A"]);
  await eventually("the stream of labels has the change", async () => (await entries(ofLabels)) === 1);
  const away = open("reconnecting");
  await away.notify("storeitemvalues.v1", [own]);
  away.streamLabels(["t/demo/s/main/labels/A"]);
  const full = open("ready", async () => true);
  await full.notify("storeitemvalues.v1", [own]);
  full.streamLabels(["t/demo/s/main/labels/A"]);
  await redis.ping();
  t.deepEqual(
    [await entries(ofItems), await entries(ofLabels)],
    [1, 1],
    "nothing is stored while Redis is full either",
  );
  t.is(added.length, 3, "subscribers miss nothing");
});

const subscription = (stores?: string[]) => ({ _id: "t/demo/subscriptions/one", ...(stores && { stores }) });
const matches: [string, string[] | undefined, string, boolean][] = [
  ["every store's changes if it names no stores", undefined, "t/demo/s/any/items/1", true],
  ["a store that it names", ["main"], "t/demo/s/main/items/1", true],
  ["the store's own key, used by a bulk operation", ["main"], "t/demo/s/main", true],
  ["no other store", ["main"], "t/demo/s/mainland/items/1", false],
  ["the tenant's own records", ["main"], "t/demo/designs/a", true],
  ["a design whose ID looks like a store's", ["main"], "t/demo/designs/s/x", true],
  ["no other tenant", undefined, "t/demo2/s/main/items/1", false],
];
for (const [what, stores, key, expected] of matches) {
  test(`a subscription covers ${what}`, (t) => t.is(matchesKey(subscription(stores), key), expected));
}
