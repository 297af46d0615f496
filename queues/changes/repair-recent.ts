import type { Db } from "mongodb";
import type { Logger } from "pino";
import { linksOfLabels } from "../../records/linking/links-of-labels.ts";
import type { Records } from "../../records/records.ts";
import { type Journal, journalCollection } from "../../records/requests/journal.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import { itemKey, labelKey } from "../../schemas/keys.ts";
import type { KeptOutcome, Outcome } from "../../schemas/request.ts";
import { scanLinksOfItems } from "../linking/item-links.ts";
import type { Publisher } from "../publish/publisher.ts";
import type { QueueName } from "../topology.ts";
import { enqueueStale, type Stage } from "./stage.ts";

interface Dependencies {
  queue: QueueName;
  stages: readonly Stage[];
  db: Db;
  journal: Pick<Journal, "readOutcomes">;
  records: Records;
  publisher: Publisher;
  log: Logger;
}

/** Maximum age of applied requests whose jobs Redis may have lost. */
const RECENT_MS = 600_000;
const MAX_CHUNKS = 200;
/** Maximum number of links to check, which takes a few seconds; walks check the remaining links. */
const MAX_LINKS = 2_000;
const KEYS_PER_LOOK = 250;

/**
 * Enqueues stale links among those that the last requests changed, newest first, before an audit walks over all keys. So work
 * that Redis lost need not wait for a walk over all of a chain's stores. Returns the number of enqueued keys.
 */
export async function repairRecent(dependencies: Dependencies, lostAt: Date): Promise<number> {
  const { queue, stages, publisher, log } = dependencies;
  const links = await readRecentLinks(dependencies, new Date(lostAt.getTime() - RECENT_MS));
  let stale = 0;
  for (const stage of stages) {
    const { keyOfLink } = stage;
    if (keyOfLink === undefined) continue;
    for (const keys of inBatches([...new Set(links.map(keyOfLink))], KEYS_PER_LOOK)) {
      const found = await stage.findStale(keys);
      if (!(await enqueueStale({ publisher, log }, queue, stage, found))) return stale;
      stale += found.length;
    }
  }
  return stale;
}

/** Reads the keys of links whose items or labels were changed by requests since then, newest request first. */
async function readRecentLinks({ db, journal, records }: Dependencies, since: Date): Promise<string[]> {
  const heads = await journalCollection(db)
    .find({ appliedAt: { $gte: since } }, { projection: { store: 1, number: 1 } })
    .sort({ appliedAt: -1 })
    .limit(MAX_CHUNKS)
    .toArray();
  const links = new Set<string>();
  for (const { store, number } of new Map(heads.map((head) => [`${head.store}/${head.number}`, head])).values()) {
    const outcomes = (await journal.readOutcomes(store, number)).flatMap((chunk) => chunk.outcomes ?? []);
    for await (const found of linksOfOutcomes(records, store, outcomes)) {
      for (const link of found) links.add(link);
      if (links.size >= MAX_LINKS) return [...links].slice(0, MAX_LINKS);
    }
  }
  return [...links];
}

/**
 * Finds the links of the items and labels that outcomes name. Outcomes in other stores are left out, because child requests are
 * searched in their own stores.
 */
async function* linksOfOutcomes(
  records: Records,
  store: string,
  outcomes: readonly KeptOutcome[],
): AsyncGenerator<readonly string[]> {
  const own = outcomes.flatMap((outcome): readonly Outcome[] => ("status" in outcome ? [outcome] : []));
  const itemKeys = own.flatMap(({ itemId }) => (itemId ? itemKey(store, itemId) : []));
  const labelKeys = own.flatMap(({ barcode }) => (barcode ? labelKey(store, barcode) : []));
  yield* scanLinksOfItems(records, itemKeys);
  for (const keys of inBatches(labelKeys, KEYS_PER_LOOK)) yield linksOfLabels(records, keys);
}
