/** Waiting entries whose owners take turns. */
export interface Turns<Entry> {
  add(entry: Entry): void;
  /** The entry whose turn it is, without removing it. Undefined if none is waiting. */
  peek(): Entry | undefined;
  /** Removes and returns the entry whose turn it is. */
  take(): Entry | undefined;
}

/** The owners of one level, in the order of their turns; the entries are at the lowest level. */
interface Level<Entry> {
  owners: Map<string, Level<Entry>>;
  entries: Entry[];
}

/**
 * Takes entries from owners that take turns, and an owner's entries in order of arrival. `ownersOf` returns the owners of an
 * entry, highest level first, such as its tenant and its store: tenants take turns, and so do the stores within a tenant. An
 * owner's next entry waits for at most one entry of every other owner on its level.
 */
export function createTurns<Entry>(ownersOf: (entry: Entry) => readonly string[]): Turns<Entry> {
  const root: Level<Entry> = { owners: new Map(), entries: [] };

  function peek({ entries, owners }: Level<Entry>): Entry | undefined {
    if (entries.length > 0) return entries[0];
    const [next] = owners.values();
    return next && peek(next);
  }

  function take({ entries, owners }: Level<Entry>): Entry | undefined {
    if (entries.length > 0) return entries.shift();
    const [next] = owners;
    if (next === undefined) return undefined;
    const [owner, level] = next;
    const taken = take(level);
    owners.delete(owner);
    if (level.entries.length > 0 || level.owners.size > 0) owners.set(owner, level);
    return taken;
  }

  return {
    add(entry) {
      let level = root;
      for (const owner of ownersOf(entry)) {
        const below = level.owners.get(owner) ?? { owners: new Map(), entries: [] };
        level.owners.set(owner, below);
        level = below;
      }
      level.entries.push(entry);
    },
    peek: () => peek(root),
    take: () => take(root),
  };
}
