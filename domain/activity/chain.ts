import { hash } from "node:crypto";
import type { ActivityContent, ActivityEntry } from "../../schemas/activity.ts";
import { activityKey, tenantOf } from "../../schemas/keys.ts";

/**
 * Where a chain ends: the place and the hash of its last entry. Before the first entry, the place is 0 and the hash is empty.
 */
export interface ChainEnd {
  place: number;
  hash: string;
}

/** A fault of a chain: the first and the last faulty place, and what is wrong with the entries there. */
export interface ChainFault {
  place: number;
  through: number;
  is: "removed" | "changed";
}

/** Returns the entries that continue an owner's chain. Each hash covers the entry and the hash of the previous entry. */
export function chained(owner: string, end: ChainEnd, contents: readonly ActivityContent[]): ActivityEntry[] {
  let { place, hash: previous } = end;
  return contents.map((content) => {
    place += 1;
    const bare = {
      _id: activityKey(owner, place),
      store: owner,
      tenant: tenantOf(owner),
      place,
      moment: `${content.at} ${activityKey(owner, place)}`,
      ...content,
      previous,
    };
    previous = hashOf(bare);
    return { ...bare, hash: previous };
  });
}

/** Returns the SHA-256 of an entry without its own hash, as JSON with sorted names. */
function hashOf({ hash: _, ...entry }: Omit<ActivityEntry, "hash"> & { hash?: string }): string {
  return hash("sha256", JSON.stringify(sorted(entry)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, sorted(part)]));
}

/**
 * Follows the entries of one chain in order, from the last expired entry to the end that the chain's record names. An entry was
 * changed if its content does not match its hash, or if its hash is not the one that the next entry or the chain's end names. A
 * place without an entry means that the entry was removed.
 */
export async function verifyChain(
  { begin, end }: { begin: ChainEnd; end: ChainEnd },
  batches: AsyncIterable<readonly ActivityEntry[]> | Iterable<readonly ActivityEntry[]>,
): Promise<{ checked: number; faults: ChainFault[] }> {
  const faults: ChainFault[] = [];
  let checked = 0;
  let last = begin;
  const missUntil = (place: number) => {
    if (place > last.place + 1) faults.push({ place: last.place + 1, through: place - 1, is: "removed" });
  };
  const changed = (place: number) => {
    if (!faults.some((fault) => fault.place <= place && place <= fault.through))
      faults.push({ place, through: place, is: "changed" });
  };
  for await (const batch of batches)
    for (const entry of batch) {
      missUntil(entry.place);
      if (entry.place === last.place + 1 && entry.previous !== last.hash) changed(last.place === 0 ? 1 : last.place);
      if (hashOf(entry) !== entry.hash) changed(entry.place);
      checked += 1;
      last = entry;
    }
  missUntil(end.place + 1);
  if (last.place === end.place && last.hash !== end.hash) changed(last.place);
  return { checked, faults };
}
