import type { Db, Filter } from "mongodb";
import { type Partition, type Partitions, rangesBehind } from "../../../queues/store-partitions.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import type { ReadPlaces } from "../../../records/labels/read-places.ts";
import type { FindFirst } from "../../../records/mongodb/find-first-together.ts";
import { EVERY_KEY } from "../../../schemas/keys.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { LabelServers, OfStores } from "../servers/label-servers.ts";
import type { Transmit } from "./begin.ts";
import type { Lane } from "./lane.ts";
import type { Lanes } from "./lanes.ts";

interface PassDependencies {
  db: Db;
  labelServers: Pick<LabelServers, "ofStores" | "isDivided">;
  readPlaces: ReadPlaces;
  lanes: Pick<Lanes, "to" | "of">;
  transmit: Transmit;
  now(): Date;
}

interface Dependencies extends PassDependencies {
  partitions: Pick<Partitions, "own">;
}

export const DUE_PER_READ = 500;
/**
 * Transmissions that have been due for this long are sent by any process: the process that has their partition may be unable to
 * reach the label server. Also the interval at which each process checks for such transmissions.
 */
const LATE_MS = 10_000;

/** Finds the transmission that has been due the longest, in any partition and for any label server. */
export const firstToSend = (time: Date): FindFirst => ({
  collection: labelStates.name,
  filter: { sendDue: { $lte: time } },
  sort: { sendDue: 1 },
});

/**
 * Starts due transmissions in the process's partitions, batch after batch, as long as there is room. Calls during a pass share
 * the next pass.
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
    // A lane that gets room during a pass may have been full when the pass reached its labels.
    isCalledAgain = true;
    // Set before the first step runs, so that a call from within that step joins the pass.
    polling ??= Promise.resolve()
      .then(pollUntilDone)
      .finally(() => {
        polling = undefined;
      });
    return polling;
  }

  /** `underWay` returns the current pass, if there is one. */
  return { sendDue, underWay: () => polling };
}

type DueLabel = Pick<Stored<LabelState>, "_id" | "store" | "sendDue">;

/** Where a read continues: after a store or, with `inside`, after one of that store's labels. */
interface Position {
  store: string;
  inside?: { key: string; sendDue: Date };
}

const BEGINNING: Position = { store: "" };

/** Creates a pass over transmissions that have been due for `lateMs`. */
function createPass(
  { db, labelServers, readPlaces, lanes, transmit, now }: PassDependencies,
  readPartitions: () => Promise<Partition[]>,
  lateMs: number,
): () => Promise<void> {
  const states = db.collection<Stored<LabelState>>(labelStates.name);
  /** Where the next read continues, so that no store waits until another store's backlog is done. */
  let last = BEGINNING;

  /**
   * Finds labels with due transmissions in the next stores whose label servers have room, longest due first; undefined if none
   * has room. The index skips the other stores, whose due transmissions are not read, no matter how many there are.
   */
  async function findDue(): Promise<DueLabel[] | undefined> {
    const ofStores = labelServers.ofStores((server) => lanes.to(server).room("bulk") > 0);
    if (ofStores === undefined) return undefined;
    const until = new Date(now().getTime() - lateMs);
    for (const query of queriesBehind(last, await readPartitions(), ofStores, until)) {
      const due = states.find(query, { projection: { _id: 1, store: 1, sendDue: 1 } });
      const found = await due.sort({ store: 1, sendDue: 1, _id: 1 }).limit(DUE_PER_READ).toArray();
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Returns the labels whose lanes currently have room, so that the states of labels that must wait are not read. */
  async function withRoom(labelKeys: readonly string[]): Promise<string[]> {
    const placeOf = await readPlaces(labelKeys);
    const rooms = new Map<Lane, number>();
    return labelKeys.filter((key) => {
      const lane = lanes.of(placeOf(key));
      if (lane.has(key)) return false;
      const room = rooms.get(lane) ?? lane.room("bulk");
      rooms.set(lane, room - 1);
      return room > 0;
    });
  }

  /**
   * Returns where to continue after this label. In a divided store, labels of an unreachable label server may have been due for
   * longer than other labels: the next read continues after them.
   */
  const behind = ({ _id, store, sendDue }: DueLabel): Position => ({
    store,
    ...(labelServers.isDivided(store) && sendDue && { inside: { key: _id, sendDue } }),
  });

  /** Starts due transmissions store by store, up to the last store; returns their number, or undefined if there is no room. */
  async function sendToEnd(): Promise<number | undefined> {
    for (let begun = 0; ; ) {
      const due = await findDue();
      if (due === undefined) return undefined;
      const fresh = await withRoom(due.map(({ _id }) => _id));
      if (fresh.length > 0) await transmit(fresh, "bulk");
      begun += fresh.length;
      const final = due.at(-1);
      last = final ? behind(final) : BEGINNING;
      if (final === undefined) return begun;
    }
  }

  /** Continues after the last store, then begins again at the first, as long as a store may have more. */
  return async () => {
    for (;;) {
      const isFromFirst = last === BEGINNING;
      const begun = await sendToEnd();
      if (begun === undefined || (isFromFirst && begun < DUE_PER_READ)) return;
    }
  };
}

/** Returns the queries after a position, in order: the rest of its store, then the stores after it. */
function queriesBehind(
  { store, inside }: Position,
  partitions: readonly Partition[],
  ofStores: OfStores,
  until: Date,
): Filter<Stored<LabelState>>[] {
  const behind = rangesBehind(store, partitions).map(({ among, after }) => ({
    _id: among,
    store: { $gt: after, ...ofStores.store },
    sendDue: { $lte: until },
  }));
  const own = partitions.find(({ $gte, $lt }) => inside && inside.key >= $gte && inside.key < $lt);
  if (inside === undefined || own === undefined || !isAmong(store, ofStores)) return behind;
  const { key, sendDue } = inside;
  return [
    { _id: { ...own, $gt: key }, store, sendDue },
    { _id: own, store, sendDue: { $gt: sendDue, $lte: until } },
    ...behind,
  ];
}

function isAmong(store: string, { store: condition }: OfStores): boolean {
  if (condition === undefined) return true;
  return "$in" in condition ? condition.$in.includes(store) : !condition.$nin.includes(store);
}
