import { createHash } from "node:crypto";
import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import test from "ava";
import { hangUp, NOW, STORE } from "./hang-up.ts";

test("a label is unknown until something is sent to it", (t) => {
  const { labels } = hangUp();
  t.is(labels.get("A"), undefined);
  t.deepEqual(labels.totals(), { labels: 0, pages: 0, received: 0, inTheAir: 0 });
});

test("a picture is on the glass, byte for byte, when it is acknowledged", async (t) => {
  const { reports, send, shown } = hangUp();
  send("A", 7, "bread");
  t.is(shown("A"), undefined);
  await setImmediate();
  t.deepEqual(reports, [
    {
      store: STORE,
      barcode: "A",
      kind: "acknowledged",
      at: NOW,
      battery: "OK",
      hardwareRevision: "emulated-1",
      transmission: 7,
      page: 0,
    },
  ]);
  const sha256 = createHash("sha256").update("bread").digest("hex");
  t.deepEqual(shown("A"), { png: Buffer.from("bread"), sha256, number: 7, received: 1, acknowledgedAt: NOW });
});

test("the same key again is acknowledged again, but not delivered again", async (t) => {
  const { send, said, shown } = hangUp();
  send("A", 7);
  await setImmediate();
  send("A", 7, "something else");
  await setImmediate();
  t.deepEqual(said(), [
    ["acknowledged", 7],
    ["acknowledged", 7],
  ]);
  t.is(shown("A")?.received, 1);
  t.is(String(shown("A")?.png), "picture 7");
});

test("a repeated acknowledgement keeps its delivery time, since a later picture may have landed", async (t) => {
  const { clock, reports, send } = hangUp();
  send("A", 7);
  await setImmediate();
  clock.now = "2026-03-01T08:00:09.000Z";
  send("A", 7);
  t.deepEqual(
    reports.map(({ at }) => at),
    [NOW, NOW],
  );
});

test("the same key during its transmission starts no second transmission", async (t) => {
  const { labels, send, said } = hangUp();
  send("A", 7);
  send("A", 7);
  t.is(labels.totals().inTheAir, 1);
  await setImmediate();
  t.deepEqual(said(), [["acknowledged", 7]]);
});

test("a different key means a different transmission, even of the same picture", async (t) => {
  const { send, said, shown } = hangUp();
  send("A", 7, "bread");
  await setImmediate();
  send("A", 8, "bread");
  await setImmediate();
  t.deepEqual(said(), [
    ["acknowledged", 7],
    ["acknowledged", 8],
  ]);
  t.is(shown("A")?.received, 2);
});

test("a picture that arrives after a newer one of its page is dropped", async (t) => {
  const { labels, send, said, shown } = hangUp();
  send("A", 8);
  send("A", 7);
  send("A", 6, "first", 1);
  await setImmediate();
  t.deepEqual(said(), [
    ["acknowledged", 8],
    ["acknowledged", 6],
  ]);
  t.is(String(shown("A")?.png), "picture 8");
  t.is(labels.totals().inTheAir, 0);
});

test("each page has its own picture", async (t) => {
  const { labels, send, shown } = hangUp();
  send("A", 1, "first", 0);
  send("A", 2, "second", 1);
  await setImmediate();
  t.deepEqual([String(shown("A", 0)?.png), String(shown("A", 1)?.png)], ["first", "second"]);
  t.deepEqual(labels.totals(), { labels: 1, pages: 2, received: 2, inTheAir: 0 });
});

test("a label belongs to the store that addressed it last", async (t) => {
  const { labels, reports, send } = hangUp();
  labels.obtain("A", "t/demo/s/old");
  send("A", 1);
  await setImmediate();
  t.deepEqual(
    reports.map(({ store }) => store),
    [STORE],
  );
});

test.serial("a transmission takes as long as its label's air time", (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.teardown(() => mock.timers.reset());
  const { labels, send, said } = hangUp(500);
  labels.obtain("B", STORE);
  labels.set("B", { airTimeMs: 100 });
  send("A", 1);
  send("B", 2);
  t.is(labels.totals().inTheAir, 2);
  mock.timers.tick(100);
  t.deepEqual(said(), [["acknowledged", 2]]);
  mock.timers.tick(399);
  t.is(said().length, 1);
  mock.timers.tick(1);
  t.deepEqual(said().at(-1), ["acknowledged", 1]);
  t.is(labels.totals().inTheAir, 0);
});

test("a segment label shows text instead of a picture, and acknowledges it the same way", async (t) => {
  const { labels, said, shown } = hangUp();
  labels.receive(labels.obtain("A", STORE), { key: "A-0-7", number: 7, page: 0, png: Buffer.alloc(0), text: "1,99" });
  await setImmediate();
  t.deepEqual(said(), [["acknowledged", 7]]);
  t.like(shown("A"), { text: "1,99", received: 1, sha256: createHash("sha256").update("1,99").digest("hex") });
});

test("a report names the transceiver of the label's last call and the label's hardware", (t) => {
  const { labels, reports } = hangUp();
  labels.obtain("A", STORE, "T1");
  labels.obtain("A", STORE, "T2");
  labels.obtain("A", STORE);
  labels.set("A", { battery: "LOW" });
  t.like(reports[0], { kind: "check-in", transceiver: "T2", hardwareRevision: "emulated-1" });
});

test("a press is reported with its button and time, and a temperature with every report", (t) => {
  const { labels, reports } = hangUp();
  const label = labels.obtain("A", STORE);
  labels.set("A", { temperature: -18.5 });
  const at = labels.press(label, 2);
  labels.set("A", { offline: true });
  t.is(labels.press(label, 2), undefined, "an offline label reports nothing");
  t.is(reports.length, 2);
  t.like(reports[0], { kind: "check-in", sensors: { temperature: -18.5 } });
  t.like(reports[1], { kind: "check-in", at, press: { button: 2, at }, sensors: { temperature: -18.5 } });
});

test("a reader that sends its last change count gets the labels changed since, and any other reader gets all labels", async (t) => {
  const { labels, send } = hangUp();
  const sha256Of = (content: string) => createHash("sha256").update(content).digest("hex");
  const deliver = async (...sent: Parameters<typeof send>) => {
    send(...sent);
    await setImmediate();
  };
  await deliver("A", 1, "bread");
  await deliver("B", 2, "milk");
  const { changes, glass } = labels.glassBehind(0);
  t.deepEqual(glass, { A: sha256Of("bread"), B: sha256Of("milk") });
  t.deepEqual(labels.glassBehind(changes), { changes, glass: {} });
  await deliver("B", 3, "cream");
  t.deepEqual(labels.glassBehind(changes).glass, { B: sha256Of("cream") });
  labels.hang("C", STORE, "OK", 0, { png: Buffer.from("tea"), received: 1, acknowledgedAt: NOW });
  t.deepEqual(Object.keys(labels.glassBehind(changes).glass), ["B", "C"]);
  t.deepEqual(Object.keys(labels.glassBehind(0).glass), ["A", "B", "C"]);
});

test("each online label checks in once within the given number of calls", (t) => {
  const { labels, reports } = hangUp();
  const barcodes = ["A", "B", "C", "D", "E"];
  for (const barcode of barcodes) labels.obtain(barcode, STORE);
  labels.set("C", { offline: true });
  for (const _ of [1, 2, 3]) labels.checkIn(3);
  t.deepEqual(
    reports.map(({ barcode, kind }) => [barcode, kind]).sort(),
    ["A", "B", "D", "E"].map((one) => [one, "check-in"]),
  );
});

test("a check-in says which transmissions a label shows, but omits another store's transmissions", async (t) => {
  const { labels, reports, send } = hangUp();
  send("A", 7);
  send("A", 8, "page", 1);
  await setImmediate();
  const shows = () => {
    labels.checkIn(1);
    return reports.at(-1)?.shows;
  };
  t.deepEqual(shows(), [
    { page: 0, transmission: 7 },
    { page: 1, transmission: 8 },
  ]);
  labels.obtain("A", "t/demo/s/other");
  t.deepEqual(shows(), []);
});
