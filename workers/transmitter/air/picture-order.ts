/** Entries that wait for their turn. */
export interface Order<Entry> {
  add(entry: Entry): void;
  /** Adds an entry that comes first among the entries of its urgency. */
  addFirst(entry: Entry): void;
  /** Takes the entry whose turn it is. */
  take(): Entry | undefined;
  /** Takes all entries, urgent ones first. */
  takeAll(): Entry[];
}

interface OrderOptions<Entry> {
  isUrgent(entry: Entry): boolean;
  /** Returns an entry's size in bytes. */
  sizeOf(entry: Entry): number;
}

/** One in this many turns goes to the entry that has waited longest, regardless of its size. */
export const TURNS_PER_OLDEST = 4;

/**
 * Orders urgent entries before others and, at equal urgency, small entries before large ones. Sizes count as equal if they have
 * the same number of binary digits. A large entry with `n` older entries of its urgency is among the next
 * `TURNS_PER_OLDEST * (n + 1)` entries of that urgency.
 */
export function createOrder<Entry>({ isUrgent, sizeOf }: OrderOptions<Entry>): Order<Entry> {
  const urgent = createBySize(sizeOf);
  const others = createBySize(sizeOf);
  const of = (entry: Entry) => (isUrgent(entry) ? urgent : others);
  return {
    add: (entry) => of(entry).add(entry),
    addFirst: (entry) => of(entry).addFirst(entry),
    take: () => urgent.take() ?? others.take(),
    takeAll: () => [...urgent.takeAll(), ...others.takeAll()],
  };
}

interface Waiting<Entry> {
  entry: Entry;
  /** The entry's position among all added entries. */
  position: number;
}

function createBySize<Entry>(sizeOf: (entry: Entry) => number): Order<Entry> {
  const first: Entry[] = [];
  /** Waiting entries by the number of binary digits of their size, in order of arrival. */
  const classes = new Map<number, Waiting<Entry>[]>();
  let added = 0;
  let turns = 0;

  const smallestClass = (): number => Math.min(...classes.keys());
  const oldestClass = (): number =>
    [...classes].reduce((oldest, next) => (headOf(next) < headOf(oldest) ? next : oldest))[0];
  const headOf = ([, [head]]: [number, Waiting<Entry>[]]): number => head?.position ?? Number.POSITIVE_INFINITY;

  function take(): Entry | undefined {
    if (first.length > 0) return first.shift();
    if (classes.size === 0) return undefined;
    turns += 1;
    const size = turns % TURNS_PER_OLDEST === 0 ? oldestClass() : smallestClass();
    const waiting = classes.get(size) ?? [];
    const taken = waiting.shift();
    if (waiting.length === 0) classes.delete(size);
    return taken?.entry;
  }

  return {
    add(entry) {
      added += 1;
      const size = Math.ceil(Math.log2(sizeOf(entry) + 1));
      const waiting = classes.get(size) ?? [];
      waiting.push({ entry, position: added });
      classes.set(size, waiting);
    },
    addFirst: (entry) => void first.unshift(entry),
    take,
    takeAll() {
      const waiting = [...classes.values()].flat().sort((a, b) => a.position - b.position);
      classes.clear();
      return [...first.splice(0), ...waiting.map(({ entry }) => entry)];
    },
  };
}
