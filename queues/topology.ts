import type { Static, TSchema } from "typebox";
import { DisplayPageOrder, FlashOrder, PageSizeOrder, ReportPrompt, RequestChunk } from "../schemas/jobs.ts";
import { type Change, type Operation, type Topic, topics } from "../schemas/topics.ts";

/** An operation that a queue needs. RECREATED means the creation of a record in place of a deleted one. */
type NeededOperation = Operation | "RECREATED";

interface QueueRow {
  /** Topics whose changes arrive here, in batches. */
  topics: readonly Topic[];
  /** Operations that are published to the queue, for topics of which it needs only some changes. */
  only?: Partial<Record<Topic, readonly NeededOperation[]>>;
  /** Topics of the records that its handlers change. A commit of a record with any other topic is rejected. */
  publishes: readonly Topic[];
  /** Jobs that are enqueued by name, with the schema of their data. */
  jobs: Readonly<Record<string, TSchema>>;
  /**
   * Its handlers receive the changes that subscriptions match. These come from the inbox in MongoDB, not through the queue, and
   * each is passed separately: changes of one key are not merged.
   */
  observes?: true;
  /**
   * Maximum number of changes, rows or reports per call of a handler. Interactive calls run in parallel with bulk calls, but
   * each of their steps may wait for one step of a bulk call, which computes or accesses the database.
   */
  batch: number;
  /** Name, in traces and in the log, of the step in which the worker processes changes; defaults to the queue's name. */
  step?: string;
  /** Name of the process that serves the queue. Absent if the queue has its own process. */
  process?: string;
  /** Number of jobs that run at the same time, each individually. If absent, waiting jobs are combined into batches. */
  concurrency?: number;
}

/** Which queue takes which topics and jobs. Only this table defines it; a new worker is a new row. */
export const topology = {
  item: {
    topics: [],
    // Rows of items may have links, so this worker writes labels and links as well.
    publishes: ["storeitemvalues.v1", "pageimage.v1", "storeesl.v1", "link.v2"],
    jobs: {
      "patch-items": RequestChunk,
      "campaign-items": RequestChunk,
      "delete-items": RequestChunk,
      "remove-sics": RequestChunk,
      "remove-properties": RequestChunk,
      "apply-scheduled": RequestChunk,
      "cancel-scheduled": RequestChunk,
      "undo-list": RequestChunk,
      "set-pages": RequestChunk,
      "remove-pages": RequestChunk,
    },
    batch: 2000,
  },
  // Decoding an image takes seconds and hundreds of megabytes, so it has its own process, and each job runs individually.
  pages: {
    topics: ["asset.v1"],
    publishes: ["pageimage.v1", "assetfile.v1"],
    jobs: { "draw-pages": RequestChunk },
    batch: 1,
    concurrency: 2,
  },
  // Draws an image at the sizes of labels that come to show it after its upload. This is a separate queue so that tenants' orders
  // take turns, uploads do not wait behind thousands of orders, and processes of a release that cannot draw these images take no
  // orders.
  sizes: {
    topics: [],
    publishes: ["pageimage.v1"],
    jobs: { "draw-size": PageSizeOrder },
    batch: 1,
    process: "pages",
  },
  link: {
    topics: ["storeitemvalues.v1", "storeesl.v1", "link.v2", "studiolink.v1"],
    only: { "storeitemvalues.v1": ["CREATED", "DELETED"], "storeesl.v1": ["UPDATED"] },
    publishes: ["storeesl.v1", "link.v2", "storelink.v1", "designerlink.v1", "ecclink.v1"],
    jobs: {
      "patch-labels": RequestChunk,
      "position-labels": RequestChunk,
      "patch-links": RequestChunk,
      unlink: RequestChunk,
      "store-links": RequestChunk,
      "bulk-links": RequestChunk,
    },
    batch: 1000,
  },
  evaluator: {
    topics: ["storeitemvalues.v1", "link.v2", "storelink.v1", "communicationpack.v1", "design.v1", "store"],
    // Creating or deleting an item changes the status of its links, which is published as link.v2. If an item is created again
    // before the link worker sees its deletion, its links stay unchanged: only this change reports the new values.
    only: { "storeitemvalues.v1": ["RECREATED", "UPDATED"], store: ["UPDATED"] },
    // Its process also publishes scheduled publications, and starts and ends canaries in stores.
    publishes: ["studiolink.v1", "design.v1", "canvasdesign.v1", "communicationpack.v1", "store"],
    jobs: {},
    step: "evaluate",
    batch: 500,
  },
  renderer: {
    topics: [
      "designerlink.v1",
      "ecclink.v1",
      "storeitemvalues.v1",
      "design.v1",
      "canvasdesign.v1",
      "assetfile.v1",
      "storeesl.v1",
      "store",
      "labeltype",
    ],
    // The renderer needs the same item changes as the evaluator. A new label has no link yet, since it is created before its
    // first link. A new store has no links, and a new label type has no labels.
    only: {
      "storeitemvalues.v1": ["RECREATED", "UPDATED"],
      "storeesl.v1": ["UPDATED"],
      store: ["UPDATED"],
      labeltype: ["UPDATED"],
    },
    // The picture of a label that shows a single link, and nothing else, is written together with the link's picture.
    publishes: ["renderedimage.v1", "ecceslimage.v1", "eslimage.v1"],
    jobs: {},
    step: "render",
    batch: 250,
  },
  merger: {
    topics: ["renderedimage.v1", "ecceslimage.v1", "pageimage.v1"],
    publishes: ["eslimage.v1"],
    jobs: {},
    step: "merge",
    batch: 500,
  },
  transmitter: {
    topics: ["eslimage.v1", "store"],
    only: { store: ["UPDATED"] },
    // A report from an unknown label creates the label.
    publishes: ["storeesl.v1", "labelpress.v1", "labelsensors.v1", "labelbattery.v1", "switchstate.v1"],
    // The prompts come from processes of an earlier release; current processes prompt a transmitter without a job
    // (queues/publish/report-prompts.ts).
    jobs: { reports: ReportPrompt, "refresh-labels": RequestChunk },
    step: "begin",
    batch: 500,
  },
  // A late flash is useless, so flashes do not wait behind pictures, and a hanging call does not delay other flashes. When a
  // sequence of flashes starts, advances or stops, its orders are sent here.
  flash: {
    topics: ["flashsequence.v1"],
    only: { "flashsequence.v1": ["CREATED", "UPDATED"] },
    publishes: ["flashsequence.v1"],
    jobs: { flash: FlashOrder, "display-page": DisplayPageOrder },
    batch: 1,
    process: "transmitter",
    concurrency: 16,
  },
  notifier: { topics, observes: true, publishes: [], jobs: {}, step: "notify", batch: 1000 },
} as const satisfies Record<string, QueueRow>;

export type QueueName = keyof typeof topology;
export const queueNames = Object.keys(topology) as QueueName[];

type ProcessOf<Q extends QueueName> = Q extends unknown
  ? (typeof topology)[Q] extends { process: infer P }
    ? P
    : Q
  : never;
/** Names of processes: each is named after one of the queues that it serves. */
export type ProcessName = ProcessOf<QueueName>;
/** The queues that a process serves. */
export type QueueOf<P extends ProcessName> = { [Q in QueueName]: ProcessOf<Q> extends P ? Q : never }[QueueName];

type Jobs<Q extends QueueName> = (typeof topology)[Q]["jobs"];
export type TopicOf<Q extends QueueName> = (typeof topology)[Q]["topics"][number];

/**
 * A job handler takes the data of a batch of jobs and returns the jobs that must be retried later: a list, or a map with each
 * job's wait in milliseconds.
 */
export type JobHandler<Data> = (jobs: readonly Data[]) => Promise<readonly Data[] | ReadonlyMap<Data, number>>;

/** The handlers that a worker must supply: one per topic and per job. A worker that lacks a handler does not compile. */
export type Handlers<Q extends QueueName> = {
  [T in TopicOf<Q>]: (changes: Change[]) => Promise<void>;
} & {
  [J in keyof Jobs<Q>]: JobHandler<Static<Jobs<Q>[J] & TSchema>>;
};

/** Names of the jobs that carry a journaled chunk. */
export type ChunkOperation = {
  [Q in QueueName]: { [J in keyof Jobs<Q>]: Jobs<Q>[J] extends typeof RequestChunk ? J : never }[keyof Jobs<Q>];
}[QueueName];

const rows: Record<QueueName, QueueRow> = topology;
export const rowOf = (queue: QueueName): QueueRow => rows[queue];

export const queuesOf = <P extends ProcessName>(process: P): QueueOf<P>[] =>
  queueNames.filter((queue): queue is QueueOf<P> => (rows[queue].process ?? queue) === process);
export const processNames = queueNames.filter((queue): queue is ProcessName => rows[queue].process === undefined);

/** Returns the topics of the records that a process may change. */
export const publishedBy = (process: ProcessName): Topic[] =>
  topics.filter((topic) => queuesOf(process).some((queue) => rows[queue].publishes.includes(topic)));

/** Returns the queues that subscribe to a change, including the notifier's. */
export function subscribers(
  topic: Topic,
  { operation, wasDeleted }: Pick<Change, "operation" | "wasDeleted">,
): QueueName[] {
  return queueNames.filter((queue) => {
    const { topics, only } = rows[queue];
    const needed = only?.[topic];
    return (
      topics.includes(topic) &&
      (needed === undefined || needed.includes(operation) || (wasDeleted === true && needed.includes("RECREATED")))
    );
  });
}

/** Returns the queue that takes a named job. Throws if no queue does. */
export function queueOfJob(job: string): QueueName {
  const queue = queueNames.find((name) => Object.hasOwn(rows[name].jobs, job));
  if (queue === undefined) throw new Error(`no queue accepts the job "${job}"`);
  return queue;
}
