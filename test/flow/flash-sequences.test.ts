import test from "ava";
import { labelTypes } from "../../records/kinds/tenants.ts";
import type { FlashSequenceAnswer } from "../../schemas/flash-sequence.ts";
import { labelTypeKey, tenantKey } from "../../schemas/keys.ts";
import type { LabelReport } from "../../schemas/label-report.ts";
import { TENANT_ID } from "../../scripts/demo/catalogue.ts";
import { bodyOf, type LabelBody, writeItems, writeLabels } from "../api/calls.ts";
import { eventually } from "../harness/eventually.ts";
import { DEMO_STORE, labelFor } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";
import { startProcess } from "../harness/processes/own-process.ts";
import { LABEL_SERVER_SECRET } from "../harness/served.ts";

const shelfwire = ownStack({ workers: ["item", "link"] });

const TYPE = "1328";

/** Hangs labels of a type with a button; returns their barcodes. */
async function hang(...names: string[]): Promise<string[]> {
  const key = labelTypeKey(tenantKey(TENANT_ID), TYPE);
  const { commit } = shelfwire.system;
  await commit.change(labelTypes, [key], (_, type) => type && { ...type, button: true }, "bulk");
  const barcodes = names.map((name) => labelFor(name, TYPE));
  await writeLabels(
    shelfwire,
    barcodes.map((barcode) => ({ barcode })),
  );
  return barcodes;
}

const start = async (body: object) =>
  bodyOf<FlashSequenceAnswer>(await shelfwire.call("POST", "/flash/sequence", body));
const read = async ({ sequenceId }: Pick<FlashSequenceAnswer, "sequenceId">) =>
  bodyOf<FlashSequenceAnswer>(await shelfwire.call("GET", `/flash/sequences/${sequenceId}`));
const flashOf = (barcode = "") => {
  const { labels } = shelfwire.labelServer;
  const label = labels.get(barcode);
  return label ? labels.flashOf(label) : null;
};
const colorOf = (barcode = "") => flashOf(barcode)?.color;
const untilLit = (barcode: string | undefined, color = "GREEN") =>
  eventually(`${barcode} flashes ${color}`, async () => colorOf(barcode) === color);
const untilDark = (barcode: string | undefined) =>
  eventually(`${barcode} stops flashing`, async () => flashOf(barcode) === null);
const untilStep = (sequence: FlashSequenceAnswer, step: number | null) =>
  eventually(`step ${step}`, async () => {
    const present = await read(sequence);
    return present.step === step && present;
  });
const press = (barcode = "", button = 1): string => {
  const { labels } = shelfwire.labelServer;
  return labels.press(labels.obtain(barcode, DEMO_STORE), button) ?? "";
};
const readLabel = async (barcode = "") =>
  bodyOf<LabelBody>(await shelfwire.call("GET", `/labels/${barcode}?serializeDatesToIso8601=true`));
const untilPressed = (barcode: string | undefined, at: string) =>
  eventually(`the press on ${barcode} is stored`, async () => {
    const { lastPress } = await readLabel(barcode);
    return lastPress !== null && Date.parse(lastPress.time) === Date.parse(at);
  });
const report = (fields: Pick<LabelReport, "barcode" | "at"> & Partial<LabelReport>) =>
  fetch(`${shelfwire.origin}/label-server/v1/reports`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${LABEL_SERVER_SECRET}` },
    body: JSON.stringify({ reports: [{ store: DEMO_STORE, kind: "check-in", ...fields }] }),
  });

test.serial("labels flash in order, each until its button is pressed, even if the transmitter is killed", async (t) => {
  const [a, b, c] = await hang("first", "second", "third");
  const first = startProcess(t, "workers/transmitter/process.ts", shelfwire.environment);
  const sequence = await start({
    steps: [
      { barcode: a, color: "#ff0000", duration: 1800 },
      { barcode: b, color: "#0000ff", duration: 1800 },
      { barcode: c, duration: 900 },
    ],
  });
  t.like(sequence, { state: "running", advance: "button", step: 0, endedAt: null });
  await untilLit(a, "RED");
  t.is(flashOf(b), null);

  const wrong = press(c);
  await untilPressed(c, wrong);
  const at = press(a, 2);
  await untilLit(b, "BLUE");
  await untilDark(a);
  const [ended] = (await untilStep(sequence, 1)).steps;
  t.like(ended, { barcode: a, result: "pressed", pressed: { barcode: a, button: 2 } });

  // The label server reports the press again, and then the next label's press while no transmitter runs.
  process.kill(first.pid, "SIGKILL");
  await first.ended;
  await report({ barcode: a ?? "", at, press: { button: 2, at } });
  const second = press(b);
  await eventually(
    "the reports are stored",
    async () => (await shelfwire.system.db.collection("report").countDocuments()) > 0,
  );
  const worker = await shelfwire.openWorker("transmitter");
  t.teardown(() => worker.close());
  await untilLit(c);
  await untilDark(b);
  await untilPressed(b, second);
  t.like(await untilStep(sequence, 2), { state: "running", steps: { 2: { result: null } } });

  press(c);
  await untilDark(c);
  const finished = await untilStep(sequence, null);
  t.is(finished.state, "finished");
  t.deepEqual(
    finished.steps.map(({ result }) => result),
    ["pressed", "pressed", "pressed"],
  );
});

test.serial(
  "a step that names an item flashes all of its labels, and a timed sequence continues without a press",
  async (t) => {
    const [a, b, c] = await hang("of the item", "also of the item", "after the item");
    const worker = await shelfwire.openWorker("transmitter");
    t.teardown(() => worker.close());
    await writeItems(shelfwire, [{ itemId: "picked", price: "1.00" }]);
    await writeLabels(
      shelfwire,
      [a, b].map((barcode) => ({ barcode: barcode ?? "", links: [{ itemId: "picked" }] })),
    );
    const steps = [
      { itemId: "picked", duration: 1 },
      { barcode: c, duration: 1, color: "#ffff00" },
    ];
    const sequence = await start({ advance: "time", steps });
    t.deepEqual(sequence.steps[0]?.barcodes.toSorted(), [a, b].toSorted() as string[]);
    const finished = await untilStep(sequence, null);
    t.deepEqual(
      finished.steps.map(({ result }) => result),
      ["time over", "time over"],
    );
  },
);

test.serial("one call stops a sequence by its id, and another stops everything in the store", async (t) => {
  const [a, b, c] = await hang("stopped", "never reached", "flashing by itself");
  const worker = await shelfwire.openWorker("transmitter");
  t.teardown(() => worker.close());
  const stopped = await start({ steps: [{ barcode: a, duration: 1800 }, { barcode: b }] });
  await untilLit(a);
  const answer = await bodyOf<FlashSequenceAnswer>(
    await shelfwire.call("DELETE", `/flash/sequences/${stopped.sequenceId}`),
  );
  t.like(answer, { state: "stopped", step: null, steps: { 0: { result: "stopped" }, 1: { result: null } } });
  await untilDark(a);

  const running = await start({ steps: [{ barcode: a, duration: 1800 }, { barcode: b }] });
  await shelfwire.call("POST", `/labels/${c}/flash`, { duration: 1800, color: "#ff0000" });
  await untilLit(a);
  await untilLit(c, "RED");
  const one = await bodyOf<object>(await shelfwire.call("POST", "/flash/stop", { barcodes: [c] }));
  t.deepEqual(one, { labels: 1, sequences: 0 });
  await untilDark(c);
  t.is((await read(running)).state, "running");
  await shelfwire.call("POST", `/labels/${c}/flash`, { duration: 1800, color: "#ff0000" });
  await untilLit(c, "RED");
  t.like(await bodyOf<object>(await shelfwire.call("POST", "/flash/stop")), { sequences: 1 });
  await untilDark(a);
  await untilDark(c);
  t.is((await read(running)).state, "stopped");
  t.is(flashOf(b), null);
});

test.serial("a temperature is shown with its time, and a press with its button", async (t) => {
  const [barcode = ""] = await hang("warm");
  const worker = await shelfwire.openWorker("transmitter");
  t.teardown(() => worker.close());
  const at = new Date().toISOString();
  t.is((await report({ barcode, at, press: { button: 3, at }, sensors: { temperature: -18.5 } })).status, 204);
  const { lastPress, sensors } = await eventually("the report is applied", async () => {
    const label = await readLabel(barcode);
    return label.lastPress !== null && label;
  });
  t.is(lastPress?.button, 3);
  t.is(sensors.temperature?.value, -18.5);
});

test.serial("a step names one label or item that exists, and every fault of the steps is listed", async (t) => {
  const [a] = await hang("exists");
  const answer = await shelfwire.call("POST", "/flash/sequence", {
    steps: [{ barcode: a }, { barcode: "NONE" }, { itemId: "none" }, {}, { barcode: a, itemId: "none" }],
  });
  t.is(answer.status, 400);
  const { errors } = (await answer.json()) as { errors: { pointer: string }[] };
  t.deepEqual(
    errors.map(({ pointer }) => pointer),
    ["/steps/1/barcode", "/steps/2/itemId", "/steps/3", "/steps/4"],
  );
  t.is((await shelfwire.call("GET", "/flash/sequences/none")).status, 404);
  t.is((await shelfwire.call("DELETE", "/flash/sequences/none")).status, 404);
});
