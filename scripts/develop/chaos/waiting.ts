import type { System } from "../../../queues/system.ts";
import { queueNames } from "../../../queues/topology.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { walks } from "../../../records/kinds/work.ts";

/** The work waiting in the queues and in the database at a given moment. */
export interface Waiting {
  chunks: number;
  outbox: number;
  /** Labels to which a picture is being sent, or will be. */
  sending: number;
  /** Jobs by queue and state. Empty states are omitted. */
  queues: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Unfinished walks with the milliseconds for which they are still held. 0 if any process may continue the walk. */
  walks: Readonly<Record<string, number>>;
}

export async function readWaiting({ db, publisher }: Pick<System, "db" | "publisher">): Promise<Waiting> {
  const queues = queueNames.map(async (name) => {
    const counts = await publisher.countJobs(name, "active", "prioritized", "delayed", "waiting");
    const some = Object.entries(counts).filter(([, count]) => count > 0);
    return some.length > 0 ? [[name, Object.fromEntries(some)] as const] : [];
  });
  const [chunks, outbox, sending, unfinished, ...ofQueues] = await Promise.all([
    db.collection("journal").countDocuments({ open: true }),
    db.collection("outbox").countDocuments(),
    db.collection(labelStates.name).countDocuments({ sendDue: { $exists: true } }),
    db
      .collection<{ _id: string; heldUntil: Date }>(walks.name)
      .find({ finishedAt: { $exists: false } }, { projection: { heldUntil: 1 } })
      .toArray(),
    ...queues,
  ]);
  const now = Date.now();
  const held = unfinished.map(({ _id, heldUntil }) => [_id, Math.max(0, heldUntil.getTime() - now)] as const);
  return { chunks, outbox, sending, queues: Object.fromEntries(ofQueues.flat()), walks: Object.fromEntries(held) };
}

/** Whether nothing is under way. */
export const isIdle = ({ chunks, outbox, sending, queues }: Waiting): boolean =>
  chunks + outbox + sending === 0 && Object.keys(queues).length === 0;

/** Returns a line for the report of a lull. */
export function waitingText({ chunks, outbox, sending, queues, walks }: Waiting): string {
  const jobs = Object.entries(queues).map(
    ([name, counts]) =>
      `${name} ${Object.entries(counts)
        .map(([state, count]) => `${count} ${state}`)
        .join(" ")}`,
  );
  const held = Object.entries(walks).map(([key, ms]) => `${key} ${ms > 0 ? `held for ${ms} ms` : "free"}`);
  return [`${chunks} chunks open, ${outbox} in the outbox, ${sending} labels to be sent to`, ...jobs, ...held].join(
    "; ",
  );
}
