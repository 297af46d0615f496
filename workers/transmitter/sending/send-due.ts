import type { Db } from "mongodb";
import { type Partition, type Partitions, rangesBehind } from "../../../queues/store-partitions.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import type { FindFirst } from "../../../records/mongodb/find-first-together.ts";
import { EVERY_KEY } from "../../../schemas/keys.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { LabelServers } from "../servers/label-servers.ts";
import type { Transmit } from "./begin.ts";
import type { Lane } from "./lane.ts";
import type { Lanes } from "./lanes.ts";

interface PassDependencies {
  db: Db;
  labelServers: Pick<LabelServers, "ofStores">;
  lanes: Pick<Lanes, "to" | "of">;
  transmit: Transmit;
  now(): Date;
}

interface Dependencies extends PassDependencies {
  partitions: Pick<Partitions, "own">;
}

export const DUE_PER_READ = 500;
/**
 * What has been due for so long is sent by any process: the one whose partition it is in may not reach the label server. How
 * often each process looks for it, too.
 */
const LATE_MS = 10_000;

/** Finds the transmission that has been due the longest, of whichever partition and label server. */
export const firstToSend = (time: Date): FindFirst => ({
  collection: labelStates.name,
  filter: { sendDue: { $lte: time } },
  sort: { sendDue: 1 },
});

/**
 * Begins due transmissions of the process's partitions, batch after batch, while there is room for them. Calls during a
 * pass share the next one.
 */
export function createSendDue(dependencies: Dependencies) {
  const { partitions, now } = dependencies;
  const sendOwn = createPass(dependencies, () => partitions.own("labels"), 0);
  const sendLate = createPass(dependencies, async () => [EVERY_KEY], LATE_MS);
  let polling: Promise<void> | undefined;
  let isCalledAgain = false;
  let lookedAt = now().getTime();

  async function poll(): Promise<void> {
    await sendOwn();
    if (now().getTime() - lookedAt < LATE_MS) return;
    lookedAt = now().getTime();
    await sendLate();
  }

  async function pollUntilDone(): Promise<void> {
    do {
      isCalledAgain = false;
      await poll();
    } while (isCalledAgain);
  }

  function sendDue(): Promise<void> {
    // A lane that has room again during a pass may have been full when the pass came to its labels.
    isCalledAgain = true;
    // A call from within the first step finds the pass under way.
    polling ??= Promise.resolve()
      .then(pollUntilDone)
      .finally(() => {
        polling = undefined;
      });
    return polling;
  }

  /** The pass that is under way, if there is one. */
  return { sendDue, underWay: () => polling };
}

/** Creates a pass over what has been due for `lateMs`. */
function createPass(
  { db, labelServers, lanes, transmit, now }: PassDependencies,
  readPartitions: () => Promise<Partition[]>,
  lateMs: number,
): () => Promise<void> {
  const states = db.collection<Stored<LabelState>>(labelStates.name);
  /** The store after which the next read looks: none of them waits until another's backlog is done. */
  let last = "";

  /**
   * Labels of the next stores with a due transmission for which there is room, longest due first; undefined if there is no
   * room. The index skips the stores of other label servers: what is due there is not read, however much it is.
   */
  async function findDue(): Promise<Pick<Stored<LabelState>, "_id" | "store">[] | undefined> {
    const ofStores = labelServers.ofStores((server) => lanes.to(server).room("bulk") > 0);
    if (ofStores === undefined) return undefined;
    const sendDue = { $lte: new Date(now().getTime() - lateMs) };
    for (const { among, after } of rangesBehind(last, await readPartitions())) {
      const query = { _id: among, store: { $gt: after, ...ofStores.store }, sendDue };
      const due = states.find(query, { projection: { _id: 1, store: 1 } }).sort({ store: 1, sendDue: 1 });
      const found = await due.limit(DUE_PER_READ).toArray();
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Those of these labels for which their lanes have room now: no state is read of a label that must wait. */
  function withRoom(labelKeys: readonly string[]): string[] {
    const rooms = new Map<Lane, number>();
    return labelKeys.filter((key) => {
      const lane = lanes.of(key);
      if (lane.has(key)) return false;
      const room = rooms.get(lane) ?? lane.room("bulk");
      rooms.set(lane, room - 1);
      return room > 0;
    });
  }

  /** Begins what is due in one store after another, up to the last one; returns how much that was, undefined without room. */
  async function sendToEnd(): Promise<number | undefined> {
    for (let begun = 0; ; ) {
      const due = await findDue();
      if (due === undefined) return undefined;
      const fresh = withRoom(due.map(({ _id }) => _id));
      await transmit(fresh, "bulk");
      begun += fresh.length;
      last = due.at(-1)?.store ?? "";
      if (last === "") return begun;
    }
  }

  /** The stores behind the last one, then those from the first one on, again while there may be more of one store. */
  return async () => {
    for (;;) {
      const isFromFirst = last === "";
      const begun = await sendToEnd();
      if (begun === undefined || (isFromFirst && begun < DUE_PER_READ)) return;
    }
  };
}
