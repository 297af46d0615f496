import test from "ava";
import { type Inbox, openInbox } from "../../../records/outbox/inbox.ts";
import type { Change } from "../../../schemas/topics.ts";
import { ownDatabase } from "../../harness/own.ts";

const database = ownDatabase();
let inbox: Inbox;
let time = new Date("2026-03-01T08:00:00Z");
test.before(async () => {
  inbox = openInbox(database.db, () => time);
});
test.beforeEach(() => database.db.collection("inbox").deleteMany({}));

const LEASE_MS = 60_000;
const pass = (ms: number): void => {
  time = new Date(time.getTime() + ms);
};
const changeOf = (rev: number): Change => {
  return { key: "t/demo/s/main/items/$.ž", rev, operation: "UPDATED", changed: ["a.b", "$set"], urgency: "bulk" };
};

test.serial("added entries are taken unchanged, oldest first", async (t) => {
  for (const rev of [1, 2, 3]) {
    await inbox.add("storeitemvalues.v1", [changeOf(rev), changeOf(rev + 10)]);
    pass(1);
  }
  const taken = await inbox.take(2, LEASE_MS);
  t.deepEqual(
    taken.map(({ topic, changes }) => ({ topic, changes })),
    [1, 2].map((rev) => ({ topic: "storeitemvalues.v1", changes: [changeOf(rev), changeOf(rev + 10)] })),
  );
});

test.serial(
  "an entry taken by one process cannot be taken by another until its lease expires or the entry is removed",
  async (t) => {
    await inbox.add("link.v2", [changeOf(1)]);
    const [first, second] = await Promise.all([inbox.take(10, LEASE_MS), inbox.take(10, LEASE_MS)]);
    t.is(first.length + second.length, 1);
    pass(LEASE_MS - 1);
    t.deepEqual(await inbox.take(10, LEASE_MS), []);
    pass(1);
    const [again] = await inbox.take(10, LEASE_MS);
    t.deepEqual(again?.changes, [changeOf(1)]);
    await inbox.remove(again?._id ?? "");
    pass(LEASE_MS);
    t.deepEqual(await inbox.take(10, LEASE_MS), []);
  },
);

test.serial("a process whose clock is behind takes stored changes immediately", async (t) => {
  await inbox.add("storeitemvalues.v1", [changeOf(1)]);
  pass(-10_000);
  t.is((await inbox.take(2, LEASE_MS)).length, 1);
});

test.serial("removing an entry leaves the others", async (t) => {
  for (const rev of [1, 2, 3]) {
    await inbox.add("link.v2", [changeOf(rev)]);
    pass(1);
  }
  const [, second] = await inbox.take(10, LEASE_MS);
  await inbox.remove(second?._id ?? "");
  pass(LEASE_MS);
  t.deepEqual(
    (await inbox.take(10, LEASE_MS)).flatMap(({ changes }) => changes),
    [changeOf(1), changeOf(3)],
  );
});
