import { createHash } from "node:crypto";
import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import test from "ava";
import type { Report } from "../../../scripts/label-server/emulated-label.ts";
import { createLabels } from "../../../scripts/label-server/labels.ts";

const STORE = "t/demo/s/main";
const NOW = "2026-03-01T08:00:00.000Z";

/** Labels, and all of their reports. */
function hangUp(airTimeMs = 0) {
  const reports: Report[] = [];
  const clock = { now: NOW };
  const labels = createLabels({ airTimeMs, report: (report) => reports.push(report), now: () => new Date(clock.now) });
  const send = (barcode: string, number: number, content = `picture ${number}`, page = 0) =>
    labels.receive(labels.obtain(barcode, STORE), {
      key: `${barcode}-${page}-${number}`,
      number,
      page,
      png: Buffer.from(content),
    });
  const said = () => reports.map(({ kind, transmission }) => [kind, transmission]);
  const shown = (barcode: string, page = 0) => labels.get(barcode)?.pages.get(page);
  return { labels, clock, reports, send, said, shown };
}

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
  t.deepEqual(shown("A"), { png: Buffer.from("bread"), sha256, received: 1, acknowledgedAt: NOW });
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

test("the same key again during its transmission is one transmission", async (t) => {
  const { labels, send, said } = hangUp();
  send("A", 7);
  send("A", 7);
  t.is(labels.totals().inTheAir, 1);
  await setImmediate();
  t.deepEqual(said(), [["acknowledged", 7]]);
});

test("another key is another transmission, even of the same picture", async (t) => {
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

test("failNext: this many transmissions fail and leave the glass unchanged, and the next one arrives", async (t) => {
  const { labels, send, said, shown } = hangUp();
  labels.obtain("A", STORE);
  labels.set("A", { failNext: 2 });
  for (const number of [1, 2, 3]) {
    send("A", number);
    await setImmediate();
    t.is(shown("A") === undefined, number < 3);
  }
  t.deepEqual(said(), [
    ["failed", 1],
    ["failed", 2],
    ["acknowledged", 3],
  ]);
  t.is(labels.totals().received, 1);
});

test("the key of a failed transmission is transmitted again", async (t) => {
  const { labels, reports, send, said } = hangUp();
  labels.obtain("A", STORE);
  labels.set("A", { failNext: 1 });
  send("A", 7);
  await setImmediate();
  t.truthy(reports[0]?.reason);
  send("A", 7);
  await setImmediate();
  t.deepEqual(said(), [
    ["failed", 7],
    ["acknowledged", 7],
  ]);
});

test("an offline label is silent, and receives everything in order when it is back", async (t) => {
  const { labels, send, said, shown } = hangUp();
  labels.obtain("A", STORE);
  labels.set("A", { offline: true });
  send("A", 1);
  send("A", 2);
  await setImmediate();
  t.deepEqual(said(), []);
  t.is(shown("A"), undefined);
  t.is(labels.totals().inTheAir, 2);

  labels.set("A", { offline: false });
  t.deepEqual(said(), [
    ["acknowledged", 1],
    ["acknowledged", 2],
  ]);
  t.is(String(shown("A")?.png), "picture 2");
  t.is(labels.totals().inTheAir, 0);
});

test("an offline label wakes once: delivered pictures are not delivered again", async (t) => {
  const { labels, send, said } = hangUp();
  labels.obtain("A", STORE);
  labels.set("A", { offline: true });
  send("A", 1);
  await setImmediate();
  labels.set("A", { offline: false });
  labels.set("A", { offline: false });
  t.deepEqual(said(), [["acknowledged", 1]]);
});

test("a change that does not name offline keeps a label offline", async (t) => {
  const { labels, send, said } = hangUp();
  labels.obtain("A", STORE);
  labels.set("A", { offline: true });
  send("A", 1);
  await setImmediate();
  labels.set("A", { failNext: 0 });
  t.deepEqual(said(), []);
});

test("a battery's state is reported when it is set, and with every later report", async (t) => {
  const { labels, reports, send } = hangUp();
  labels.obtain("A", STORE);
  labels.set("A", { battery: "LOW" });
  send("A", 1);
  await setImmediate();
  t.deepEqual(
    reports.map(({ kind, battery }) => [kind, battery]),
    [
      ["check-in", "LOW"],
      ["acknowledged", "LOW"],
    ],
  );
});

test("a setting changes only the named label, and the response has the number of changed labels", async (t) => {
  const { labels, send, said } = hangUp();
  labels.obtain("A", STORE);
  labels.obtain("B", STORE);
  t.is(labels.set("A", { failNext: 1 }), 1);
  t.is(labels.set("nobody", { failNext: 1 }), 0);
  send("B", 1);
  await setImmediate();
  t.deepEqual(said(), [["acknowledged", 1]]);
});

for (const [name, change, expected] of [
  ["failNext", { failNext: 1 }, { failNext: 1 }],
  ["offline", { offline: true }, { offline: true }],
  ["battery", { battery: "LOW" }, { battery: "LOW" }],
  ["airTimeMs", { airTimeMs: 900 }, { airTimeMs: 900 }],
] as const) {
  test(`* sets ${name} of all labels, including future ones`, (t) => {
    const { labels } = hangUp();
    labels.obtain("A", STORE);
    labels.obtain("B", STORE);
    t.is(labels.set("*", change), 2);
    for (const barcode of ["A", "B", "C"]) t.like(labels.obtain(barcode, STORE), expected, barcode);
  });
}

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

test.serial("a transmission takes its label's air time", (t) => {
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

test("a segment label shows a text instead of a picture and acknowledges it the same way", async (t) => {
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

test("a reader with a count of changes gets the labels that changed since, and one without gets all", async (t) => {
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
