import test from "ava";
import { pino } from "pino";
import { repairRecent } from "../../../queues/changes/repair-recent.ts";
import { ofLink, type Stage } from "../../../queues/changes/stage.ts";
import { itemLinks } from "../../../records/kinds/items.ts";
import { links } from "../../../records/kinds/links.ts";
import { type Chunk, journalCollection } from "../../../records/requests/journal.ts";
import { chunkKey, itemKey, labelOfLink, linkIdOf, linkKey } from "../../../schemas/keys.ts";
import type { KeptOutcome } from "../../../schemas/request.ts";
import { ownSystem } from "../../harness/own.ts";
import { jobsOf } from "../../harness/system.ts";

const own = ownSystem();
test.beforeEach(async () => {
  await own.system.redis.flushall();
  await journalCollection(own.system.db).deleteMany({});
});

const [MAIN, OTHER] = ["t/demo/s/main", "t/demo/s/other"] as const;
const LOST_AT = new Date("2026-01-01T12:00:00Z");
const QUEUE = "renderer";
const linkOf = (store: string, itemId: string) => linkKey(store, linkIdOf(`label-${itemId}`, 0));

/** An item with one link, to its own label. */
async function hang(store: string, itemId: string): Promise<void> {
  const link = { id: linkIdOf(`label-${itemId}`, 0), stamp: 1 };
  await own.system.commit.change(itemLinks, [itemKey(store, itemId)], () => ({ links: [link] }), "bulk");
}

/** A request that was applied this many seconds before Redis lost its data. */
async function applied(store: string, number: number, secondsBefore: number, outcomes: readonly KeptOutcome[]) {
  const at = new Date(LOST_AT.getTime() - secondsBefore * 1_000);
  const chunk: Chunk = {
    ...{ _id: chunkKey(store, number, 0), store, number, index: 0, chunks: 1, rows: "[]", size: 1, firstRow: 0 },
    ...{ operation: "patch-items", ordered: false, urgency: "bulk", generation: 0, open: false },
    ...{ drawnAt: at, journaledAt: at, appliedAt: at, validFor: 0, outcomes: JSON.stringify(outcomes) },
  };
  await journalCollection(own.system.db).insertOne(chunk);
}
const ofItem = (itemId: string): KeptOutcome => ({ itemId, status: "SUCCESS", errors: [] });

/** Repairs a queue with the stage's stale keys (by default all checked keys). Returns the enqueued keys in order. */
async function repair(more: Partial<Stage> = {}): Promise<string[]> {
  const stage: Stage = {
    ...{ name: "pictures", over: links, topic: "designerlink.v1", keyOfLink: ofLink },
    findStale: async (keys) => [...keys],
    ...more,
  };
  const log = pino({ level: "silent" });
  await repairRecent({ ...own.system, queue: QUEUE, stages: [stage], log }, LOST_AT);
  const jobs = await jobsOf(own.system, QUEUE);
  return jobs.flatMap(({ data }) => (data as { changes: { key: string }[] }).changes.map(({ key }) => key));
}

test.serial("changes of the latest requests are repaired first, across all stores", async (t) => {
  for (const [store, itemId] of [
    [MAIN, "old"],
    [MAIN, "new"],
    [OTHER, "between"],
  ] as const)
    await hang(store, itemId);
  await applied(MAIN, 1, 500, [ofItem("old")]);
  await applied(MAIN, 2, 5, [ofItem("new"), ofItem("without links")]);
  await applied(OTHER, 1, 60, [ofItem("between")]);
  t.deepEqual(await repair(), [linkOf(MAIN, "new"), linkOf(OTHER, "between"), linkOf(MAIN, "old")]);
});

test.serial("changes applied long before Redis lost its data are left to the walks", async (t) => {
  await hang(MAIN, "old");
  await applied(MAIN, 1, 601, [ofItem("old")]);
  t.deepEqual(await repair(), []);
});

test.serial("links are mapped to the stage's keys, and each stale key is enqueued once", async (t) => {
  for (const itemId of ["right", "stale"]) await hang(MAIN, itemId);
  await applied(MAIN, 1, 1, [ofItem("right"), ofItem("stale")]);
  await applied(MAIN, 2, 2, [ofItem("stale"), { store: OTHER, number: 7 }]);
  const label = labelOfLink(linkOf(MAIN, "stale")).label;
  const asked: string[][] = [];
  const enqueued = await repair({
    keyOfLink: (link) => labelOfLink(link).label,
    async findStale(keys) {
      asked.push([...keys]);
      return keys.filter((key) => key === label);
    },
  });
  t.deepEqual(enqueued, [label]);
  t.is(asked.flat().length, 2);
});

test.serial("a stage whose keys are not links is left to the walks", async (t) => {
  await hang(MAIN, "any");
  await applied(MAIN, 1, 1, [ofItem("any")]);
  t.deepEqual(await repair({ keyOfLink: undefined }), []);
});
