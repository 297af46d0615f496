import test from "ava";
import { createWaitForChoices } from "../../../queues/walks/wait-for-choices.ts";
import { communicationPacks } from "../../../records/kinds/designs.ts";
import { publications } from "../../../records/kinds/publishing.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import { walks } from "../../../records/kinds/work.ts";
import { ownSystem } from "../../harness/own.ts";
import { changesJob } from "../../harness/worker.ts";

/** When a walk of the renderer waits for the rules. */
const own = ownSystem();

const T = "t/one";
const PACK = `${T}/communicationpacks/rules`;
const NOW = Date.parse("2026-03-02T10:00:00Z");
const ago = (seconds: number) => new Date(NOW - 1_000 * seconds);
const put = (kind: { name: string }, _id: string, fields: object) =>
  own.system.db.collection<{ _id: string }>(kind.name).replaceOne({ _id }, { rev: NOW, ...fields }, { upsert: true });
const evaluatorWalk = (fields: object, owner = T) =>
  put(walks, `${owner}/walks/evaluator`, { queue: "evaluator", stale: 0, startedAt: ago(9), ...fields });

const waits = (walk: { startedAt?: Date; reason?: string } = {}) =>
  createWaitForChoices({ ...own.system, now: () => new Date(NOW) })({
    ...{ scope: `${T}/`, startedAt: ago(1), reason: `${T}/canvasdesigns/plain is at rev ${NOW}` },
    ...walk,
  });

test.beforeEach(async () => {
  await own.system.redis.flushall();
  for (const { name } of [walks, publications, tenants, communicationPacks])
    await own.system.db.collection(name).deleteMany({});
});

test.serial("the walk does not wait if no publication or evaluation is in progress", async (t) => {
  t.false(await waits());
  await put(publications, `${T}/publications/a`, { state: "DONE" });
  await put(tenants, T, { communicationPack: PACK });
  await put(communicationPacks, PACK, { rev: ago(20).getTime() });
  await evaluatorWalk({ startedAt: ago(19), finishedAt: ago(15), stale: 9 });
  t.false(await waits());
});

test.serial("the walk waits while its tenant's publication is under way, for at most ten minutes", async (t) => {
  await put(publications, "t/other/publications/a", { state: "PUBLISHING" });
  t.false(await waits());
  await put(publications, `${T}/publications/a`, { state: "PUBLISHING" });
  t.true(await waits());
  t.false(await waits({ startedAt: ago(601) }));
});

test.serial(
  "the walk waits for an evaluator's walk, even in a single store, unless that walk shows no progress",
  async (t) => {
    await evaluatorWalk({ changedAt: ago(2) }, `${T}/s/main`);
    t.true(await waits());
    await evaluatorWalk({ changedAt: ago(31) }, `${T}/s/main`);
    t.false(await waits());
    await put(walks, `${T}/audits/evaluator`, { queue: "evaluator", changedAt: ago(0) });
    t.false(await waits(), "an audit's walk does not follow a change");
  },
);

test.serial("the walk waits for the walk that will follow a change to the pack or a design", async (t) => {
  await put(tenants, T, { communicationPack: PACK });
  await put(communicationPacks, PACK, { rev: ago(2).getTime() });
  t.true(await waits());
  await evaluatorWalk({ startedAt: ago(1), finishedAt: ago(1) });
  t.false(await waits());
  const reason = (seconds: number) => `${T}/designs/plain is at rev ${ago(seconds).getTime()}`;
  t.true(await waits({ reason: reason(0.5) }));
  t.false(await waits({ reason: reason(2) }));
  await evaluatorWalk({ startedAt: ago(99), finishedAt: ago(99) });
  await put(communicationPacks, PACK, { rev: ago(31).getTime() });
  t.false(await waits(), "the evaluator shows no progress");
});

test.serial(
  "the walk waits until the keys that the evaluator's walk found have passed the queues that choose designs",
  async (t) => {
    // After the jobs are enqueued, however long this test takes.
    const finishedAt = new Date(Date.now() + 600_000);
    await evaluatorWalk({ startedAt: ago(0), finishedAt, stale: 3 });
    t.false(await waits());
    for (const queue of ["evaluator", "link"] as const) {
      await own.system.publisher.enqueue(queue, [changesJob("link.v2", [`${T}/s/main/links/A-0`])]);
      const now = () => finishedAt;
      const walk = { scope: `${T}/`, startedAt: finishedAt, reason: "" };
      t.true(await createWaitForChoices({ ...own.system, now })(walk), queue);
      await own.system.redis.flushall();
      t.false(await createWaitForChoices({ ...own.system, now })(walk));
    }
  },
);
