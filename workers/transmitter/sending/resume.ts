import type { Db } from "mongodb";
import { labelStates } from "../../../records/kinds/labels.ts";
import { inBatches } from "../../../schemas/batches.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { LabelServer } from "../drivers/label-server.ts";
import type { LabelServers, OfStores } from "../servers/label-servers.ts";
import type { Transmit } from "./begin.ts";
import { longestFirstWait, type RetrySettings } from "./retry.ts";

interface Dependencies {
  db: Db;
  labelServers: LabelServers;
  transmit: Transmit;
  retry: Pick<RetrySettings, "firstWaitMs" | "spread">;
  now(): Date;
  clock(): number;
}

/** More than a process has under way: its lanes hold less. */
const MAX_RESUMED = 10_000;
const LABELS_PER_BATCH = 500;

/**
 * Returns a function that sends again what each label server may not have; to be called again and again. A failed step
 * is repeated at the next call.
 */
export function createResume({ db, labelServers, transmit, retry, now, clock }: Dependencies): () => Promise<void> {
  /** By `clock`, when transmissions in progress were last sent again to a label server. */
  const resumedAt = new WeakMap<LabelServer, number>();

  /**
   * A label server that this process does not know yet, or that was unavailable since its transmissions were sent
   * again.
   */
  function needsResume(server: LabelServer): boolean {
    if (server.isAway()) return false;
    const at = resumedAt.get(server);
    return at === undefined || (server.backSince() ?? Number.NEGATIVE_INFINITY) > at;
  }

  /**
   * Immediately repeats transmissions that were started shortly before: their process may have been killed before it
   * sent them, and a label server that was unavailable may have lost them. The label server recognises a transmission
   * by its number, and a retry is due later in any case.
   */
  async function sendBegun(ofStores: OfStores): Promise<void> {
    const at = now();
    const sendDue = { $gt: at, $lte: new Date(at.getTime() + longestFirstWait(retry)) };
    const begun = await db
      .collection<Stored<LabelState>>(labelStates.name)
      .find({ sendDue, ...ofStores }, { projection: { _id: 1 } })
      .limit(MAX_RESUMED)
      .toArray();
    const isFirstTry = ({ sending, tries, givenUp }: LabelState) => sending && tries <= 1 && givenUp === undefined;
    const makeDue = (_: string, current: LabelState | undefined) =>
      current && isFirstTry(current) ? { ...current, sendDue: now() } : current;
    for (const labels of inBatches(begun, LABELS_PER_BATCH))
      await transmit(
        labels.map(({ _id }) => _id),
        "bulk",
        makeDue,
      );
  }

  return async () => {
    const servers = labelServers.all().filter(needsResume);
    const ofStores = labelServers.ofStores((server) => servers.includes(server));
    if (servers.length === 0 || ofStores === undefined) return;
    const at = clock();
    await sendBegun(ofStores);
    for (const server of servers) resumedAt.set(server, at);
  };
}
