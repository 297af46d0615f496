import type { Db } from "mongodb";
import { keysUnder } from "../../schemas/keys.ts";
import { journalCollection } from "./journal.ts";

/** How much of a tenant waits to be drawn. */
export interface WaitingUploads {
  uploads: number;
  pixels: number;
}

/** Reads the uploads of a tenant's stores that are accepted and not drawn yet, from the open chunks of the journal. */
export const openWaitingUploads =
  (db: Db) =>
  async (tenant: string): Promise<WaitingUploads> => {
    const chunks = await journalCollection(db)
      .find(
        { store: keysUnder(`${tenant}/`), pixels: { $exists: true }, open: true },
        { projection: { _id: 0, pixels: 1 } },
      )
      .toArray();
    return { uploads: chunks.length, pixels: chunks.reduce((sum, { pixels = 0 }) => sum + pixels, 0) };
  };
