import test from "ava";
import { labelStates } from "../../../records/kinds/labels.ts";
import { labelKey } from "../../../schemas/keys.ts";
import { startRedis } from "../../../scripts/start/servers.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { bodyOf, pointersOf, readLabel, refused, writeLabels } from "../calls.ts";

const shelfwire = ownStack({ workers: ["link", "transmitter"], withFront: true });

const position = { x: 1.5, y: -2, floor: 3 };
const makeLabel = async (name: string): Promise<string> => {
  const barcode = labelFor(name);
  await writeLabels(shelfwire, [{ barcode }]);
  return barcode;
};
const pathOf = (barcode: string) => `/labels/${barcode}/positions/manual`;
const put = (barcode: string, body: unknown) => shelfwire.call("PUT", pathOf(barcode), body);
const remove = (barcode: string) => shelfwire.call("DELETE", pathOf(barcode));
const positionOf = async (barcode: string) => (await readLabel(shelfwire, barcode)).positions.manual;
const callsTo = (barcode: string) =>
  (shelfwire.front?.orders() ?? []).filter(({ path }) => path === `/labels/${barcode}/fingerprint`);
const fingerprints = (barcode: string) => shelfwire.labelServer.labels.get(barcode)?.fingerprints ?? 0;
/** Returns the results of a label's measurements, newest first. */
const measurementResults = async (barcode: string) => {
  const history = await bodyOf<{ event: string; result: string }[]>(
    await shelfwire.call("GET", `/labels/${barcode}/history`),
  );
  return history.filter(({ event }) => event === "fingerprint").map(({ result }) => result);
};

test.serial("a position is set, moved and removed, each time immediately", async (t) => {
  const barcode = await makeLabel("moved");
  const answer = await put(barcode, { position });
  t.is(answer.status, 204);
  t.is(await answer.text(), "");
  t.deepEqual(await positionOf(barcode), position);
  t.is((await put(barcode, { eslBarcode: barcode, position: { x: 0, y: 0, floor: -1 } })).status, 204);
  t.deepEqual(await positionOf(barcode), { x: 0, y: 0, floor: -1 });
  const removed = await remove(barcode);
  t.is(removed.status, 204);
  t.is(await removed.text(), "");
  t.is(await positionOf(barcode), undefined);
});

test.serial("removing an absent position returns 204, however often", async (t) => {
  const barcode = await makeLabel("never moved");
  for (const _ of [1, 2]) t.is((await remove(barcode)).status, 204);
  t.deepEqual(callsTo(barcode), []);
});

test.serial("an unknown label returns 404", async (t) => {
  await refused(t, await put(labelFor("nowhere"), { position }), 404);
  await refused(t, await remove(labelFor("nowhere")), 404);
});

test.serial("each invalid field returns 400, with its path, and changes nothing", async (t) => {
  const barcode = await makeLabel("refused");
  const faults: [unknown, string[]][] = [
    [undefined, [""]],
    [{}, ["/position"]],
    [{ position: null }, ["/position"]],
    [{ position: { x: 1 } }, ["/position/floor", "/position/y"]],
    [{ position: { x: "left", y: 2, floor: 1.5 } }, ["/position/floor", "/position/x"]],
    [{ eslBarcode: labelFor("another"), position }, ["/eslBarcode"]],
    [{ eslBarcode: 5, position }, ["/eslBarcode"]],
  ];
  for (const [body, places] of faults) t.deepEqual(pointersOf(await refused(t, await put(barcode, body), 400)), places);
  t.is(await positionOf(barcode), undefined);
});

test.serial("the label server receives one low-priority request to measure at the position", async (t) => {
  const barcode = await makeLabel("measured");
  await put(barcode, { position });
  await eventually("the label was measured", async () => fingerprints(barcode) === 1);
  t.is(callsTo(barcode).length, 1);
  const [call] = callsTo(barcode);
  t.like(call?.headers, { priority: "low", store: "t/demo/s/main", transceiver: "T1, T2, T3" });
  t.deepEqual(JSON.parse(String(call?.body)), { position });
  await eventually("the result is recorded", async () => (await measurementResults(barcode)).length === 2);
  t.deepEqual(await measurementResults(barcode), ["sent", "asked"]);
});

test.serial(
  "requests that change a position and PATCH /labels take effect in the order in which they are sent",
  async (t) => {
    const barcode = await makeLabel("patched");
    const patch = (x: number) => shelfwire.client.patchLabels([{ barcode, positions: { manual: { ...position, x } } }]);
    await patch(10);
    t.is((await remove(barcode)).status, 204);
    t.is(await positionOf(barcode), undefined);
    await writeLabels(shelfwire, [{ barcode, plLocation: "after" }]);
    t.is(await positionOf(barcode), undefined, "the older request did not restore the position");
    await writeLabels(shelfwire, [{ barcode, positions: { manual: { ...position, x: 11 } } }]);
    t.is((await positionOf(barcode))?.x, 11);
  },
);

test.serial("the link worker applies what the API journaled before it was killed", async (t) => {
  const [barcode, removed] = [await makeLabel("left behind"), await makeLabel("left behind and removed")];
  // A worker may apply the second row before its position is removed, but no measurement reaches the label server.
  shelfwire.front?.answer(({ path }) =>
    path.includes(removed) ? { status: 503, headers: { "retry-after": "1" } } : undefined,
  );
  const journal = (row: object) =>
    shelfwire.system.accept({ store: "t/demo/s/main", operation: "position-labels", rows: [row], ordered: false });
  await journal({ barcode, position });
  await journal({ barcode: removed, position });
  t.is((await remove(removed)).status, 204);
  await eventually("the position is set", async () => (await positionOf(barcode)) !== undefined);
  await eventually("the label was measured", async () => fingerprints(barcode) === 1);
  await eventually("all requests are settled", () => shelfwire.system.numbers.isSettledBefore("t/demo/s/main"));
  t.is(await positionOf(removed), undefined);
  const [state] = (await shelfwire.system.records.read(labelStates, [labelKey(DEMO_STORE, removed)])).values();
  t.deepEqual(Object.keys(state?.fingerprint ?? {}), ["stamp"], "no measurement is due");
  shelfwire.front?.release();
});

test.serial("a waiting measurement is not sent after its position is removed", async (t) => {
  const barcode = await makeLabel("taken back");
  shelfwire.front?.answer(({ path }) =>
    path.includes(barcode) ? { status: 503, headers: { "retry-after": "1" } } : undefined,
  );
  await put(barcode, { position });
  await eventually("the label server was busy", async () => callsTo(barcode).length >= 1);
  t.is((await remove(barcode)).status, 204);
  shelfwire.front?.release();
  const other = await makeLabel("measured meanwhile");
  for (const times of [1, 2, 3]) {
    await put(other, { position });
    await eventually("the other labels are measured", async () => fingerprints(other) === times);
  }
  t.is(fingerprints(barcode), 0);
  t.is((await measurementResults(barcode))[0], "removed");
});

test.serial("a refused measurement is not retried, and the history lists it", async (t) => {
  const barcode = await makeLabel("unwanted");
  shelfwire.front?.answer(({ path }) => (path.includes(barcode) ? { status: 400 } : undefined));
  await put(barcode, { position });
  await eventually("the result is recorded", async () => (await measurementResults(barcode)).includes("refused"));
  t.is(callsTo(barcode).length, 1);
  shelfwire.front?.release();
});

test.serial("a waiting measurement survives a flush and an outage of Redis", async (t) => {
  const barcode = await makeLabel("remembered");
  const unqueued = await makeLabel("without Redis");
  shelfwire.front?.answer(({ path }) =>
    path.includes(barcode) ? { status: 503, headers: { "retry-after": "1" } } : undefined,
  );
  await put(barcode, { position });
  const port = Number(new URL(shelfwire.databases.redis.url).port);
  await shelfwire.databases.redis.kill();
  t.is((await put(unqueued, { position: { ...position, floor: 9 } })).status, 204);
  t.is((await positionOf(unqueued))?.floor, 9);
  shelfwire.databases.redis = await startRedis(port);
  shelfwire.front?.release();
  await eventually("both labels are measured", async () => fingerprints(barcode) === 1 && fingerprints(unqueued) === 1);
  t.pass();
});
