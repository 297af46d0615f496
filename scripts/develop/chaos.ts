import { appendFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettings, refuse } from "../../runtime/read-settings.ts";
import { type Driver, drivers } from "../../schemas/label-server.ts";
import { countOf, Refusal } from "../operate/admin/command.ts";
import { readItems } from "../operate/import/read-items.ts";
import { onFreePort } from "../start/ports.ts";
import { startMongo } from "../start/servers.ts";
import { runDay } from "./chaos/day/run-day.ts";
import { runDriverChaos } from "./chaos/drivers/run-driver-chaos.ts";
import { runPackChange } from "./chaos/packs/run-pack-change.ts";
import { inSeconds, runChaos } from "./chaos/run-chaos.ts";
import { runEachFault } from "./chaos/run-each-fault.ts";
import { readCommandLine } from "./command-line.ts";
import type { Day } from "./load/plan/plan-calls.ts";
import { millisecondsOf, rateOf } from "./load/plan/read-amounts.ts";
import { reportLines } from "./load/report/report-lines.ts";

/**
 * Sends a whole price list under faults: `npm run chaos -- --seed 1 [--file LIST.csv] [--seconds 60] [--trace FILE]`. FILE
 * receives lines of JSON with what is waiting at each check after the last fault. With `--each 300`, one fault after another
 * strikes a list of this many rows, to measure how long each makes the labels wait. With `--links 100000`, a pack is changed
 * twice over that many links while the evaluator is killed. With `--driver mqtt`, the list goes through that driver while
 * calls and reports are lost, repeated and reordered, and the parts between Shelfwire and the labels restart. With `--day
 * 10m`, it plays a day of the load test while a process is killed every 20 seconds. Exit code 1 if anything is lost.
 */
const { SHELFWIRE_DATA, MONGODB_URL } = readSettings(["SHELFWIRE_DATA"], ["MONGODB_URL"]);
const { options: values } = readCommandLine("npm run chaos --", {
  arguments: [],
  means: "send whole price lists while faults occur; exit code 1 if anything is lost",
  options: {
    seed: { takes: "NUMBER", initial: "1", means: "seed for the faults" },
    file: { takes: "LIST.csv", initial: `${SHELFWIRE_DATA}/0204.csv`, means: "CSV file with the price list" },
    seconds: { takes: "SECONDS", initial: "60", means: "how long faults occur" },
    trace: { takes: "FILE", means: "print what is waiting at each check after the last fault, as lines of JSON" },
    each: { takes: "ROWS", means: "apply one fault after another to a list of this many rows" },
    driver: {
      takes: "DRIVER",
      isRepeated: true,
      means: `send the list to a store behind this driver while calls and reports fail: ${drivers.join(", ")}`,
    },
    links: { takes: "LINKS", means: "change a pack twice over this many links while the evaluator is killed" },
    day: {
      takes: "TIME",
      means: "play a day of npm run load that takes this long, such as 10m, with a kill every 20 s and one FLUSHALL",
    },
    stores: { takes: "NUMBER", initial: "3", means: "with --day: number of stores" },
    labels: { takes: "NUMBER", initial: "100", means: "with --day: labels of each store" },
    urgent: { takes: "RATE", initial: "1/s", means: "with --day: changes of single prices, in all stores together" },
    lists: { takes: "RATE", initial: "6/h", means: "with --day: whole lists of each store" },
  },
});
const chosenDrivers = readDrivers(values.driver);
const day = values.day === undefined ? undefined : readDay(values.day);
const log = (text: string) => process.stdout.write(`${text}\n`);
const folder = await mkdtemp(join(tmpdir(), "shelfwire-chaos-mongo-"));
const mongo = MONGODB_URL ? undefined : await onFreePort((port) => startMongo(port, folder));
const mongoUrl = MONGODB_URL ?? mongo?.url ?? "";
try {
  const wrong = await chosenChaos();
  for (const finding of wrong.slice(0, 20)) log(`  ${finding}`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
} finally {
  await mongo?.stop();
  await rm(folder, { recursive: true, force: true });
}

function chosenChaos(): Promise<string[]> {
  if (values.links) return changePacks(Number(values.links));
  if (values.each) return strikeEach(Number(values.each));
  if (day !== undefined) return playDay(day);
  return chosenDrivers.length > 0 ? failInTheAir(chosenDrivers) : sendPriceLists();
}

/** Ends the process before anything starts if a name is not a driver's. */
function readDrivers(names: readonly string[]): Driver[] {
  const unknown = names.find((name) => !drivers.some((driver) => driver === name));
  if (unknown !== undefined) refuse(`--driver must be one of ${drivers.join(", ")}, not "${unknown}"`);
  return drivers.filter((driver) => names.includes(driver));
}

/** Ends the process before anything starts if an amount is not a number. */
function readDay(lasts: string): Day {
  try {
    return {
      seed: countOf("--seed", values.seed),
      stores: countOf("--stores", values.stores),
      labels: countOf("--labels", values.labels),
      durationMs: millisecondsOf("--day", lasts),
      urgentPerMs: rateOf("--urgent", values.urgent),
      listsPerMs: rateOf("--lists", values.lists),
      flashesPerMs: 0,
      followedShare: 1,
    };
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.message);
    throw error;
  }
}

async function playDay(day: Day): Promise<string[]> {
  const { report, wrong } = await runDay({ day, mongoUrl, log });
  for (const line of reportLines(report)) log(line);
  log(`a day under kills: ${wrong.length === 0 ? "nothing lost, stale or growing" : `${wrong.length} wrong`}`);
  return wrong;
}

async function failInTheAir(chosen: readonly Driver[]): Promise<string[]> {
  const { lists, wrong } = await runDriverChaos({
    ...{ drivers: chosen, rows: await readItems(values.file), seed: Number(values.seed) },
    ...{ milliseconds: Number(values.seconds) * 1000, mongoUrl, log },
  });
  const result = wrong.length === 0 ? "every label shows the newest picture" : `${wrong.length} wrong`;
  log(`${lists} price lists through ${chosen.join(", ")}: ${result}`);
  return wrong;
}

async function sendPriceLists(): Promise<string[]> {
  const { trace } = values;
  if (trace !== undefined) writeFileSync(trace, "");
  const { rounds, wrong } = await runChaos({
    rows: await readItems(values.file),
    seed: Number(values.seed),
    milliseconds: Number(values.seconds) * 1000,
    mongoUrl,
    ...(trace !== undefined && { onLook: (look) => appendFileSync(trace, `${JSON.stringify(look)}\n`) }),
    log,
  });
  log(`${rounds} price lists under faults: ${wrong.length === 0 ? "nothing lost" : `${wrong.length} wrong`}`);
  return wrong;
}

async function strikeEach(count: number): Promise<string[]> {
  const rows = (await readItems(values.file)).slice(0, count);
  const { lateMs, wrong } = await runEachFault({ rows, mongoUrl, log });
  const [what, longest] = [...lateMs].reduce((worst, one) => (one[1] > worst[1] ? one : worst), ["", 0]);
  log(`the labels waited longest for this fault: ${what}, ${inSeconds(longest)}; ${wrong.length} wrong`);
  return wrong;
}

async function changePacks(links: number): Promise<string[]> {
  const { wrong, writes, old } = await runPackChange({ links, mongoUrl, log });
  log(
    `${links} links: ${writes} studio links published, ${old} of them before the second change; ${wrong.length} wrong`,
  );
  return wrong;
}
