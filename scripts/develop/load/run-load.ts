import { writeFile } from "node:fs/promises";
import type { Caller } from "./caller.ts";
import { createObserver, type Observed } from "./observe.ts";
import { type Day, type PlannedCall, planCalls } from "./plan/plan-calls.ts";
import { readGlass } from "./read-glass.ts";
import { loadPage } from "./report/page.ts";
import { type Latencies, type LoadReport, latenciesOf, reportOf } from "./report/report.ts";
import { watchResources } from "./resources.ts";
import { monotonicClock as clock, sendAtTimes } from "./send-at-times.ts";
import { setUp } from "./set-up.ts";

export interface LoadOrder {
  origin: string;
  caller: Caller;
  /** The tenant of the token. Undefined for the operator's token. */
  tenantId: string | undefined;
  tenants: number;
  /** Prefix for the ids of tenants and stores. */
  prefix: string;
  labelType: string;
  day: Day;
  /** How long to wait for results and pictures after the last call, in milliseconds. */
  patienceMs: number;
  metricsToken: string | undefined;
  progress(name: string, total: number): (done: number) => void;
  /** Called when the stores are set up, a second before the first call. */
  onSetUp?(): void;
}

/** The set-up ends this long before the first call, so that the work that it caused is over. */
const PAUSE_MS = 1_000;

/** Sets up the stores, plays the day, and reads from the labels when they showed its prices. */
export async function runLoad(order: LoadOrder): Promise<{ report: LoadReport; latencies: Latencies }> {
  const { origin, day, patienceMs, metricsToken, progress } = order;
  const priceStart = Math.floor(Date.now() / 1000);
  const onReady = progress("stores set up", day.stores);
  const { stores, shown } = await setUp({ ...order, ...day, start: priceStart, onReady });
  const plan = planCalls(day);
  order.onSetUp?.();
  const start = clock.now() + PAUSE_MS;
  const resources = watchResources(origin, metricsToken);
  const observe = createObserver({ stores, start, priceStart, clock, patienceMs });
  const onEnded = progress("calls ended   ", plan.length);
  let ended = 0;
  const send = async (call: PlannedCall, plannedAt: number): Promise<Observed> => {
    const observed = await observe(call, plannedAt);
    ended += 1;
    onEnded(ended);
    return observed;
  };
  const observed = await sendAtTimes(plan, { start, clock, send });
  const isGlassTimed = shown > 0;
  const until = Math.max(clock.now(), start + day.durationMs) + patienceMs;
  const landings = isGlassTimed ? await readGlass(observed, { stores, clock, until }) : [];
  const run = { origin, day, isGlassTimed, startedAt: new Date(start).toISOString(), resources: await resources.end() };
  return { report: reportOf(run, observed, landings), latencies: latenciesOf(observed, landings) };
}

/** Writes the report to the named files. */
export async function writeReport(
  report: LoadReport,
  latencies: Latencies,
  { out, page }: { out: string | undefined; page: string | undefined },
): Promise<void> {
  if (out !== undefined) await writeFile(out, `${JSON.stringify(report, undefined, 2)}\n`);
  if (page !== undefined) await writeFile(page, loadPage(report, latencies));
}
