import test from "ava";
import { auditKey } from "../../../../queues/changes/audit-key.ts";
import { turnsOf } from "../../../../queues/changes/walk-turns.ts";
import { reasonToBegin } from "../../../../queues/changes/why-audit.ts";
import type { Walk } from "../../../../records/kinds/work.ts";
import type { Stored } from "../../../../schemas/record.ts";

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const walk = (id: string, changed: number, more: Partial<Walk> = {}): Stored<Walk> => ({
  _id: id,
  rev: 1,
  store: "",
  writeId: "",
  changedAt: at(changed),
  ...{ queue: "renderer", scope: "t/demo/", reason: "a test", epoch: 7, startedAt: at(0), stage: 0 },
  ...{ checked: 0, stale: 0, holder: "", heldUntil: at(0), runId: "run" },
  ...more,
});
const follows = (name: string, changed: number) => walk(`t/demo/packs/${name}`, changed);
const auditOf = (scope: string, changed: number, more: Partial<Walk> = {}) =>
  walk(auditKey("renderer", scope), changed, more);
const turns = (walks: Stored<Walk>[], hasBudget = true) =>
  turnsOf(walks, "renderer", hasBudget).map(({ walk: { _id }, batches }) => [_id, batches]);
const idOf = ({ _id }: Stored<Walk>) => _id;
const background = { background: true };

test("each walk that follows a change gets two batches per turn, and the walk that has waited longest goes first", (t) => {
  const [late, early] = [follows("pack", 5), follows("design", 3)];
  t.deepEqual(turns([late, early]), [
    [idOf(early), 2],
    [idOf(late), 2],
  ]);
});

test("in addition to walks that follow a change, one walk of an audit gets one batch, and suspect stores precede tenants", (t) => {
  const following = follows("pack", 9);
  const [tenant, store] = [auditOf("t/demo", 1), auditOf("t/demo/s/main", 2)];
  t.deepEqual(turns([tenant, store, following]), [
    [idOf(following), 2],
    [idOf(store), 1],
  ]);
});

test("if no walk follows a change, every walk of an audit gets a turn: first suspect stores, then tenants, each ordered by age", (t) => {
  const walks = [auditOf("t/b", 4), auditOf("t/a", 2), auditOf("t/b/s/one", 8), auditOf("t/a/s/two", 6)];
  t.deepEqual(turns(walks), [
    ["t/a/s/two/audits/renderer", 2],
    ["t/b/s/one/audits/renderer", 2],
    ["t/a/audits/renderer", 2],
    ["t/b/audits/renderer", 2],
  ]);
});

test("background walks share one batch at the end of a round, suspect stores first, and get none if the budget is spent", (t) => {
  const following = follows("pack", 9);
  const [tenant, store] = [auditOf("t/demo", 1, background), auditOf("t/demo/s/main", 2, background)];
  const lost = auditOf("t/other", 3);
  t.deepEqual(turns([tenant, store, lost, following]), [
    [idOf(following), 2],
    [idOf(lost), 1],
    [idOf(store), 1],
  ]);
  t.deepEqual(turns([tenant, store, lost], false), [[idOf(lost), 2]]);
  t.deepEqual(turns([]), []);
});

const INTERVAL_MS = 60_000;
/** Partitions with these sentinels, on servers with these run IDs. */
const partitions = (sentinels: readonly (string | null)[], runs = "run") =>
  sentinels.map((sentinel, index) => ({ sentinel, runId: runs.split(" ")[index] ?? "run" }));
const present = { partitions: partitions(["7"]), now: at(59), intervalMs: INTERVAL_MS };
const finished = auditOf("t", 9, { finishedAt: at(9) });

test("an audit begins if there was none, if Redis restarted, and if it lost the queue's sentinel", (t) => {
  t.is(reasonToBegin(undefined, present), "the queue is new");
  t.is(reasonToBegin(finished, { ...present, partitions: partitions(["7"], "another") }), "Redis has a new run id");
  for (const sentinel of [null, "6"])
    t.is(reasonToBegin(finished, { ...present, partitions: partitions([sentinel]) }), "the queue's sentinel is gone");
  t.is(reasonToBegin(finished, present), undefined);
});

test("an audit begins for each partition that Redis lost and for a new partition", (t) => {
  const audit = auditOf("t", 9, { finishedAt: at(9), runId: "run run another" });
  const reason = (sentinels: readonly (string | null)[], runs?: string) =>
    reasonToBegin(audit, { ...present, partitions: partitions(sentinels, runs) });
  t.is(reason(["7", "7", "7"], "run run another"), undefined);
  t.is(reason(["7", "7", "7"], "run run later"), "Redis has a new run id");
  t.is(reason(["7", null, "7"], "run run another"), "the queue's sentinel is gone");
  t.is(reason(["7", "7", "7", null], "run run another run"), "the queue's sentinel is gone");
});

test("a process that knows fewer partitions than the last audit begins no audit", (t) => {
  const audit = auditOf("t", 9, { finishedAt: at(9), runId: "run another" });
  t.is(reasonToBegin(audit, present), undefined);
  t.is(reasonToBegin(audit, { ...present, partitions: partitions(["7"], "later") }), "Redis has a new run id");
});

test("an audit begins when the interval since the last audit's start is over and that audit has ended", (t) => {
  const later = { ...present, now: at(60) };
  t.is(reasonToBegin(finished, later), "it is due");
  t.is(reasonToBegin(auditOf("t", 9), later), undefined);
});
