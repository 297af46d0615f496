import type { Logger } from "pino";
import type { Chunk, Journal } from "../../records/requests/journal.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import type { RequestChunk } from "../../schemas/jobs.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { JobHandler } from "../topology.ts";
import type { Steps } from "../tracing/steps.ts";
import { createApplyTogether, type RowHandlers } from "./apply-together.ts";
import { consecutiveRuns, inOrder } from "./chunk-runs.ts";
import type { Results } from "./results.ts";
import { createSettleChunks } from "./settle-chunks.ts";
import type { ApplyJournaledRows } from "./stamped-rows.ts";
import { createFindWhole, createIsNext } from "./turn-of-chunks.ts";

interface Dependencies {
  journal: Journal;
  numbers: Numbers;
  results: Results;
  /** Promotes the jobs of the store's next request, which inherits the urgency of requests that wait for it. */
  promoteNext(store: string, settled?: readonly Chunk[]): Promise<void>;
  isUnavailable(error: unknown): boolean;
  metrics: Pick<Metrics, "count">;
  step: Steps["step"];
  log: Pick<Logger, "error">;
  now(): Date;
}

/**
 * The handler of chunks: reads the rows from the journal, applies them when it is their turn, and stores their outcomes. It skips
 * chunks that have already been applied, so a row settles once, no matter how often its job is retried. Returns the jobs whose
 * turn has not come (docs/architecture/queues.md#requests-and-chunks).
 */
export function applyChunks<Row>(
  dependencies: Dependencies,
  apply: ApplyJournaledRows<Row>,
  refuse: RowHandlers<Row>["refuse"],
): JobHandler<RequestChunk> {
  const { journal, promoteNext } = dependencies;
  const settle = createSettleChunks(dependencies);
  const applyTogether = createApplyTogether({ ...dependencies, settle }, { apply, refuse });
  const findWhole = createFindWhole({ ...dependencies, settle });
  const isNext = createIsNext(dependencies);

  /**
   * Applies chunks whose turn has come. Returns them, and the stores of interactive chunks that are still waiting for their
   * turn.
   */
  async function applyReady(ready: readonly Chunk[]): Promise<{ applied: Chunk[]; hurried: string[] }> {
    const applied: Chunk[] = [];
    const hurried: string[] = [];
    const unordered = ready.filter(({ ordered }) => !ordered);
    for (const chunks of Map.groupBy(unordered, ({ store }) => store).values()) {
      await applyTogether(chunks);
      applied.push(...chunks);
    }
    for (const run of consecutiveRuns(ready.filter(({ ordered }) => ordered))) {
      const [first] = run;
      if (first === undefined) continue;
      if (await isNext(first)) {
        await applyTogether(run);
        applied.push(...run);
      } else if (first.urgency === "interactive") hurried.push(first.store);
    }
    return { applied, hurried };
  }

  return async (jobs) => {
    const read = await journal.read(jobs.map(({ key }) => key));
    const open = [...read.values()].filter((chunk) => chunk.open);
    const { whole, closed } = await findWhole(open);
    const { applied, hurried } = await applyReady(whole.sort(inOrder));
    const ended = [...closed, ...applied];
    const settled = Map.groupBy(ended, ({ store }) => store);
    for (const store of new Set([...hurried, ...settled.keys()])) await promoteNext(store, settled.get(store));
    const waiting = new Set(open).difference(new Set(ended));
    const keys = new Set([...waiting].map(({ _id }) => _id));
    return jobs.filter(({ key }) => keys.has(key));
  };
}
