import type { ApplyRows } from "../../queues/requests/stamped-rows.ts";
import type { JobHandler } from "../../queues/topology.ts";
import type { LabelOrder, RequestChunk } from "../../schemas/jobs.ts";
import type { Outcome } from "../../schemas/request.ts";
import type { Urgency } from "../../schemas/urgency.ts";

export type OrderKind = "flash" | "display-page";

/** What the transmitter needs from the world. */
export interface TransmitterWorld {
  /** Creates a chunk handler: it reads the rows, applies them and stores the outcomes. */
  applyChunks<Row>(apply: ApplyRows<Row>, refuse: (row: Row, error: Error) => Outcome): JobHandler<RequestChunk>;
  /** Stores what these labels should show, from eslimage.v1, and sends the pages that they do not show yet. */
  showImages(labelKeys: readonly string[], urgency: Urgency): Promise<void>;
  /** Immediately tries a store's labels in ERROR again: they may now be reachable in a different way. */
  tryAnew(store: string): Promise<void>;
  /** Decides again which transmissions of a store wait for the end of its quiet hours, once every process knows its new hours. */
  decideWaits(store: string): Promise<void>;
  /**
   * Starts applying this many batches of the reports that wait in MongoDB, and sending the pages that the labels need next. The
   * calling job, which only an earlier release enqueues, does not wait for the result: waiting jobs would occupy every place.
   */
  promptReports(batches: number): void;
  /** Marks every page of these labels, by barcode, to be sent again. */
  refreshLabels: ApplyRows<string>;
}

/** What the flash queue's handlers need from the world. */
export interface FlashWorld {
  /** Sends an order and records its result; returns the milliseconds after which it must be retried, if it must. */
  carryOut(kind: OrderKind, order: LabelOrder): Promise<number | undefined>;
  /** Advances flash sequences, and sends the orders of sequences that advanced. */
  continueSequences(keys: readonly string[]): Promise<void>;
}
