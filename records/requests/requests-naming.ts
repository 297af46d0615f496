import type { Db } from "mongodb";
import { pageDrawingsKey } from "../../schemas/keys.ts";
import { numberOf } from "../../schemas/stamp.ts";
import { type Chunk, isVoid, journalCollection } from "./journal.ts";
import { urgenciesInOrder } from "./open-chunks.ts";

/** An accepted request with a chunk that is not yet applied, or with an uploaded image that is not yet drawn. */
export type WaitingRequest = Pick<Chunk, "number" | "operation" | "urgency" | "ordered" | "drawnAt">;

/** A store's open requests that name one of several ids, in number order. */
export interface RequestsNaming {
  naming: WaitingRequest[];
  /** Whether the store has more open chunks than were examined. */
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

/**
 * Image drawings are requests with their own numbers. The caller knows only the upload's number, which is in the row's stamp.
 */
function numberFor({ operation, number }: Pick<Chunk, "operation" | "number">, rows: string): number {
  if (operation !== "draw-pages") return number;
  const [row] = JSON.parse(rows) as { stamp: number }[];
  return row === undefined ? number : numberOf(row.stamp);
}

/**
 * Finds, among a store's first open requests, those that have one of these ids in their rows. A chunk's rows take up as much
 * as 8 MiB, so rows are read chunk by chunk, and their text is searched for the ids.
 */
export const openRequestsNaming =
  (db: Db) =>
  async (store: string, ids: readonly string[]): Promise<RequestsNaming> => {
    const texts = ids.map((id) => JSON.stringify(id));
    const found: WaitingRequest[] = [];
    const isCut = await readFirstChunks(db, store, (request, rows) => {
      if (texts.some((text) => rows.includes(text))) found.push(request);
    });
    return { naming: inOrder(found), isCut };
  };

/** A store's first open requests, read once for many labels. */
export interface OpenRequests {
  /** The requests that refer to one of these ids. */
  naming(ids: readonly string[]): WaitingRequest[];
  isCut: boolean;
}

/** Reads a store's first open requests with the ids that their rows name; values of item properties are not ids. */
export const readOpenRequests =
  (db: Db) =>
  async (store: string): Promise<OpenRequests> => {
    const byId = new Map<string, WaitingRequest[]>();
    const isCut = await readFirstChunks(db, store, (request, rows) => {
      for (const id of textsIn(JSON.parse(rows))) {
        const others = byId.get(id);
        if (others) others.push(request);
        else byId.set(id, [request]);
      }
    });
    return { naming: (ids) => inOrder(ids.flatMap((id) => byId.get(id) ?? [])), isCut };
  };

/** Returns every string in the rows, except those in item properties. */
function textsIn(rows: unknown): Set<string> {
  const texts = new Set<string>();
  const open = [rows];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string") texts.add(value);
    else if (typeof value === "object" && value !== null)
      for (const [name, part] of Object.entries(value)) if (name !== "properties") open.push(part);
  }
  return texts;
}

/** Reads the first open chunks one after another; returns true if there are more. */
async function readFirstChunks(
  db: Db,
  store: string,
  take: (request: WaitingRequest, rows: string) => void,
): Promise<boolean> {
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
  // Drawings have their own counter: many drawings must not displace the requests.
  const both = await Promise.all([store, pageDrawingsKey(store)].map(firstOf));
  for (const { _id, ...head } of both.flatMap(({ heads }) => heads)) {
    const chunk = await journal.findOne({ _id }, { projection: { rows: 1 } });
    if (chunk === null) continue;
    const { operation, urgency, ordered, drawnAt } = head;
    take({ number: numberFor(head, chunk.rows), operation, urgency, ordered, drawnAt }, chunk.rows);
  }
  return both.some(({ isCut }) => isCut);
}

/** Sorts requests by number and returns each once, since a request may have several chunks. */
const inOrder = (requests: readonly WaitingRequest[]): WaitingRequest[] =>
  [...new Map(requests.map((request) => [request.number, request])).values()].sort((a, b) => a.number - b.number);

const isOpen = (head: Pick<Chunk, "drawnAt" | "journaledAt" | "validFor">): boolean => !isVoid(head);
