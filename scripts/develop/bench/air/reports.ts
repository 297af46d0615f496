import { MongoClient } from "mongodb";
import { openChoices } from "../../../../queues/publish/choices.ts";
import { openGlassLog } from "../../../../records/glass-log.ts";
import { labelStates } from "../../../../records/kinds/labels.ts";
import { openReportInbox } from "../../../../records/outbox/report-inbox.ts";
import { inBatches } from "../../../../schemas/in-batches.ts";
import { idOf, ownerOf } from "../../../../schemas/keys.ts";
import type { LabelReport } from "../../../../schemas/label-report.ts";
import { createLabelStates } from "../../../../workers/transmitter/label-states.ts";
import { createTakeReports } from "../../../../workers/transmitter/reports/take-reports.ts";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { bareInserts } from "../bare-stages.ts";
import { median, printRow, spentBetween, usageOfProcesses } from "../report.ts";
import { type Air, openAir } from "./open-air.ts";

const SERVERS = 200;
const LABELS_PER_SERVER = 20;
const ROUNDS = 3;
const REPORTS_PER_CALL = 1_000;

/**
 * Measures the rate of reports, compared with bare writes of the same documents. A part of `air` that can also run by itself.
 */
export async function benchReports(demo: DemoStack, database: string): Promise<void> {
  const air = await openAir(demo, database, SERVERS);
  try {
    await applyReports(air, demo, database);
  } finally {
    await air.close();
  }
}

/** Stores a report for every label as the API would, and makes the transmitter apply the reports. */
export async function applyReports(air: Air, { stack }: DemoStack, database: string): Promise<void> {
  const { system } = air;
  await air.forgetLabels();
  const keys = air.labelsOf(LABELS_PER_SERVER);
  const inbox = openReportInbox(system.db, system.now);
  const takeReports = createTakeReports({ ...system, ...openStates(air), reportInbox: inbox });
  const mongo = new MongoClient(stack.mongo.url);
  const [applied, bare]: [Spent[], Spent[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const reports = await acknowledgedPictures(air, keys);
    const report = await measured(stack, async () => {
      const began = performance.now();
      for (const call of inBatches(reports, REPORTS_PER_CALL)) await inbox.add(call);
      await takeReports();
      return performance.now() - began;
    });
    const write = await measured(stack, async () => {
      const seconds =
        (await bareInserts(mongo, database, labelStates.name)) +
        (await bareInserts(mongo, database, "glass", keys.length));
      return seconds * 1_000;
    });
    process.stderr.write(`     round ${round}: reports ${report.text}; bare ${write.text}\n`);
    if (round > 0) applied.push(report);
    if (round > 0) bare.push(write);
  }
  await mongo.close();
  const rateOf = (spent: Spent[], field: "took" | "cpu") =>
    (keys.length * 1_000) / median(spent.map((one) => one[field]));
  for (const [field, by] of [
    ["took", ""],
    ["cpu", ", by processor time of this process and MongoDB"],
  ] as const)
    printRow({
      what: `${keys.length} reports applied${by}`,
      against: "bare bulkWrite of the same documents (states, and entries of the glass log)",
      rate: rateOf(applied, field),
      baseline: rateOf(bare, field),
      unit: "reports",
      minRatio: 0.5,
    });
}

/** Milliseconds of wall-clock time and of processor time. */
interface Spent {
  took: number;
  cpu: number;
}

function openStates({ system, transmit }: Air) {
  return createLabelStates(
    system.records,
    async (labelKeys) => ({
      known: [...labelKeys],
      states: await system.records.read(labelStates, labelKeys),
      types: new Map(),
    }),
    transmit,
    {
      ...system,
      glassLog: openGlassLog(system.db),
      choices: openChoices(system.redis, () => {}),
      careOfTypes: async () => new Map(),
      noteBoot: () => {},
      takeSignals: async () => {},
      announceBatteries: async () => {},
    },
  );
}

/** Sends a new picture to each label. Returns the reports that acknowledge them. */
async function acknowledgedPictures(air: Air, keys: readonly string[]): Promise<LabelReport[]> {
  await air.behave({ hanging: 0, answerMs: 0 });
  await air.want(keys);
  await air.untilArrived(keys);
  const inFlight = await air.system.records.read(labelStates, keys);
  const at = new Date().toISOString();
  return keys.map((key) => {
    const { sending } = inFlight.get(key) ?? {};
    const of = { store: ownerOf(key), barcode: idOf(key), page: 0, transmission: sending?.number ?? 0 };
    return { ...of, kind: "acknowledged", at, battery: "OK" };
  });
}

/** Runs work that returns its duration in milliseconds. Adds the processor time of this process and of MongoDB. */
async function measured({ mongo }: DemoStack["stack"], work: () => Promise<number>) {
  const usage = () =>
    usageOfProcesses([
      ["this process", process.pid],
      ["MongoDB", mongo.server?.pid()],
    ]);
  const before = usage();
  const took = await work();
  const spent = spentBetween(before, usage());
  const texts = spent.map(({ name, cpu }) => `${name} ${cpu.toFixed(2)} s`);
  const cpu = spent.reduce((sum, one) => sum + one.cpu, 0) * 1_000;
  return { took, cpu, text: [`${took.toFixed(0)} ms`, ...texts].join(", ") };
}
