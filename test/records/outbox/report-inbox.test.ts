import test from "ava";
import { openReportInbox } from "../../../records/outbox/report-inbox.ts";
import type { LabelReport } from "../../../schemas/label-report.ts";
import { ownDatabase } from "../../harness/own.ts";

const database = ownDatabase();
const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const report = (barcode: string): LabelReport => ({
  store: "t/demo/s/main",
  barcode,
  kind: "check-in",
  at: at(0).toISOString(),
});

/** A report as a process takes it, with the time at which it was stored. */
const received = (barcode: string, second: number) => ({ ...report(barcode), receivedAt: at(second) });

test.serial("reports are taken oldest first, by one process at a time, until they are removed", async (t) => {
  let now = at(0);
  const inbox = openReportInbox(database.db, () => now);
  for (const [second, barcode] of ["a", "b", "c"].entries()) {
    now = at(second);
    t.true(await inbox.add([report(barcode)]));
  }
  const taken = await inbox.take(2, 60_000);
  t.deepEqual(
    taken.map(({ reports }) => reports),
    [[received("a", 0)], [received("b", 1)]],
  );
  const [first, second] = taken.map(({ _id }) => _id);
  t.deepEqual(
    (await inbox.take(9, 60_000)).map(({ reports }) => reports),
    [[received("c", 2)]],
  );
  await inbox.remove([first ?? ""]);
  t.deepEqual(await inbox.take(9, 60_000), []);
  now = at(100);
  await inbox.putOff(second ?? "", [report("z")], at(200));
  t.deepEqual(
    (await inbox.take(9, 60_000)).map(({ reports }) => reports),
    [[received("c", 2)]],
    "its lease is over",
  );
  now = at(201);
  t.true((await inbox.take(9, 60_000)).some(({ reports }) => reports[0]?.barcode === "z"));
});

test.serial("one batch is taken at a time, oldest first, until none is due", async (t) => {
  await database.db.collection("report").deleteMany({});
  let now = at(0);
  const inbox = openReportInbox(database.db, () => now);
  for (const [second, barcode] of ["a", "b"].entries()) {
    now = at(second);
    await inbox.add([report(barcode)]);
  }
  const takes = [await inbox.take(1, 60_000), await inbox.take(1, 60_000), await inbox.take(1, 60_000)];
  t.deepEqual(
    takes.map((taken) => taken.map(({ reports }) => reports[0]?.barcode)),
    [["a"], ["b"], []],
  );
  now = at(100);
  t.is((await inbox.take(9, 60_000)).length, 2, "their leases are over");
});

test.serial("a full inbox accepts no more reports until some are removed", async (t) => {
  await database.db.collection("report").deleteMany({});
  let now = at(0);
  const inbox = openReportInbox(database.db, () => now, 2);
  t.true(await inbox.add([report("a")]));
  now = at(2);
  t.true(await inbox.add([report("b")]));
  now = at(4);
  t.false(await inbox.add([report("c")]));
  await inbox.remove((await inbox.take(9, 60_000)).map(({ _id }) => _id));
  now = at(6);
  t.true(await inbox.add([report("c")]));
});

test.serial("a process whose clock is behind takes stored reports immediately", async (t) => {
  await database.db.collection("report").deleteMany({});
  await openReportInbox(database.db, () => at(100)).add([report("a")]);
  t.is((await openReportInbox(database.db, () => at(90)).take(9, 60_000)).length, 1);
});

test.serial("processes that take at the same time share the batches, and none is taken twice", async (t) => {
  await database.db.collection("report").deleteMany({});
  const inboxes = [1, 2, 3, 4].map(() => openReportInbox(database.db, () => at(0)));
  const barcodes = Array.from({ length: 40 }, (_, index) => `shared ${index}`);
  for (const barcode of barcodes) await inboxes[0]?.add([report(barcode)]);
  const taken: string[] = [];
  while (taken.length < barcodes.length) {
    const together = await Promise.all(inboxes.map((inbox) => inbox.take(16, 60_000)));
    for (const { reports } of together.flat()) taken.push(...reports.map(({ barcode }) => barcode));
  }
  t.deepEqual(taken.sort(), barcodes.sort());
});
