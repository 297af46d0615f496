import { isAnswered, type Observed, type ReportedKind } from "../observe.ts";
import type { Day } from "../plan/plan-calls.ts";
import type { Landing } from "../read-glass.ts";
import type { Resources } from "../resources.ts";
import { type Distribution, distributionOf, type Timed } from "./distribution.ts";

/** The timed stages of a call: until its response, until its result is complete, and until labels acknowledged its pictures. */
export type Stage = "answered" | "completed" | "glass";

/** The calls of a kind. Latencies are milliseconds from the planned time. */
export interface KindReport {
  planned: number;
  refused: number;
  /** Accepted changes whose result was read but not complete in time. */
  incomplete: number;
  answered?: Distribution;
  completed?: Distribution;
  glass?: Distribution;
  /** Labels that did not acknowledge the picture of an accepted change in time. */
  missingOnGlass: number;
  /** Labels whose history no longer reaches back to the change, or could not be read. */
  unknownOnGlass: number;
}

export interface Refusals {
  kind: ReportedKind;
  /** The HTTP status, or 0 if there was no response. */
  status: number;
  problem: string;
  count: number;
}

export interface LoadReport {
  origin: string;
  /** The planned time of the first call, in UTC. */
  startedAt: string;
  day: Day;
  kinds: Record<ReportedKind, KindReport>;
  refusals: Refusals[];
  /** How much later than planned this program sent its calls. If much later, this program was the bottleneck. */
  sentLate?: Distribution;
  /** False if no label acknowledged its picture during the set-up. */
  isGlassTimed: boolean;
  /** Absent if METRICS_TOKEN is not set or /metrics cannot be read. */
  resources?: Resources;
}

/** Every latency of a run, by kind and stage. */
export type Latencies = Readonly<Record<ReportedKind, Readonly<Record<Stage, readonly Timed[]>>>>;

export const kinds: readonly ReportedKind[] = ["urgent", "list", "flash", "result"];

/** Returns all latencies of the observed calls that were accepted: rejections are left out, since they are fast. */
export function latenciesOf(observed: readonly Observed[], landings: readonly Landing[]): Latencies {
  const of = (kind: ReportedKind) => {
    const calls = observed.filter(({ call, status }) => call.kind === kind && isAnswered(status));
    return {
      answered: calls.map(({ call: { at }, answeredMs }) => ({ at, ms: answeredMs })),
      completed: calls.flatMap(({ call: { at }, completedMs: ms }) => (ms === undefined ? [] : [{ at, ms }])),
      glass: landings.flatMap(({ observed: { call }, ms }) =>
        call.kind === kind && typeof ms === "number" ? [{ at: call.at, ms }] : [],
      ),
    };
  };
  const reads = observed.flatMap((one) => one.reads.filter(({ status }) => isAnswered(status)));
  const result = { answered: reads, completed: [], glass: [] };
  return { urgent: of("urgent"), list: of("list"), flash: of("flash"), result };
}

export function reportOf(
  run: Pick<LoadReport, "origin" | "startedAt" | "day" | "isGlassTimed"> & { resources: Resources | undefined },
  observed: readonly Observed[],
  landings: readonly Landing[],
): LoadReport {
  const latencies = latenciesOf(observed, landings);
  const refusals = refusalsOf(observed);
  const { resources, ...rest } = run;
  const sentLate = distributionOf(observed.map(({ lateMs }) => lateMs));
  const of = (kind: ReportedKind): KindReport => {
    const calls = observed.filter(({ call }) => call.kind === kind);
    const landed = landings.filter(({ observed: { call } }) => call.kind === kind);
    const distributions = Object.entries(latencies[kind]).map(([stage, timed]) => [
      stage,
      distributionOf(timed.map(({ ms }) => ms)),
    ]);
    return {
      planned: kind === "result" ? observed.flatMap(({ reads }) => reads).length : calls.length,
      refused: refusals.filter((one) => one.kind === kind).reduce((sum, { count }) => sum + count, 0),
      incomplete: calls.filter(
        ({ call, requestId, completedMs }) => call.isFollowed && requestId !== undefined && completedMs === undefined,
      ).length,
      ...(Object.fromEntries(distributions) as Partial<Record<Stage, Distribution>>),
      missingOnGlass: landed.filter(({ ms }) => ms === undefined).length,
      unknownOnGlass: landed.filter(({ ms }) => ms === "forgotten" || ms === "unread").length,
    };
  };
  return {
    ...rest,
    kinds: { urgent: of("urgent"), list: of("list"), flash: of("flash"), result: of("result") },
    refusals,
    ...(sentLate && { sentLate }),
    ...(resources && { resources }),
  };
}

/** Counts rejections by kind, status and problem type, the most frequent first. */
function refusalsOf(observed: readonly Observed[]): Refusals[] {
  const answers = observed.flatMap(({ call: { kind }, status, problem, reads }) => [
    { kind, status, problem },
    ...reads.map((read) => ({ kind: "result" as const, status: read.status, problem: read.problem })),
  ]);
  const refused = answers.filter(({ status }) => !isAnswered(status));
  const groups = Map.groupBy(refused, ({ kind, status, problem = "" }) => `${kind} ${status} ${problem}`);
  return [...groups.values()]
    .flatMap(([one, ...more]) => (one ? [{ ...one, problem: one.problem ?? "", count: more.length + 1 }] : []))
    .sort((one, other) => other.count - one.count);
}
