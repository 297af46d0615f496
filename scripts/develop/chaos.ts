import { appendFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettings, refuse } from "../../runtime/read-settings.ts";
import { type Driver, drivers } from "../../schemas/label-server.ts";
import { readItems } from "../operate/import/read-items.ts";
import { onFreePort } from "../start/ports.ts";
import { startMongo } from "../start/servers.ts";
import { runDriverChaos } from "./chaos/drivers/run-driver-chaos.ts";
import { inSeconds, runChaos } from "./chaos/run-chaos.ts";
import { runEachFault } from "./chaos/run-each-fault.ts";
import { runPackChange } from "./chaos/run-pack-change.ts";
import { readCommandLine } from "./command-line.ts";

/**
 * Sends a whole price list under faults: `npm run chaos -- --seed 1 [--file LIST.csv] [--seconds 60] [--trace FILE]`,
 * with what waits at each look after the last fault as lines of JSON in FILE. With `--each 300` one fault after the other
 * strikes a list of so many rows: what each of them has the labels wait for. With `--links 100000` a pack is changed twice
 * over that many links while the evaluator is killed. With `--driver mqtt` the list goes through that driver while calls and reports
 * are lost, repeated and reordered, and what is between Shelfwire and the labels restarts. Exit code 1 if anything is lost.
 */
const { SHELFWIRE_DATA, MONGODB_URL } = readSettings(["SHELFWIRE_DATA"], ["MONGODB_URL"]);
const { options: values } = readCommandLine("npm run chaos --", {
  arguments: [],
  means: "send whole price lists while faults occur; exit code 1 if anything is lost",
  options: {
    seed: { takes: "NUMBER", initial: "1", means: "seed of the faults" },
    file: { takes: "LIST.csv", initial: `${SHELFWIRE_DATA}/0204.csv`, means: "CSV file with the price list" },
    seconds: { takes: "SECONDS", initial: "60", means: "how long faults occur" },
    trace: { takes: "FILE", means: "print what is waiting at each check after the last fault, as lines of JSON" },
    each: { takes: "ROWS", means: "apply one fault after the other to a list of this many rows" },
    driver: {
      takes: "DRIVER",
      isRepeated: true,
      means: `send the list to a store behind this driver while everything in the air fails: ${drivers.join(", ")}`,
    },
    links: { takes: "LINKS", means: "change a pack twice over this many links while the evaluator is killed" },
  },
});
const chosenDrivers = readDrivers(values.driver);
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
  return chosenDrivers.length > 0 ? failInTheAir(chosenDrivers) : sendPriceLists();
}

/** Ends the process if a name is not a driver's, before anything starts. */
function readDrivers(names: readonly string[]): Driver[] {
  const unknown = names.find((name) => !drivers.some((driver) => driver === name));
  if (unknown !== undefined) refuse(`--driver must be one of ${drivers.join(", ")}, not "${unknown}"`);
  return drivers.filter((driver) => names.includes(driver));
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
