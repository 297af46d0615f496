import type { Db } from "mongodb";
import { type Journal, journalCollection } from "../journal.ts";
import { requestState } from "../numbers.ts";

/** A request of a price list that may still change items: it is being applied, or price guards hold it. */
export interface OpenListRequest {
  number: number;
  isHeld: boolean;
}

/**
 * Finds a request of a store's price list that is held or not completely applied; undefined if there is none. An applied chunk of
 * a request adds only its own items to the list.
 */
export const findOpenListRequest =
  (db: Db, { readRequest }: Pick<Journal, "readRequest">) =>
  async (store: string, list: string): Promise<OpenListRequest | undefined> => {
    const journal = journalCollection(db);
    const first = { projection: { _id: 0, number: 1 } } as const;
    const open = await journal.find({ store, list, open: true }, first).toArray();
    for (const number of new Set(open.map((chunk) => chunk.number)))
      if (["partial", "open"].includes(requestState(await readRequest(store, number))))
        return { number, isHeld: false };
    const held = await journal.findOne({ store, list, "hold.open": true }, first);
    return held === null ? undefined : { number: held.number, isHeld: true };
  };
