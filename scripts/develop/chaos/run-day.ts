import { setTimeout } from "node:timers/promises";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { labelsBehind } from "../../../api/management/integrity/report.ts";
import type { System } from "../../../queues/system.ts";
import { stores } from "../../../records/kinds/tenants.ts";
import { explanationOf } from "../../operate/admin/commands/labels.ts";
import { createCaller } from "../load/caller.ts";
import type { Day } from "../load/plan/plan-calls.ts";
import type { LoadReport } from "../load/report/report.ts";
import { runLoad } from "../load/run-load.ts";
import { OWN_TYPE } from "../load/set-up.ts";
import { auditEverything } from "./audit-everything.ts";
import { withChaosStack } from "./chaos-stack.ts";
import { type Fault, killsOf, runFaults } from "./faults.ts";
import { isIdle, readWaiting, waitingText } from "./waiting.ts";

interface Options {
  day: Day;
  mongoUrl: string;
  log(what: string): void;
}

/** The report of the load, and the findings: each entry of `wrong` is something that is lost, stale or grows. */
export interface DayFindings {
  report: LoadReport;
  wrong: string[];
}

const KILL_INTERVAL_MS = 20_000;
const PREFIX = "load-";
const METRICS_TOKEN = "the-token-of-chaos-for-metrics";
/** How long results and pictures may take after the last call, on a machine that is too small for the day. */
const PATIENCE_MS = 300_000;
const CALM_TIMEOUT_MS = 300_000;
const POLL_INTERVAL_MS = 1_000;
/** In its second half a day may need this much more memory than in its first. */
const MAX_GROWTH = 1.25;
/** Fewer readings than these say nothing about a course. */
const MIN_READINGS = 12;

/**
 * Plays a day of the load test while every 20 seconds one process is killed and Redis loses its data once. At the end no result and
 * no picture may be missing, no label may be behind, an audit must find nothing, and memory must not have grown.
 */
export const runDay = ({ day, mongoUrl, log }: Options): Promise<DayFindings> =>
  withChaosStack(
    { mongoUrl, log, environment: { METRICS_TOKEN } },
    async ({ stack, system, platformToken, victims }) => {
      let happening = Promise.resolve();
      const { report } = await runLoad({
        ...{ day, prefix: PREFIX, tenants: 1, tenantId: undefined, labelType: String(OWN_TYPE) },
        ...{ origin: stack.origin, caller: createCaller(stack.origin, platformToken) },
        ...{ patienceMs: PATIENCE_MS, metricsToken: METRICS_TOKEN, progress: () => () => {} },
        onSetUp: () => {
          log(`${day.stores} stores with ${day.labels} labels each are set up`);
          happening = runFaults(planKills(killsOf(victims), day.seed, day.durationMs), log);
          // Awaited below, once the day is over.
          happening.catch(() => {});
        },
      });
      await happening;
      await untilIdle(system, log);
      const readings = report.resources?.residentBytes;
      if (readings && readings.length < MIN_READINGS) log("the day was too short to say whether memory grows");
      const wrong = [...findLost(report), ...(await findBehind(system)), ...findGrowth(readings)];
      return { report, wrong };
    },
  );

/** Kills at equal intervals, each of another process until all had their turn, and one FLUSHALL in the middle of the day. */
export function planKills(
  { web, workers, flush }: ReturnType<typeof killsOf>,
  seed: number,
  milliseconds: number,
): Fault[] {
  const random = xoroshiro128plus(seed);
  const faults: Fault[] = [{ at: milliseconds / 2, ...flush }];
  let left: Omit<Fault, "at">[] = [];
  for (let at = KILL_INTERVAL_MS; at < milliseconds; at += KILL_INTERVAL_MS) {
    if (left.length === 0) left = [web, ...workers];
    faults.push(...left.splice(uniformInt(random, 0, left.length - 1), 1).map((kill) => ({ at, ...kill })));
  }
  return faults.sort((one, other) => one.at - other.at);
}

async function untilIdle(system: System, log: (what: string) => void): Promise<void> {
  const deadline = performance.now() + CALM_TIMEOUT_MS;
  let waiting = await readWaiting(system);
  while (!isIdle(waiting) && performance.now() < deadline) {
    await setTimeout(POLL_INTERVAL_MS);
    waiting = await readWaiting(system);
  }
  if (!isIdle(waiting)) log(`work is left: ${waitingText(waiting)}`);
}

/** Accepted changes without a complete result or without their picture. */
const findLost = ({ kinds }: LoadReport): string[] =>
  Object.entries(kinds).flatMap(([kind, { incomplete, missingOnGlass }]) => [
    ...(incomplete > 0 ? [`${incomplete} results of accepted calls (${kind}) are not complete`] : []),
    ...(missingOnGlass > 0 ? [`${missingOnGlass} pictures of accepted calls (${kind}) are not on their labels`] : []),
  ]);

/** Labels that do not show the newest picture, and what audits of their stores find. */
async function findBehind(system: System): Promise<string[]> {
  const wrong: string[] = [];
  for await (const batch of system.records.scanKeys(stores, `t/${PREFIX}1/s/`))
    for (const store of batch) {
      wrong.push(...(await auditEverything(system, store)).map((found) => `${store}: ${found}`));
      for await (const { rows } of labelsBehind(explanationOf(system), store, system.now(), (date) =>
        date.toISOString(),
      ))
        wrong.push(...rows.map(({ barcode, reason }) => `${store}: label ${barcode} is behind: ${reason}`));
    }
  return wrong;
}

/** Whether readings of a memory, in bytes, are higher in their second half than a little above their first. */
export function findGrowth(readings: readonly number[] | undefined): string[] {
  if (readings === undefined) return ["the memory of the processes could not be read"];
  if (readings.length < MIN_READINGS) return [];
  const half = Math.ceil(readings.length / 2);
  const [early, late] = [Math.max(...readings.slice(0, half)), Math.max(...readings.slice(half))];
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  return late > early * MAX_GROWTH
    ? [`the processes took up to ${megabytes(late)} MB in the second half, and ${megabytes(early)} MB in the first`]
    : [];
}
