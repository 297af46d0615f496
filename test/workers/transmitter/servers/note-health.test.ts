import test from "ava";
import { createMetrics } from "../../../../queues/metrics/metrics.ts";
import type { LabelServerHealth } from "../../../../queues/publish/label-server-health.ts";
import type { LabelServer, LastCalls } from "../../../../workers/transmitter/label-server.ts";
import { createNoteHealth } from "../../../../workers/transmitter/servers/note-health.ts";

const EPOCH = 1_000_000;

/** A label server whose last calls are set by hand, and what is noted of it. */
function scene() {
  const set = { calls: {} as LastCalls, failingSince: undefined as number | undefined, isReady: true };
  const noted: object[] = [];
  const metrics = createMetrics();
  const server = { lastCalls: () => set.calls, failingSince: () => set.failingSince } as unknown as LabelServer;
  const { away, calls } = createNoteHealth({
    now: () => new Date(EPOCH + 500),
    clock: () => 500,
    metrics,
    publisher: { isReady: () => set.isReady },
    labelServers: { known: () => [["", server]] },
    notes: {
      noteAway: async (_, since) => void noted.push([since]),
      noteCalls: async (_, health: LabelServerHealth) => void noted.push(health),
      read: async () => [],
    },
  });
  const countAway = async () =>
    (await metrics.takeSnapshot()).find(({ name }) => name === "shelfwire_label_servers_away")?.values[0]?.value;
  return { set, noted, away, calls, countAway };
}

const at = (milliseconds: number) => new Date(EPOCH + milliseconds);

test("many calls of a label server are one note, and none where nothing was called", async (t) => {
  const { set, noted, calls } = scene();
  await calls();
  t.deepEqual(noted, []);
  set.calls = { answeredAt: 20 };
  await calls();
  await calls();
  t.deepEqual(noted, [{ answeredAt: at(20) }]);
});

test("a failure of before is not noted again with a newer answer: another transmitter's may be newer", async (t) => {
  const { set, noted, calls } = scene();
  const failure = { at: 10, reason: "the label server answered 500", detail: "disk" };
  set.calls = { answeredAt: 10, failure };
  await calls();
  set.calls = { answeredAt: 30, failure };
  await calls();
  t.deepEqual(noted, [{ answeredAt: at(10), failure: { ...failure, at: at(10) } }, { answeredAt: at(30) }]);
});

test("the first failure of a label server that has answered before is noted", async (t) => {
  const { set, noted, calls } = scene();
  set.calls = { answeredAt: 10 };
  await calls();
  set.calls = { answeredAt: 10, failure: { at: 20, reason: "no answer", detail: "" } };
  await calls();
  t.deepEqual(noted.at(-1), { failure: { at: at(20), reason: "no answer", detail: "" } });
});

test("since when a label server does not answer is told by the wall clock, and no note is lost while Redis is away", async (t) => {
  const { set, noted, away, calls } = scene();
  set.isReady = false;
  set.calls = { answeredAt: 20 };
  await calls();
  await away();
  t.deepEqual(noted, []);
  Object.assign(set, { isReady: true, failingSince: 40 });
  await calls();
  await away();
  t.deepEqual(noted, [{ answeredAt: at(20) }, [at(40)]]);
});

test("how many label servers do not answer is counted, while Redis is away too", async (t) => {
  const { set, away, countAway } = scene();
  await away();
  t.is(await countAway(), 0);
  Object.assign(set, { isReady: false, failingSince: 40 });
  await away();
  t.is(await countAway(), 1);
  set.failingSince = undefined;
  await away();
  t.is(await countAway(), 0);
});
