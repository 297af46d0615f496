import type { System } from "../../../queues/system.ts";
import { queueNames } from "../../../queues/topology.ts";
import { labelStates } from "../../../records/kinds/label-state.ts";
import { walks } from "../../../records/kinds/walk.ts";

/** What waits in the queues and in the database at the moment, in one line for the report of a lull. */
export async function describeWaiting({ db, publisher }: Pick<System, "db" | "publisher">): Promise<string> {
  const queues = queueNames.map(async (name) => {
    const counts = await publisher.queue(name).getJobCounts("active", "prioritized", "delayed");
    const some = Object.entries(counts).filter(([, count]) => count > 0);
    return some.length > 0 ? [`${name} ${some.map(([state, count]) => `${count} ${state}`).join(" ")}`] : [];
  });
  const unfinished = await db
    .collection<{ _id: string; heldUntil: Date }>(walks.name)
    .find({ finishedAt: { $exists: false } }, { projection: { heldUntil: 1 } })
    .toArray();
  const [chunks, outbox, sending] = await Promise.all([
    db.collection("journal").countDocuments({ open: true }),
    db.collection("outbox").countDocuments(),
    db.collection(labelStates.name).countDocuments({ sendDue: { $exists: true } }),
  ]);
  const isHeld = ({ heldUntil }: { heldUntil: Date }) => heldUntil.getTime() > Date.now();
  const held = unfinished
    .filter(isHeld)
    .map(({ _id, heldUntil }) => `${_id} held for ${heldUntil.getTime() - Date.now()} ms`);
  return [
    `${chunks} chunks open, ${outbox} in the outbox, ${sending} transmissions without a report`,
    ...(await Promise.all(queues)).flat(),
    ...held,
  ].join("; ");
}
