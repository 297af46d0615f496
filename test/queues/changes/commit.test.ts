import test from "ava";
import { createCommit } from "../../../queues/changes/commit.ts";
import { type QueueName, queueNames } from "../../../queues/topology.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { items } from "../../../records/kinds/items.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { links } from "../../../records/kinds/links.ts";
import { renderedImages } from "../../../records/kinds/pictures.ts";
import { openOutbox } from "../../../records/outbox/outbox.ts";
import type { RenderedImage } from "../../../schemas/image.ts";
import type { Item } from "../../../schemas/item.ts";
import { itemKey, linkKey } from "../../../schemas/keys.ts";
import type { Link } from "../../../schemas/link.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { Change } from "../../../schemas/topics.ts";
import { startRedis } from "../../../scripts/start/servers.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { startASweeper } from "../../harness/sweeper.ts";
import { jobsOf, untilReady } from "../../harness/system.ts";

const STORE = "t/demo/s/main";

const world = ownSystem();
test.beforeEach(() => flush());

async function flush(): Promise<void> {
  await world.system.redis.flushall();
}

const picture = (image: string): RenderedImage => ({
  shows: { link: "a", linkRev: 1, item: "b", itemRev: 1 },
  image,
  width: 296,
  height: 128,
  empty: false,
  warnings: [],
});
const item = (itemId: string, fields: Partial<Item> = {}): Item => ({
  itemId,
  price: "1.10",
  sics: [],
  properties: [],
  stamps: {},
  created: 1,
  ...fields,
});
const link = (id: string, fields: Partial<Link> = {}): Link => ({
  eslId: id,
  displayPosition: 0,
  itemId: "milk",
  linkedItemId: "milk",
  status: "ACTIVE",
  origin: "studio",
  linkedAt: new Date(0),
  stamp: 1,
  ...fields,
});

/** Writes a record; returns the record if the write changed it. */
const set = async <Body>(kind: RecordKind<Body>, key: string, body: Body): Promise<Stored<Body> | undefined> =>
  (await world.system.commit.change(kind, [key], () => body, "interactive")).get(key);

/** The changes that each queue received. */
async function published(): Promise<Partial<Record<QueueName, Change[]>>> {
  const found = await Promise.all(
    queueNames.map(async (queue) => [queue, (await jobsOf(world.system, queue)).flatMap(({ data }) => data.changes)]),
  );
  return Object.fromEntries(found.filter(([, changes]) => changes?.length));
}

const outboxEntries = () => world.system.db.collection("outbox").find({}).toArray();

test.serial("a decision that changes nothing is neither written nor published", async (t) => {
  const key = itemKey(STORE, "same");
  const first = await set(items, key, item("same", { properties: [{ key: "a", value: "b", stamp: 1 }] }));
  await flush();
  t.is(await set(items, key, item("same", { properties: [{ key: "a", value: "b", stamp: 1 }] })), undefined);
  t.deepEqual((await world.system.records.read(items, [key])).get(key), first);
  t.deepEqual(await published(), {});
  t.deepEqual(await outboxEntries(), []);
});

test.serial("a batch that publishes nothing never enters the outbox", async (t) => {
  const key = itemKey(STORE, "silent");
  await set(items, key, item("silent"));
  const added: string[] = [];
  const outbox = {
    ...openOutbox(world.system.db),
    add: async (...entries: readonly { _id: string }[]) => void added.push(...entries.map(({ _id }) => _id)),
  };
  const commit = createCommit({ ...world.system, outbox, now: () => new Date() });
  await commit.change(items, [key], () => item("silent"), "bulk");
  t.deepEqual(added, []);
  await commit.change(items, [key], () => item("silent", { price: "2.20" }), "bulk");
  t.is(added.length, 1);
});

test.serial("an undefined field counts as absent", async (t) => {
  const key = itemKey(STORE, "undefined");
  await set(items, key, item("undefined"));
  t.is(await set(items, key, { ...item("undefined"), itemName: undefined } as unknown as Item), undefined);
});

test.serial("a key without a decision is skipped", async (t) => {
  const key = itemKey(STORE, "undecided");
  t.is((await world.system.commit.change(items, [key], () => undefined, "bulk")).size, 0);
  t.is((await world.system.records.read(items, [key])).size, 0);
  t.deepEqual(await published(), {});
});

test.serial(
  "a record that is created, changed and deleted is published to its subscribers with its changed fields",
  async (t) => {
    const key = linkKey(STORE, "L1-0");
    const steps: [Link, Pick<Change, "operation" | "changed" | "wasDeleted">][] = [
      [link("L1"), { operation: "CREATED", changed: Object.keys(link("L1")) }],
      [link("L1", { facings: "3", itemId: "bread" }), { operation: "UPDATED", changed: ["itemId", "facings"] }],
      [link("L1", { itemId: "bread" }), { operation: "UPDATED", changed: ["facings"] }],
      [link("L1", { itemId: "bread", status: "DELETED" }), { operation: "DELETED", changed: ["status"] }],
      [
        link("L1", { itemId: "bread", status: "ACTIVE" }),
        { operation: "CREATED", changed: ["status"], wasDeleted: true },
      ],
    ];
    for (const [body, { operation, changed, wasDeleted }] of steps) {
      await flush();
      const written = await set(links, key, body);
      const changes = await published();
      t.deepEqual(Object.keys(changes).toSorted(), ["evaluator", "link"]);
      for (const [change, ...others] of Object.values(changes)) {
        t.deepEqual(others, []);
        t.like(change, { key, operation, urgency: "interactive", rev: written?.rev });
        t.deepEqual(change?.changed.toSorted(), changed.toSorted());
        t.is(change?.wasDeleted, wasDeleted);
      }
      t.deepEqual(await outboxEntries(), []);
    }
  },
);

test.serial(
  "a queue receives only its row's operations: the link queue gets created and deleted items, and no updates",
  async (t) => {
    const key = itemKey(STORE, "narrowed");
    const steps: [Item, string[]][] = [
      [item("narrowed"), ["link"]],
      [item("narrowed", { price: "2.20" }), ["evaluator", "renderer"]],
      [item("narrowed", { price: "2.20", deleted: true }), ["link"]],
      [item("narrowed", { price: "2.20" }), ["evaluator", "link", "renderer"]],
    ];
    for (const [body, queues] of steps) {
      await flush();
      await set(items, key, body);
      t.deepEqual(Object.keys(await published()).toSorted(), queues);
    }
  },
);

test.serial("a change to a record whose kind has no topic is written and not published", async (t) => {
  const key = `${STORE}/labels/quiet`;
  const state = { wanted: [], shown: [], sent: [], transmissions: 0, tries: 0, transceivers: [] };
  t.truthy(await set(labelStates, key, { ...state, battery: "OK" }));
  t.deepEqual([await published(), await outboxEntries()], [{}, []]);
});

test.serial("only written changes are published, and neither lost nor quiet decisions", async (t) => {
  const { commit, records } = world.system;
  const [won = "", lost = "", quiet = ""] = ["won", "lost", "quiet"].map((id) => linkKey(STORE, id));
  for (const key of [won, lost, quiet]) await set(renderedImages, key, picture("1"));
  const read = await records.read(renderedImages, [won, lost, quiet]);
  await set(renderedImages, lost, picture("2"));
  await flush();
  const decisions = [won, lost, quiet].map((key) => ({ key, current: read.get(key), body: picture("3") }));
  const decided = decisions.map((decision) => ({ ...decision, quiet: decision.key === quiet }));
  const result = await commit.write(renderedImages, decided, "bulk");
  t.deepEqual(result.lost, [lost]);
  t.deepEqual(result.written.map(({ _id }) => _id).toSorted(), [won, quiet].toSorted());
  const { merger, ...others } = await published();
  const rev = result.written.find(({ _id }) => _id === won)?.rev ?? 0;
  const at = result.written.find(({ _id }) => _id === won)?.changedAt.getTime();
  t.deepEqual(merger, [{ key: won, rev, operation: "UPDATED", changed: ["image"], urgency: "bulk", at }]);
  t.deepEqual([others, await outboxEntries()], [{}, []]);
});

test.serial("changed inputs are written even if the body is unchanged", async (t) => {
  const key = linkKey(STORE, "inputs");
  const body = picture("1");
  const { commit, records } = world.system;
  await commit.write(renderedImages, [{ key, current: undefined, body, inputs: ["link.v2 a#1"] }], "bulk");
  const current = (await records.read(renderedImages, [key])).get(key);
  const again = await commit.write(renderedImages, [{ key, current, body, inputs: ["link.v2 a#1"] }], "bulk");
  t.deepEqual(again, { written: [], lost: [] });
  const { written } = await commit.write(renderedImages, [{ key, current, body, inputs: ["link.v2 a#2"] }], "bulk");
  t.deepEqual(written[0]?.inputs, ["link.v2 a#2"]);
});

test.serial(
  "during a Redis outage, changes are written and stay in the outbox; a later sweep publishes them",
  async (t) => {
    const key = linkKey(STORE, "away");
    const port = Number(new URL(world.databases.redis.url).port);
    await world.databases.redis.kill();
    await eventually("Redis is gone", async () => !world.system.publisher.isReady());
    const written = await set(renderedImages, key, picture("1"));
    t.is(written?.image, "1");
    const entries = await outboxEntries();
    t.like(entries[0], { _id: written?.writeId, kind: "renderedimage.v1" });
    t.is(entries.length, 1);

    startASweeper(t, world);
    world.databases.redis = await startRedis(port);
    await untilReady(world.system);
    const merger = await eventually("the change is published", async () => (await published()).merger);
    t.like(merger[0], { key, rev: written?.rev, operation: "CREATED", urgency: "interactive" });
    await eventually("the outbox is empty", async () => (await outboxEntries()).length === 0);
    t.is((await published()).merger?.length, 1, "it is published once");
  },
);
