import { randomUUID } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import { openLabelServerHealth } from "../../../queues/publish/label-server-health.ts";
import { openWorkerRedis } from "../../../queues/redis.ts";
import { publishing, type System } from "../../../queues/system.ts";
import { publishedBy } from "../../../queues/topology.ts";
import { createWalker } from "../../../queues/walks/walk.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { openGlassLog } from "../../../records/glass-log.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import { eslImages } from "../../../records/kinds/pictures.ts";
import { stores } from "../../../records/kinds/tenants.ts";
import { openReportInbox } from "../../../records/outbox/report-inbox.ts";
import { idOf, labelKey } from "../../../schemas/keys.ts";
import type { LabelReport } from "../../../schemas/label-report.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { buildTransmitter } from "../../../workers/transmitter/process.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { partOf } from "../../harness/part-of.ts";
import { change } from "../../harness/worker.ts";
import { png, SECRET, serve } from "./serve.ts";

const own = ownSystem();

/** A transmitter's parts on the real system with a label server over HTTP, and the metrics that they count. */
async function aTransmitter(t: ExecutionContext, changed: Partial<System> = {}) {
  const labelServer = await serve(t, ({ method }) => ({ status: method === "PUT" ? 202 : 200 }));
  const system = { ...publishing(own.system, publishedBy("transmitter")), ...changed };
  const counted: [name: string, labels: object][] = [];
  const observed: [name: string, value: number][] = [];
  const parts = buildTransmitter(
    {
      ...system,
      walker: createWalker({ ...system, queue: "transmitter", stages: [] }),
      metrics: {
        ...system.metrics,
        count: (name: string, labels: object) => void counted.push([name, labels]),
        observe: (name: string, _: object, value: number) => void observed.push([name, value]),
      } as typeof system.metrics,
    },
    {
      LABEL_SERVER_URL: labelServer.url,
      LABEL_SERVER_SECRET_OTHER: undefined,
      LABEL_SERVER_SECRET: SECRET,
      LABEL_SERVER_CONCURRENCY: 4,
      ACKNOWLEDGE_WITHIN: 7,
      BARCODE_PATTERN: "(?<type>1328)",
      OFFLINE_AFTER: 3600,
    },
  );
  const redis = openWorkerRedis({ REDIS_URL: own.databases.redis.url });
  const opened = await parts.open?.(partOf({}), redis);
  t.teardown(async () => {
    await opened?.close();
    redis.disconnect();
  });
  return { ...parts, labelServer, counted, observed };
}

const set = async <Body>(kind: RecordKind<Body>, key: string, body: Body) =>
  void (await own.system.commit.change(kind, [key], () => body, "bulk"));

/** A label in a separate store that should show a picture. */
async function aLabel(state: Partial<LabelState> = {}) {
  const store = `t/${randomUUID()}/s/main`;
  const key = labelKey(store, `L${randomUUID()}`);
  const image = randomUUID();
  await set(stores, store, { ...demoStore, name: "A store" });
  await set(labels, key, { barcode: idOf(key), type: 1328, modelName: "Single", stamps: {} });
  await set(labelStates, key, { ...newLabelState(), ...state });
  await openImageFiles(own.system.db, own.system.now).put(store.split("/s/")[0] ?? "", [
    { sha256: image, png, width: 2, height: 1 },
  ]);
  await set(eslImages, key, { pages: [{ page: 0, image }], shows: [] });
  const read = async () => (await own.system.records.read(labelStates, [key])).get(key) ?? newLabelState();
  const report = (kind: LabelReport["kind"], more: Partial<LabelReport> = {}): LabelReport => ({
    ...{ store, barcode: idOf(key), kind, at: new Date().toISOString() },
    ...more,
  });
  return { key, store, image, read, report };
}

test.serial(
  "a new picture is sent with a number from the clock and counted, and its reports are recorded",
  async (t) => {
    const { handlers, labelServer, counted, observed } = await aTransmitter(t);
    const { key, image, read, report } = await aLabel();
    const before = Date.now();
    await handlers.transmitter["eslimage.v1"]([change(key)]);
    const [call] = await eventually(
      "the picture is sent",
      async () => labelServer.calls.length > 0 && labelServer.calls,
    );
    t.is(call?.path, `/labels/${idOf(key)}/pages/0`);
    t.deepEqual(call?.body, Buffer.from(png));
    const { sending, sendDue } = await read();
    t.true((sending?.number ?? 0) >= before, "a number is larger than any number before a restore");
    // The first wait is at most the longest wait plus its jitter.
    t.true((sendDue?.getTime() ?? 0) <= Date.now() + 1.25 * 7_000 && (sendDue?.getTime() ?? 0) > before + 5_000);
    await eventually("the call is counted", async () => observed.length > 0);
    t.deepEqual(
      counted.filter(([name]) => name === "shelfwire_label_server_answers_total"),
      [["shelfwire_label_server_answers_total", { call: "page", answer: "accepted" }]],
    );
    t.is(observed[0]?.[0], "shelfwire_label_server_call_seconds");
    t.true((observed[0]?.[1] ?? 60) < 60, "in seconds");

    await openReportInbox(own.system.db, own.system.now).add([
      report("acknowledged", { transmission: sending?.number ?? 0 }),
    ]);
    t.deepEqual([...((await handlers.transmitter.reports([{}])) ?? [])], []);
    await eventually("the report is applied", async () => (await read()).shown.length > 0);
    t.like(await read(), { shown: [{ page: 0, image }], sendDue: undefined });
    await eventually("it is removed", async () => (await own.system.db.collection("report").countDocuments()) === 0);
    t.is((await openGlassLog(own.system.db).readAt([{ label: key, page: 0 }], new Date()))[0]?.image, image);
  },
);

test.serial(
  "timers handle work that waits in the database: transmissions, reports, fingerprints and records of orders",
  async (t) => {
    const { timers = [], labelServer } = await aTransmitter(t);
    const [due, reported, asked] = [await aLabel(), await aLabel(), await aLabel()];
    await set(labelStates, due.key, {
      ...newLabelState(),
      ...{ wanted: [{ page: 0, image: due.image }], sendDue: new Date(Date.now() - 1_000) },
    });
    await set(labels, asked.key, {
      ...{ barcode: idOf(asked.key), type: 1328, modelName: "Single", stamps: {} },
      ...{ manualPosition: { x: 1, y: 2, floor: 0 } },
    });
    await set(labelStates, asked.key, {
      ...newLabelState(),
      fingerprint: { stamp: 5, due: new Date(Date.now() - 1_000) },
    });
    await openReportInbox(own.system.db, own.system.now).add([reported.report("check-in")]);
    t.true(timers.every(({ intervalMs }) => intervalMs >= 1_000 && intervalMs <= 3_000));
    const runTimers = async () => {
      for (const { run } of timers) await run();
    };
    const pathOf = ({ key }: { key: string }) => `/labels/${idOf(key)}/`;
    const called = (one: { key: string }, rest: string) =>
      labelServer.calls.some(({ path }) => path === pathOf(one) + rest);
    // A call that was given up on a busy machine is made again by a later pass.
    await eventually("the due picture is sent", async () => runTimers().then(() => called(due, "pages/0")));
    await eventually("the measurement is requested", async () => runTimers().then(() => called(asked, "fingerprint")));
    t.true((await reported.read()).lastSeen !== undefined);
    // The calls were made in the background, so they may have been answered after the timers ran.
    await eventually("the last calls are recorded", async () => {
      await runTimers();
      const [health] = await openLabelServerHealth(own.system.redis).read([""]);
      return health?.answeredAt;
    });
  },
);

test.serial("when the next process opens, it sends what a killed process has begun", async (t) => {
  const { key, image } = await aLabel();
  const now = Date.now();
  const number = now - 1_000;
  await set(labelStates, key, {
    ...newLabelState(),
    ...{ wanted: [{ page: 0, image }], sent: [{ number, page: 0, image }], transmissions: number, tries: 1 },
    ...{ sending: { number, page: 0, image }, sendDue: new Date(now + 5_000) },
  } as LabelState);
  // Its clock stands still, since it resumes only transmissions whose retries are not due yet.
  const { labelServer } = await aTransmitter(t, { now: () => new Date(now) });
  await eventually("the picture is sent again", async () =>
    labelServer.calls.some(({ path }) => path === `/labels/${idOf(key)}/pages/0`),
  );
  t.pass();
});

test.serial("the transmitter's audit finds a label whose state lacks its picture", async (t) => {
  const { stages, handlers } = await aTransmitter(t);
  const { key } = await aLabel();
  t.is(stages.length, 1);
  for (const { name, over, topic, findStale } of stages) {
    t.deepEqual([name, over.name, topic], ["labelstate", eslImages.name, "eslimage.v1"]);
    t.deepEqual(await findStale([key]), [key]);
    await handlers.transmitter["eslimage.v1"]([change(key)]);
    t.deepEqual(await findStale([key]), []);
  }
});
