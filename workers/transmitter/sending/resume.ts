import type { Db } from "mongodb";
import { longestFirstWait, type RetrySettings } from "../../../domain/labels/retry-waits.ts";
import type { Partition, Partitions } from "../../../queues/store-partitions.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import type { ReadPlaces } from "../../../records/labels/read-places.ts";
import { inBatches } from "../../../schemas/in-batches.ts";
import { EVERY_KEY } from "../../../schemas/keys.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { Stored } from "../../../schemas/record.ts";
import { turnAfter } from "../air/turns.ts";
import type { LabelServer } from "../drivers/label-server.ts";
import type { LabelServers } from "../servers/label-servers.ts";
import type { Transmit } from "./begin.ts";
import type { Lanes } from "./lanes.ts";

interface Dependencies {
  db: Db;
  labelServers: LabelServers;
  readPlaces: ReadPlaces;
  lanes: Pick<Lanes, "to">;
  partitions: Pick<Partitions, "own">;
  transmit: Transmit;
  retry: Pick<RetrySettings, "firstWaitMs" | "lastWaitMs" | "spread">;
  now(): Date;
  clock(): number;
}

/** Transmissions that label servers may have lost. */
interface Lost {
  servers: readonly LabelServer[];
  /** The retries of these transmissions are due within this time. */
  withinMs: number;
  isLost(state: LabelState): boolean;
}

/** A label with a lost transmission, and its label server. */
interface Resumed {
  key: string;
  server: LabelServer;
}

/** About as many transmissions as the lanes of a process hold. */
const MAX_RESUMED = 10_000;
const LABELS_PER_BATCH = 500;

/**
 * Returns a function that resends transmissions that a label server may have lost. It must be called repeatedly; the next call
 * repeats a failed step.
 */
export function createResume(dependencies: Dependencies): () => Promise<void> {
  const { db, labelServers, readPlaces, lanes, partitions, transmit, retry, now, clock } = dependencies;
  /** When transmissions in progress were last resent to each label server, by `clock`. */
  const resumedAt = new WeakMap<LabelServer, number>();

  const isSince = (server: LabelServer, at: number | undefined): boolean =>
    at !== undefined && at > (resumedAt.get(server) ?? Number.NEGATIVE_INFINITY);

  /**
   * Whether this process does not know a label server yet, or the label server was unavailable after its transmissions were
   * last resent.
   */
  const wasAway = (server: LabelServer): boolean => !resumedAt.has(server) || isSince(server, server.backSince());

  const hasRestarted = (server: LabelServer): boolean =>
    resumedAt.has(server) && isSince(server, server.restartedAt?.());

  async function findLost({ servers, withinMs }: Lost, parts: readonly Partition[]): Promise<Resumed[]> {
    const ofStores = labelServers.ofStores((server) => servers.includes(server));
    if (servers.length === 0 || ofStores === undefined) return [];
    const at = now();
    const sendDue = { $gt: at, $lte: new Date(at.getTime() + withinMs) };
    const found = await db
      .collection<Stored<LabelState>>(labelStates.name)
      .find({ sendDue, ...ofStores }, { projection: { _id: 1 } })
      .limit(MAX_RESUMED)
      .toArray();
    const keys = found.map(({ _id }) => _id).filter((key) => parts.some(({ $gte, $lt }) => key >= $gte && key < $lt));
    const placeOf = await readPlaces(keys);
    // A store may also have labels on other label servers.
    return keys
      .map((key) => ({ key, server: labelServers.of(placeOf(key)) }))
      .filter(({ server }) => servers.includes(server));
  }

  /**
   * Returns when to send to each label, at the rate of its label server, so that a label server that has just started is not
   * overwhelmed.
   */
  function turnsOf(labels: readonly Resumed[]): Map<string, Date> {
    const at = now().getTime();
    const counts = new Map<LabelServer, number>();
    return new Map(
      labels.map(({ key, server }) => {
        const index = counts.get(server) ?? 0;
        counts.set(server, index + 1);
        return [key, new Date(at + turnAfter(index, lanes.to(server).rate()))];
      }),
    );
  }

  /**
   * Resends transmissions under their original numbers, so the label server recognises those that it already has. Resending
   * does not count as an attempt, since the label is not at fault.
   */
  async function sendAgain(lost: Lost, parts: readonly Partition[]): Promise<void> {
    const turns = turnsOf(await findLost(lost, parts));
    const makeDue = (key: string, current: LabelState | undefined) =>
      current && lost.isLost(current)
        ? { ...current, tries: Math.max(0, current.tries - 1), sendDue: turns.get(key) ?? now() }
        : current;
    for (const labels of inBatches([...turns.keys()], LABELS_PER_BATCH)) await transmit(labels, "bulk", makeDue);
  }

  return async () => {
    const servers = labelServers.all().filter((server) => !server.isAway());
    const restarted = servers.filter(hasRestarted);
    const absent = servers.filter((server) => wasAway(server) && !restarted.includes(server));
    if (labelServers.ofStores(() => true) === undefined || restarted.length + absent.length === 0) return;
    const at = clock();
    // Selects first attempts: their process may have been killed before it sent them, or an unavailable label server may have
    // lost them.
    const isFirst = ({ sending, tries, givenUp }: LabelState) =>
      sending !== undefined && tries <= 1 && givenUp === undefined;
    await sendAgain({ servers: absent, withinMs: longestFirstWait(retry), isLost: isFirst }, [EVERY_KEY]);
    if (restarted.length > 0) {
      const isInFlight = ({ sending, givenUp }: LabelState) => sending !== undefined && givenUp === undefined;
      const withinMs = retry.lastWaitMs * (1 + retry.spread);
      await sendAgain({ servers: restarted, withinMs, isLost: isInFlight }, await partitions.own("labels"));
    }
    for (const server of [...restarted, ...absent]) resumedAt.set(server, at);
  };
}
