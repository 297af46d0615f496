import test from "ava";
import { createMetrics } from "../../../../queues/metrics/metrics.ts";
import { gatewayKey, type LabelServerHealth } from "../../../../queues/publish/label-server-health.ts";
import { callNotice, callText } from "../../../../schemas/call-notice.ts";
import type { LabelServer, LastCalls } from "../../../../workers/transmitter/drivers/label-server.ts";
import { createNoteHealth } from "../../../../workers/transmitter/servers/note-health.ts";

const EPOCH = 1_000_000;

/** A label server whose last calls the test sets, and the records about it. */
function scene() {
  const set = {
    calls: {} as LastCalls,
    failingSince: undefined as number | undefined,
    deniedSince: undefined as number | undefined,
    isReady: true,
  };
  const offline: [store: string, since: number | undefined][] = [];
  const noted: object[] = [];
  const metrics = createMetrics();
  const server = {
    lastCalls: () => set.calls,
    failingSince: () => set.failingSince,
    deniedSince: () => set.deniedSince,
    gateways: { offlineSince: () => offline },
  } as unknown as LabelServer;
  const { trouble, calls } = createNoteHealth({
    now: () => new Date(EPOCH + 500),
    clock: () => 500,
    metrics,
    publisher: { isReady: () => set.isReady },
    labelServers: { known: () => [["", server]] },
    notes: {
      noteTrouble: async (what, key, since) => void (since && noted.push([what, ...(key ? [key] : []), since])),
      noteCalls: async (_, health: LabelServerHealth) => void noted.push(health),
      read: async () => [],
      readOffline: async () => undefined,
    },
  });
  const gauge = async (name: string) =>
    (await metrics.takeSnapshot()).find((metric) => metric.name === name)?.values[0]?.value;
  const counts = async () => [
    await gauge("shelfwire_label_servers"),
    await gauge("shelfwire_label_servers_away"),
    await gauge("shelfwire_label_servers_denying"),
  ];
  return { set, offline, noted, trouble, calls, counts };
}

const at = (milliseconds: number) => new Date(EPOCH + milliseconds);

test("many calls to a label server make one record, and without calls there is none", async (t) => {
  const { set, noted, calls } = scene();
  await calls();
  t.deepEqual(noted, []);
  set.calls = { answeredAt: 20 };
  await calls();
  await calls();
  t.deepEqual(noted, [{ answeredAt: at(20) }]);
});

test("a newer response does not record an old failure again: another transmitter may have recorded a newer failure", async (t) => {
  const { set, noted, calls } = scene();
  const notice = callNotice("SERVER_ANSWERED", { status: 500 });
  const failure = { at: 10, reason: callText(notice), notice, detail: "disk" };
  set.calls = { answeredAt: 10, failure };
  await calls();
  set.calls = { answeredAt: 30, failure };
  await calls();
  t.deepEqual(noted, [{ answeredAt: at(10), failure: { ...failure, at: at(10) } }, { answeredAt: at(30) }]);
});

test("the first failure of a label server that responded before is recorded", async (t) => {
  const { set, noted, calls } = scene();
  set.calls = { answeredAt: 10 };
  await calls();
  const notice = callNotice("SERVER_SILENT", { fault: "ECONNREFUSED" });
  const noAnswer = { reason: callText(notice), notice, detail: "" };
  set.calls = { answeredAt: 10, failure: { at: 20, ...noAnswer } };
  await calls();
  t.deepEqual(noted.at(-1), { failure: { at: at(20), ...noAnswer } });
});

test("the start of an outage is measured by the wall clock, and no record is lost while Redis is down", async (t) => {
  const { set, noted, trouble, calls } = scene();
  set.isReady = false;
  set.calls = { answeredAt: 20 };
  await calls();
  await trouble();
  t.deepEqual(noted, []);
  Object.assign(set, { isReady: true, failingSince: 40, deniedSince: 50 });
  await calls();
  await trouble();
  t.deepEqual(noted, [{ answeredAt: at(20) }, ["away", at(40)], ["denies", at(50)]]);
});

test("offline gateways are recorded by store", async (t) => {
  const { offline, noted, trouble, counts } = scene();
  offline.push(["t/a/s/harbour", 30], ["t/a/s/market", undefined]);
  await trouble();
  t.deepEqual(noted, [["offline", gatewayKey("t/a/s/harbour", ""), at(30)]]);
  t.deepEqual(await counts(), [1, 0, 0], "the broker responds");
});

test("unreachable and denying label servers are counted, even while Redis is down", async (t) => {
  const { set, trouble, counts } = scene();
  await trouble();
  t.deepEqual(await counts(), [1, 0, 0]);
  Object.assign(set, { isReady: false, failingSince: 40 });
  await trouble();
  t.deepEqual(await counts(), [1, 1, 0]);
  Object.assign(set, { failingSince: undefined, deniedSince: 50 });
  await trouble();
  t.deepEqual(await counts(), [1, 0, 1]);
});
