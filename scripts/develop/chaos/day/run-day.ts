import { setTimeout } from "node:timers/promises";
import { labelsBehind } from "../../../../api/management/integrity/report.ts";
import type { System } from "../../../../queues/system.ts";
import { stores } from "../../../../records/kinds/tenants.ts";
import { explanationOf } from "../../../operate/admin/commands/labels.ts";
import { createCaller } from "../../load/caller.ts";
import type { Day } from "../../load/plan/plan-calls.ts";
import type { LoadReport } from "../../load/report/report.ts";
import { runLoad } from "../../load/run-load.ts";
import { OWN_TYPE } from "../../load/set-up.ts";
import { auditEverything } from "../audit-everything.ts";
import { withChaosStack } from "../chaos-stack.ts";
import { killsOf, runFaults } from "../faults.ts";
import { isIdle, readWaiting, waitingText } from "../waiting.ts";
import { findGrowth, MIN_READINGS } from "./find-growth.ts";
import { planKills } from "./plan-kills.ts";

interface Options {
  day: Day;
  mongoUrl: string;
  log(what: string): void;
}

/** The load report, and the findings: each entry of `wrong` is something that is lost, stale or growing. */
export interface DayFindings {
  report: LoadReport;
  wrong: string[];
}

const PREFIX = "load-";
const METRICS_TOKEN = "the-token-of-chaos-for-metrics";
/** How long results and pictures may take after the last call, on a machine that is too small for the day. */
const PATIENCE_MS = 300_000;
const CALM_TIMEOUT_MS = 300_000;
const POLL_INTERVAL_MS = 1_000;

/**
 * Plays a day of the load test while a process is killed every 20 seconds and Redis loses its data once. At the end, every
 * result and every picture must have arrived, no label may be behind, an audit must find nothing, and memory must not have
 * grown.
 */
export const runDay = ({ day, mongoUrl, log }: Options): Promise<DayFindings> =>
  withChaosStack(
    { mongoUrl, log, environment: { METRICS_TOKEN } },
    async ({ stack, system, platformToken, victims }) => {
      let happening = Promise.resolve();
      const ending = new AbortController();
      const { report } = await runLoad({
        ...{ day, prefix: PREFIX, tenants: 1, tenantId: undefined, labelType: String(OWN_TYPE) },
        ...{ origin: stack.origin, caller: createCaller(stack.origin, platformToken) },
        ...{ patienceMs: PATIENCE_MS, metricsToken: METRICS_TOKEN, progress: () => () => {} },
        onSetUp: () => {
          log(`${day.stores} stores with ${day.labels} labels each are set up`);
          happening = runFaults(planKills(killsOf(victims), day.seed, day.durationMs), log, ending.signal);
          // Awaited below, once the day is over.
          happening.catch(() => {});
        },
      }).catch(async (error: Error) => {
        // The stack stops next, and a fault in a stopped stack would fail too and hide the reason.
        ending.abort();
        await happening.catch(() => {});
        throw error;
      });
      await happening;
      const left = await untilIdle(system);
      const readings = report.resources?.residentBytes;
      if (readings && readings.length < MIN_READINGS) log("the day was too short to say whether memory grows");
      const wrong = [...findLost(report), ...left, ...(await findBehind(system)), ...findGrowth(readings)];
      return { report, wrong };
    },
  );

/** Waits until nothing is under way. Returns a finding if something is still under way after minutes. */
async function untilIdle(system: System): Promise<string[]> {
  const deadline = performance.now() + CALM_TIMEOUT_MS;
  let waiting = await readWaiting(system);
  while (!isIdle(waiting) && performance.now() < deadline) {
    await setTimeout(POLL_INTERVAL_MS);
    waiting = await readWaiting(system);
  }
  return isIdle(waiting) ? [] : [`work is left: ${waitingText(waiting)}`];
}

/** Returns accepted changes without a complete result or without their picture. */
const findLost = ({ kinds }: LoadReport): string[] =>
  Object.entries(kinds).flatMap(([kind, { incomplete, missingOnGlass }]) => [
    ...(incomplete > 0 ? [`${incomplete} results of accepted calls (${kind}) are not complete`] : []),
    ...(missingOnGlass > 0 ? [`${missingOnGlass} pictures of accepted calls (${kind}) are not on their labels`] : []),
  ]);

/** Returns labels that do not show the newest picture, and what audits of their stores find. */
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
