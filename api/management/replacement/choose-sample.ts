/** A link that shows what is to be replaced. */
export interface Candidate {
  key: string;
  designId: string;
  /** Type of its label. */
  type: number | undefined;
  /** Letters of its item's name and price. */
  letters: number;
}

/**
 * At most so many links to draw: of each design on each label type in turns, and of these the longest texts first,
 * which are the first that do not fit. So no design or type goes unseen beside one with more labels, if there is room
 * for all.
 */
export function chooseSample(candidates: readonly Candidate[], most: number): string[] {
  const groups = Map.groupBy(candidates, ({ designId, type }) => `${designId} ${type}`);
  const sorted = [...groups.values()].map((group) => group.toSorted((one, other) => other.letters - one.letters));
  return inTurns(sorted, most).map(({ key }) => key);
}

/** At most so many of all groups: the first of each, the second of each, and so on. */
export function inTurns<One>(groups: readonly (readonly One[])[], most: number): One[] {
  const chosen: One[] = [];
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  for (let turn = 0; turn < longest && chosen.length < most; turn += 1)
    chosen.push(...groups.flatMap((group) => (turn < group.length ? [group[turn] as One] : [])));
  return chosen.slice(0, most);
}

/** At most so many of all, equally far apart: labels beside each other are of one store. */
export const spread = <One>(all: readonly One[], most: number): One[] =>
  all.length <= most
    ? [...all]
    : Array.from({ length: most }, (_, index) => all[Math.floor((index * all.length) / most)] as One);
