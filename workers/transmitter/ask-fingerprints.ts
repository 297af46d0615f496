import type { Db } from "mongodb";
import pLimit from "p-limit";
import { transceiversOf } from "../../domain/linking/transceivers.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import { labelStates, labels } from "../../records/kinds/labels.ts";
import { stores } from "../../records/kinds/tenants.ts";
import { placeOf } from "../../records/labels/read-places.ts";
import type { FindFirst } from "../../records/mongodb/find-first-together.ts";
import type { Records } from "../../records/records.ts";
import { reasonOnly } from "../../schemas/history-notice.ts";
import { idOf, ownerOf } from "../../schemas/keys.ts";
import { noted } from "../../schemas/label-history.ts";
import type { LabelState } from "../../schemas/label-state.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Answer, LabelServer, OrderToSend } from "./drivers/label-server.ts";
import type { QuietStores } from "./sending/quiet-stores.ts";
import type { LabelServers } from "./servers/label-servers.ts";

interface Dependencies {
  db: Db;
  records: Records;
  commit: Commit;
  labelServers: LabelServers;
  quietStores: QuietStores;
  now(): Date;
}

/** Finds a due measurement on any label server. */
export const firstToMeasure = (time: Date): FindFirst => ({
  collection: labelStates.name,
  filter: { "fingerprint.due": { $lte: time } },
});

/** A request to measure the signals of the label with this key. */
interface Request {
  key: string;
  server: LabelServer;
  order: OrderToSend;
}

const FINGERPRINTS_PER_POLL = 100;
const CONCURRENCY = 4;
/** If a process is killed before it sends a request, another process sends the request after this time. */
const LEASE_MS = 60_000;

/**
 * Makes label servers measure the signals of labels at their manual positions, for labels with a due request. The request is
 * stored only in the label's state, so removing the position removes the request, and nothing is lost if Redis is wiped.
 */
export function createAskFingerprints({
  db,
  records,
  commit,
  labelServers,
  quietStores,
  now,
}: Dependencies): () => Promise<void> {
  /** Label servers with requests in progress: a label server that hangs delays only its own labels. */
  const asked = new Set<LabelServer>();

  const mayAsk = (server: LabelServer): boolean => !server.isAway() && !asked.has(server);

  /**
   * Takes due requests by postponing their due time, so that no other process sends them; returns their stamps by label key. In
   * a store's quiet hours, requests become due at the end of the quiet hours.
   */
  async function takeDue(): Promise<Map<string, number>> {
    const ofStores = labelServers.ofStores(mayAsk);
    if (ofStores === undefined) return new Map();
    const due = await db
      .collection<Stored<LabelState>>(labelStates.name)
      .find({ "fingerprint.due": { $lte: now() }, ...ofStores }, { projection: { _id: 1 } })
      .limit(FINGERPRINTS_PER_POLL)
      .toArray();
    const quietOf = await quietStores(due.map(({ _id }) => ownerOf(_id)));
    const taken = await commit.change(
      labelStates,
      due.map(({ _id }) => _id),
      (key, state) => {
        const { fingerprint } = state ?? {};
        if (state === undefined || fingerprint?.due === undefined || fingerprint.due > now()) return undefined;
        const quiet = quietOf(ownerOf(key));
        return { ...state, fingerprint: { ...fingerprint, due: quiet ?? new Date(now().getTime() + LEASE_MS) } };
      },
      "bulk",
    );
    const awake = [...taken].filter(([key]) => quietOf(ownerOf(key)) === undefined);
    return new Map(awake.map(([key, { fingerprint }]) => [key, fingerprint?.stamp ?? 0]));
  }

  async function ordersOf(stamps: ReadonlyMap<string, number>): Promise<Request[]> {
    const keys = [...stamps.keys()];
    const [labelRecords, storeRecords] = await Promise.all([
      records.read(labels, keys),
      records.read(stores, keys.map(ownerOf)),
    ]);
    return keys.flatMap((key) => {
      const label = labelRecords.get(key);
      // The position has been removed: the label's state has also lost the request, or is about to.
      if (label?.manualPosition === undefined) return [];
      const reach = transceiversOf(label, storeRecords.get(ownerOf(key))?.linkDepartments ?? []);
      const transceivers = Array.isArray(reach) ? reach : [];
      const body = { position: label.manualPosition };
      const addressed = { store: ownerOf(key), barcode: idOf(key), number: stamps.get(key) ?? 0, transceivers };
      const server = labelServers.of(placeOf(key, label));
      // The label may be on another of the store's label servers; it is then tried again when the lease ends.
      if (labelServers.isDivided(addressed.store) && !mayAsk(server)) return [];
      return [{ key, server, order: { ...addressed, order: "fingerprint", priority: "low", body } }];
    });
  }

  /** Sends requests to one label server and records its responses. */
  async function askOne(server: LabelServer, requests: readonly Request[], stamps: ReadonlyMap<string, number>) {
    const answers = new Map(
      await pLimit(CONCURRENCY).map(requests, async ({ key, order }) => [key, await server.sendOrder(order)] as const),
    );
    await commit.change(
      labelStates,
      [...answers.keys()],
      (key, state) => {
        const answer = answers.get(key);
        const isSame = state?.fingerprint?.due !== undefined && state.fingerprint.stamp === stamps.get(key);
        return answer && isSame ? afterAnswer(state, answer, now()) : undefined;
      },
      "bulk",
    );
  }

  /** Resolves when all label servers have responded. May be called again before that. */
  return async () => {
    const stamps = await takeDue();
    const byServer = Map.groupBy(await ordersOf(stamps), ({ server }) => server);
    await Promise.all(
      [...byServer].map(([server, requests]) => {
        asked.add(server);
        return askOne(server, requests, stamps).finally(() => asked.delete(server));
      }),
    );
  };
}

function afterAnswer(state: LabelState, answer: Answer, now: Date): LabelState {
  const stamp = state.fingerprint?.stamp ?? 0;
  if (answer.kind === "later")
    return { ...state, fingerprint: { stamp, due: new Date(now.getTime() + answer.afterMs) } };
  const entry = { at: now.getTime(), event: "fingerprint" } as const;
  const finished = { ...state, fingerprint: { stamp } };
  return answer.kind === "accepted"
    ? noted(finished, { ...entry, result: "sent" })
    : noted(finished, { ...entry, result: "refused", ...reasonOnly(answer) });
}
