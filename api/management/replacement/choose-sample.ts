/** A link that shows what is being replaced. */
export interface Candidate {
  key: string;
  designId: string;
  /** The label's type. */
  type: number | undefined;
  /** Number of letters in the item's name and price. */
  letters: number;
}

/**
 * Chooses at most this many links to draw. For each design on each label type in turn, it takes the links with the
 * longest text, which is the first not to fit. Every design and type is thus represented if `most` allows, even if
 * others have far more labels.
 */
export function chooseSample(candidates: readonly Candidate[], most: number): string[] {
  const groups = Map.groupBy(candidates, ({ designId, type }) => `${designId} ${type}`);
  const sorted = [...groups.values()].map((group) => group.toSorted((one, other) => other.letters - one.letters));
  return inTurns(sorted, most).map(({ key }) => key);
}

/** Takes at most this many elements from all groups: the first of each, the second of each, and so on. */
export function inTurns<One>(groups: readonly (readonly One[])[], most: number): One[] {
  const chosen: One[] = [];
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  for (let turn = 0; turn < longest && chosen.length < most; turn += 1)
    chosen.push(...groups.flatMap((group) => (turn < group.length ? [group[turn] as One] : [])));
  return chosen.slice(0, most);
}

/** Chooses at most this many links at equal intervals, because neighbouring links belong to one store. */
export const spread = <One>(all: readonly One[], most: number): One[] =>
  all.length <= most
    ? [...all]
    : Array.from({ length: most }, (_, index) => all[Math.floor((index * all.length) / most)] as One);
