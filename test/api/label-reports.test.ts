import test from "ava";
import type { LabelReport } from "../../schemas/label-report.ts";
import { eventually } from "../harness/eventually.ts";
import { labelFor } from "../harness/glass.ts";
import { servedStack } from "../harness/served-stack.ts";
import { pointersOf, readLabel, refused, writeLabels } from "./calls.ts";

const shelfwire = servedStack({ workers: ["link", "transmitter"] });

const SECRET = "Bearer a secret for label servers";

const send = (body: unknown, authorization = SECRET) =>
  fetch(`${shelfwire.origin}/label-server/v1/reports`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(authorization && { authorization }) },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** Returns a label's check-in on a day in July. */
const checkIn = (barcode: string, day: number, more: Partial<LabelReport> = {}): LabelReport => ({
  store: "t/demo/s/main",
  barcode,
  kind: "check-in",
  at: `2026-07-${String(day).padStart(2, "0")}T10:00:00.000Z`,
  ...more,
});

/** Creates a label and reports its check-ins, latest first (their order does not matter); waits until they are stored. */
async function report(name: string, reports: (barcode: string) => LabelReport[]) {
  const barcode = labelFor(name);
  await writeLabels(shelfwire, [{ barcode }]);
  const last = checkIn(barcode, 31, { hardwareRevision: "the last" });
  await send({ reports: [...reports(barcode), last].toReversed() });
  return eventually(`the reports of ${name} are stored`, async () => {
    const label = await readLabel(shelfwire, barcode);
    return label.hardwareRevision === "the last" && label;
  });
}

test("a call without the label server's secret returns 401", async (t) => {
  const body = { reports: [checkIn(labelFor("a"), 1)] };
  for (const authorization of ["", "Bearer", "Bearer another secret", SECRET.slice(7), `${SECRET}!`]) {
    const answer = await send(body, authorization);
    t.is(answer.headers.get("www-authenticate"), 'Bearer realm="shelfwire"');
    await refused(t, answer, 401);
  }
});

test("a caller's token is not the label server's secret", async (t) => {
  const body = { reports: [checkIn(labelFor("a"), 1)] };
  await refused(t, await send(body, `Bearer ${await shelfwire.token()}`), 401);
});

test("the secret is checked before the body is read", async (t) => {
  await refused(t, await send("{", "Bearer another secret"), 401);
});

test("every invalid field of the reports is listed in one response, each with its path", async (t) => {
  const good = checkIn(labelFor("a"), 1);
  const reports = [
    { ...good, kind: "rumour", battery: "FULL", barcode: 7, page: "0" },
    { ...good, store: "main", transmission: 1.5, reason: "x".repeat(1025) },
    {},
    good,
  ];
  t.deepEqual(pointersOf(await refused(t, await send({ reports }), 400)), [
    "/reports/0/barcode",
    "/reports/0/battery",
    "/reports/0/kind",
    "/reports/0/page",
    "/reports/1/reason",
    "/reports/1/store",
    "/reports/1/transmission",
    "/reports/2/at",
    "/reports/2/barcode",
    "/reports/2/kind",
    "/reports/2/store",
  ]);
});

test("a body that is not a list of 1 to 5,000 reports returns 400", async (t) => {
  const report = checkIn(labelFor("a"), 1);
  t.deepEqual(pointersOf(await refused(t, await send({ reports: [] }), 400)), ["/reports"]);
  t.deepEqual(pointersOf(await refused(t, await send({}), 400)), ["/reports"]);
  t.deepEqual(pointersOf(await refused(t, await send({ reports: Array(5001).fill(report) }), 400)), ["/reports"]);
  await refused(t, await send([report]), 400);
  await refused(t, await send("{"), 400);
});

test("a body over 4 MiB returns 413", async (t) => {
  await refused(t, await send(`[${" ".repeat(4 * 2 ** 20)}]`), 413);
});

test("valid reports return 204", async (t) => {
  const answer = await send({ reports: [checkIn(labelFor("a"), 1), checkIn(labelFor("b"), 1, { battery: "OK" })] });
  t.is(answer.status, 204);
  t.is(await answer.text(), "");
});

test("a report of an unknown transmission is accepted and changes no picture", async (t) => {
  const label = await report("impostor", (barcode) => [
    checkIn(barcode, 2, { kind: "acknowledged", transmission: 7, page: 0 }),
  ]);
  t.deepEqual([label.plState, label.lastOkUpdate, label.lastDisplayUpdate], ["NEW", null, null]);
});

test("a label shows the facts that it reported: battery, hardware, transceiver", async (t) => {
  const label = await report("heard", (barcode) => [checkIn(barcode, 2, { battery: "OK", transceiver: "T2" })]);
  const { batteryState, batteryStateChanged, batteryStateLastConfirmed, lowBatteryDate, lastTrxList } = label;
  t.deepEqual(
    { batteryState, batteryStateChanged, batteryStateLastConfirmed, lowBatteryDate, lastTrxList },
    {
      batteryState: "OK",
      batteryStateChanged: "2026-07-02 12:00:00",
      batteryStateLastConfirmed: "2026-07-02 12:00:00",
      lowBatteryDate: null,
      lastTrxList: "T2",
    },
  );
});

test("lowBatteryDate is the start of the current LOW, and batteryStateFirstEnteredLow the start of the first LOW", async (t) => {
  const label = await report("weak", (barcode) => [
    checkIn(barcode, 1, { battery: "OK" }),
    checkIn(barcode, 2, { battery: "LOW" }),
    checkIn(barcode, 3, { battery: "OK" }),
    checkIn(barcode, 4, { battery: "LOW" }),
    checkIn(barcode, 5, { battery: "LOW" }),
  ]);
  const { batteryState, batteryStateChanged, batteryStateLastConfirmed } = label;
  const { lowBatteryDate, batteryStateFirstEnteredLow } = label;
  t.deepEqual(
    { batteryState, batteryStateChanged, batteryStateLastConfirmed, lowBatteryDate, batteryStateFirstEnteredLow },
    {
      batteryState: "LOW",
      batteryStateChanged: "2026-07-04 12:00:00",
      batteryStateLastConfirmed: "2026-07-05 12:00:00",
      lowBatteryDate: "2026-07-04 12:00:00",
      batteryStateFirstEnteredLow: "2026-07-02 12:00:00",
    },
  );
});

test("lowBatteryDate returns to null when the battery is OK", async (t) => {
  const label = await report("new battery", (barcode) => [
    checkIn(barcode, 1, { battery: "LOW" }),
    checkIn(barcode, 2, { battery: "OK" }),
  ]);
  t.deepEqual([label.batteryState, label.lowBatteryDate], ["OK", null]);
  t.is(label.batteryStateFirstEnteredLow, "2026-07-01 12:00:00");
});

test("lastTrxList lists the newest transceivers first, each transceiver once, at most 8", async (t) => {
  const label = await report("wandering", (barcode) =>
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 3].map((transceiver, index) =>
      checkIn(barcode, index + 1, { transceiver: `T${transceiver}` }),
    ),
  );
  t.is(label.lastTrxList, "T3,T9,T8,T7,T6,T5,T4,T2");
});

test("an invalid time in a report returns 400", async (t) => {
  const reports = [{ ...checkIn(labelFor("a"), 1), at: "yesterday" }];
  t.deepEqual(pointersOf(await refused(t, await send({ reports }), 400)), ["/reports/0/at"]);
});

test("a report creates its label if the barcode and type are known", async (t) => {
  const [valid, unknown] = [labelFor("reported"), labelFor("of no known type", "9999")];
  await send({ reports: [checkIn(unknown, 1), checkIn("X", 1), checkIn(valid, 1)] });
  const label = await eventually("the label exists", () => readLabel(shelfwire, valid));
  t.is(label.barcode, valid);
  t.is(label.plState, "NEW");
  await refused(t, await shelfwire.call("GET", `/labels/${unknown}`), 404);
});

test("reports that are not JSON return 415, and too many return 413 with their own limit", async (t) => {
  const post = (body: string, type: string) =>
    fetch(`${shelfwire.origin}/label-server/v1/reports`, {
      method: "POST",
      body,
      headers: { authorization: SECRET, "content-type": type },
    });
  await refused(t, await post("{}", "text/plain"), 415);
  const { detail } = await refused(t, await post(`[${" ".repeat(4 * 2 ** 20)}]`, "application/json"), 413);
  t.regex(detail, /4 MiB/);
});
