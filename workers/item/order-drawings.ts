import type { EnqueueChunks } from "../../queues/requests/enqueue-chunks.ts";
import type { AcceptChildren } from "../../records/requests/child-requests.ts";
import { causeOfWrite } from "../../runtime/causes.ts";
import { pageDrawingsKey } from "../../schemas/keys.ts";
import type { ItemWorld } from "./world.ts";

interface Dependencies {
  acceptChildren: AcceptChildren;
  enqueueChunks: EnqueueChunks;
}

/**
 * Orders drawings as child requests with their own counter, so that the store's numbers are settled without waiting for drawings.
 */
export const createOrderDrawing =
  ({ acceptChildren, enqueueChunks }: Dependencies): ItemWorld["orderDrawing"] =>
  async ({ store, parent, row, urgency }) => {
    const request = {
      operation: "draw-pages",
      rows: [row],
      ordered: false,
      pixels: row.pixels,
      cause: causeOfWrite(row),
    } as const;
    const drawings = pageDrawingsKey(store);
    const chunks = await acceptChildren({ parent, stamp: row.stamp, stores: [drawings], request, urgency });
    await enqueueChunks(chunks);
    return { store: drawings, number: chunks[0]?.number ?? 0 };
  };
