import { itemAt } from "../../../domain/items/item-at.ts";
import type { RecordKind } from "../../../records/kind.ts";
import { items, schedules } from "../../../records/kinds/items.ts";
import type { FoundTogether, KeyedRead, ReadTogether } from "../../../records/read-together.ts";
import type { Records } from "../../../records/records.ts";
import type { Item } from "../../../schemas/item.ts";
import type { Stored } from "../../../schemas/record.ts";

type Found = Map<string, Stored<unknown>>;

/** Reads records as they will be at a given time, if nothing else changes. */
export interface ReadAhead {
  read: ReadTogether;
  /** From now on, reads of these keys return these records. */
  put<Body>(kind: RecordKind<Body>, records: ReadonlyMap<string, Stored<Body>>): void;
  /** Returns the rev of the schedule that was applied when an item was read; 0 without a schedule. */
  scheduleRevOf(item: string): number;
}

/** Creates a reader that applies scheduled updates that are due by `at` to items. */
export function createReadAhead(records: Pick<Records, "read" | "readTogether">, at: Date): ReadAhead {
  const revs = new Map<string, number>();
  const replaced = new Map<string, Found>();

  async function itemsAhead(found: Found): Promise<Found> {
    const ofItems = await records.read(schedules, [...found.keys()]);
    for (const { _id, rev } of ofItems.values()) revs.set(_id, rev);
    return new Map(
      [...found].map(([key, item]) => [
        key,
        itemAt(item as Stored<Item>, ofItems.get(key)?.updates ?? [], at) as Stored<Item>,
      ]),
    );
  }

  async function ahead({ kind, keys, fields }: KeyedRead<never>, read: Found): Promise<Found> {
    const found = kind.name === items.name && fields === undefined ? await itemsAhead(read) : read;
    const others = replaced.get(kind.name);
    const known = keys.flatMap((key): [string, Stored<unknown>][] => {
      const record = others?.get(key);
      return record ? [[key, record]] : [];
    });
    return known.length > 0 ? new Map([...found, ...known]) : found;
  }

  return {
    async read<const Reads extends readonly KeyedRead<never>[]>(reads: Reads) {
      const found = (await records.readTogether(reads)) as unknown as Found[];
      const maps = reads.map((read, index) => ahead(read, found[index] ?? new Map()));
      return (await Promise.all(maps)) as unknown as FoundTogether<Reads>;
    },
    put: (kind, records) => void replaced.set(kind.name, new Map(records as ReadonlyMap<string, Stored<unknown>>)),
    scheduleRevOf: (item) => revs.get(item) ?? 0,
  };
}
