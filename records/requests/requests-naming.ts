import type { Db } from "mongodb";
import { pageDrawingsKey } from "../../schemas/keys.ts";
import { numberOf } from "../../schemas/stamp.ts";
import { type Chunk, isVoid, journalCollection } from "./journal.ts";
import { urgenciesInOrder } from "./open-chunks.ts";

/** An accepted request of which a chunk is not applied yet, or an uploaded image of one that is not drawn yet. */
export type WaitingRequest = Pick<Chunk, "number" | "operation" | "urgency" | "ordered" | "drawnAt">;

/** The open requests of a store that name one of several ids, in the order of their numbers. */
export interface RequestsNaming {
  naming: WaitingRequest[];
  /** Whether the store has more open chunks than were looked at. */
  isCut: boolean;
}

const MAX_CHUNKS = 20;
const headFields = {
  number: 1,
  operation: 1,
  urgency: 1,
  ordered: 1,
  drawnAt: 1,
  journaledAt: 1,
  validFor: 1,
} as const;

/** Drawings of images are requests of their own numbers: the caller knows that of the upload, which stamped the row. */
function numberFor({ operation, number }: Pick<Chunk, "operation" | "number">, rows: string): number {
  if (operation !== "draw-pages") return number;
  const [row] = JSON.parse(rows) as { stamp: number }[];
  return row === undefined ? number : numberOf(row.stamp);
}

/**
 * Reads which of a store's first open requests have one of these ids in their rows. The rows of a chunk are up to 4 MiB,
 * so they are read one chunk after the other, and an id is looked for in their text.
 */
export const openRequestsNaming =
  (db: Db) =>
  async (store: string, ids: readonly string[]): Promise<RequestsNaming> => {
    const texts = ids.map((id) => JSON.stringify(id));
    const journal = journalCollection(db);
    const firstOf = async (owner: string) => {
      const byUrgency = urgenciesInOrder.map((urgency) =>
        journal
          .find({ open: true, urgency, store: owner }, { projection: headFields })
          .sort({ number: 1, index: 1 })
          .limit(MAX_CHUNKS + 1)
          .toArray(),
      );
      const heads = (await Promise.all(byUrgency)).flat().sort((a, b) => a.number - b.number);
      return { heads: heads.slice(0, MAX_CHUNKS).filter(isOpen), isCut: heads.length > MAX_CHUNKS };
    };
    // Drawings have numbers of their own: many of them must not take the places of the requests.
    const both = await Promise.all([store, pageDrawingsKey(store)].map(firstOf));
    const naming = new Map<number, WaitingRequest>();
    for (const { _id, ...head } of both.flatMap(({ heads }) => heads)) {
      const chunk = await journal.findOne({ _id }, { projection: { rows: 1 } });
      if (!chunk || !texts.some((text) => chunk.rows.includes(text))) continue;
      const { operation, urgency, ordered, drawnAt } = head;
      const number = numberFor(head, chunk.rows);
      naming.set(number, { number, operation, urgency, ordered, drawnAt });
    }
    const inOrder = [...naming.values()].sort((a, b) => a.number - b.number);
    return { naming: inOrder, isCut: both.some(({ isCut }) => isCut) };
  };

const isOpen = (head: Pick<Chunk, "drawnAt" | "journaledAt" | "validFor">): boolean => !isVoid(head);
