type Fields = Record<string, unknown>;

/**
 * Returns the index of each later entry in the earlier list; undefined for a new entry. Entries are matched first by id or name,
 * if it is unique in both lists, then by equal values, then by kind. Entries with different ids or names never match by kind.
 */
export function matchEntries(before: readonly Fields[], after: readonly Fields[]): (number | undefined)[] {
  const found: (number | undefined)[] = after.map(() => undefined);
  const taken = new Set<number>();
  for (const identify of [byId, byName, byValues, byKind]) {
    const candidates = groupsOf(before, identify, (index) => !taken.has(index));
    const open = groupsOf(after, identify, (index) => found[index] === undefined);
    const isUnique = identify === byId || identify === byName;
    for (const [identity, indexes] of open) {
      const formers = candidates.get(identity) ?? [];
      if (isUnique && (indexes.length > 1 || formers.length > 1)) continue;
      for (const [turn, index] of indexes.entries()) {
        const former = formers[turn];
        if (former === undefined) break;
        found[index] = former;
        taken.add(former);
      }
    }
  }
  return found;
}

/**
 * Returns the later entries that did not move: the longest run of matched entries whose order is the same in both lists. All
 * other matched entries moved.
 */
export function keptInPlace(formerIndexes: readonly (number | undefined)[]): Set<number> {
  const matched = formerIndexes.flatMap((former, index) => (former === undefined ? [] : [{ former, index }]));
  // For each length, the run with the smallest end; and for each entry, its predecessor in its run.
  const ends: { former: number; index: number }[] = [];
  const previous = new Map<number, number | undefined>();
  for (const entry of matched) {
    const place = firstNotBelow(ends, entry.former);
    previous.set(entry.index, ends[place - 1]?.index);
    ends[place] = entry;
  }
  const kept = new Set<number>();
  for (let index = ends.at(-1)?.index; index !== undefined; index = previous.get(index)) kept.add(index);
  return kept;
}

/** Binary search, because the ends ascend. */
function firstNotBelow(ends: readonly { former: number }[], former: number): number {
  let [from, to] = [0, ends.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ends[middle]?.former ?? 0) < former) from = middle + 1;
    else to = middle;
  }
  return from;
}

type Identify = (entry: Fields) => string | undefined;

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const byId: Identify = ({ id }) => textOf(id);
const byName: Identify = ({ name }) => textOf(name);
const byValues: Identify = (entry) => JSON.stringify(entry);
const byKind: Identify = (entry) =>
  byId(entry) === undefined && byName(entry) === undefined ? (textOf(entry.kind) ?? "") : undefined;

function groupsOf(entries: readonly Fields[], identify: Identify, isOpen: (index: number) => boolean) {
  const groups = new Map<string, number[]>();
  for (const [index, entry] of entries.entries()) {
    const identity = isOpen(index) ? identify(entry) : undefined;
    if (identity === undefined) continue;
    const group = groups.get(identity);
    if (group) group.push(index);
    else groups.set(identity, [index]);
  }
  return groups;
}
