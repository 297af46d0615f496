import { createCommit } from "../../../queues/changes/commit.ts";
import { createDerive } from "../../../queues/changes/derive.ts";
import { subscribers } from "../../../queues/topology.ts";
import type { WorkerParts, WorkerSystem } from "../../../queues/worker/open-worker.ts";
import { openOutbox } from "../../../records/outbox/outbox.ts";
import { readEnvironment } from "../../../schemas/environment.ts";
import type { Change, Topic } from "../../../schemas/topics.ts";
import { buildEvaluator, evaluatorSettings } from "../../../workers/evaluator/process.ts";
import { buildLinkWorker, linkSettings } from "../../../workers/link/process.ts";
import { buildMerger } from "../../../workers/merger/process.ts";
import { buildRenderer, rendererSettings } from "../../../workers/renderer/process.ts";
import { partOf } from "../../harness/part-of.ts";
import type { Shelfwire } from "../../harness/shelfwire.ts";

interface Held {
  handler: (changes: Change[]) => Promise<void>;
  change: Change;
}

/** Opens the workers on a publisher that the test controls. Call it once per file: each renderer starts a drawing thread. */
export function openPipeline({ system, environment }: Shelfwire) {
  const held: Held[] = [];
  const handlers = new Map<string, Record<string, unknown>>();
  const publish = async (topic: Topic, changes: readonly Change[]) => {
    for (const change of changes) {
      for (const queue of subscribers(topic, change)) {
        const handler = handlers.get(queue)?.[topic] as Held["handler"] | undefined;
        if (handler) held.push({ handler, change });
      }
    }
    return true;
  };
  const commit = createCommit({ ...system, outbox: openOutbox(system.db), publisher: { publish } });
  const derive = createDerive({ records: system.records, commit });
  const own: WorkerSystem = { ...system, commit, ...derive, walker: partOf({}) };
  const workers: Record<string, WorkerParts<never>> = {
    link: buildLinkWorker(own, readEnvironment(linkSettings, [], environment)),
    evaluator: buildEvaluator(own, readEnvironment(evaluatorSettings, [], environment)),
    renderer: buildRenderer(own, readEnvironment(rendererSettings, [], environment)),
    merger: buildMerger(own),
  };
  for (const [name, parts] of Object.entries(workers))
    handlers.set(name, (parts.handlers as Record<string, Record<string, unknown>>)[name] ?? {});
  return { commit, held, stages: Object.values(workers).flatMap(({ stages }) => stages) };
}

export type Pipeline = ReturnType<typeof openPipeline>;
