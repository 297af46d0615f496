import { setImmediate } from "node:timers/promises";
import test from "ava";
import { hangUp, STORE } from "./hang-up.ts";

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

test("a failed transmission is sent again when its key is repeated", async (t) => {
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

test("an offline label is silent, and receives the newest picture of each page when it is online again", async (t) => {
  const { labels, send, said, shown } = hangUp();
  labels.obtain("A", STORE);
  labels.set("A", { offline: true });
  send("A", 1);
  send("A", 2);
  send("A", 3, "page", 1);
  await setImmediate();
  t.deepEqual(said(), []);
  t.is(shown("A"), undefined);
  t.is(labels.totals().inTheAir, 2);

  labels.set("A", { offline: false });
  t.deepEqual(said(), [
    ["acknowledged", 2],
    ["acknowledged", 3],
  ]);
  t.deepEqual([String(shown("A")?.png), shown("A")?.received], ["picture 2", 1]);
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

test("a setting changes only the named label, and the response contains the number of changed labels", async (t) => {
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
  test(`* sets ${name} for all labels, including future ones`, (t) => {
    const { labels } = hangUp();
    labels.obtain("A", STORE);
    labels.obtain("B", STORE);
    t.is(labels.set("*", change), 2);
    for (const barcode of ["A", "B", "C"]) t.like(labels.obtain(barcode, STORE), expected, barcode);
  });
}
