import { AsyncLocalStorage } from "node:async_hooks";
import type { Envelope } from "../schemas/record.ts";
import type { Change } from "../schemas/topics.ts";
import { UnavailableError } from "./mongodb/unavailable.ts";

interface Announced {
  kind: string;
  /** The rev of each record that a change announced. */
  revs: ReadonlyMap<string, number>;
  /** The records that were read at an older rev, with that rev; 0 if no record was found. */
  behind: Map<string, number>;
}

const announced = new AsyncLocalStorage<Announced>();

/** Thrown if a change's record is read at an older rev than announced: the primary that responded lacks the write. */
export class OlderRecordError extends UnavailableError {
  constructor({ key, rev }: Pick<Change, "key" | "rev">) {
    super(`the database still returns ${key} at a rev older than the announced ${rev}`);
  }
}

/**
 * Runs `handle` for changes of one kind. Returns the announced records that it read at an older rev, with that rev: the primary
 * that responded lacks the write, because it has been deposed or was elected a moment ago. This costs no additional read.
 */
export async function readAnnounced(
  kind: string,
  revs: ReadonlyMap<string, number>,
  handle: () => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  const behind = new Map<string, number>();
  await announced.run({ kind, revs, behind }, handle);
  return behind;
}

/** Records which revs a read of these keys found. */
export function noteRevs(kind: string, keys: readonly string[], found: readonly Pick<Envelope, "_id" | "rev">[]): void {
  const watched = announced.getStore();
  if (watched?.kind !== kind) return;
  const read = new Map(found.map(({ _id, rev }) => [_id, rev]));
  for (const key of keys) {
    const rev = read.get(key) ?? 0;
    if (rev < (watched.revs.get(key) ?? 0)) watched.behind.set(key, rev);
  }
}
