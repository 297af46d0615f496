import type { ApplyRows } from "../../queues/requests/apply-chunks.ts";
import type { JobHandler } from "../../queues/topology.ts";
import type { LabelOrder, RequestChunk } from "../../schemas/jobs.ts";
import type { LabelReport } from "../../schemas/label-server.ts";
import type { Outcome } from "../../schemas/request.ts";
import type { Urgency } from "../../schemas/topics.ts";

export type OrderKind = "flash" | "display-page";

/** What the transmitter needs of the world. */
export interface TransmitterWorld {
  /** Makes a chunk's handler: it reads the rows, has them applied and keeps the outcomes. */
  applyChunks<Row>(apply: ApplyRows<Row>, refuse: (row: Row, error: Error) => Outcome): JobHandler<RequestChunk>;
  /** Notes what these labels should show, from eslimage.v1, and sends what they do not show yet. */
  showImages(labelKeys: readonly string[], urgency: Urgency): Promise<void>;
  /** Notes what labels reported, and sends what must be sent next. */
  noteReports(reports: readonly LabelReport[]): Promise<void>;
  /** Has every page of these labels, by barcode, sent again. */
  refreshLabels: ApplyRows<string>;
}

/** What carries out what labels shall do now. */
export interface FlashWorld {
  /** Carries an order out, or gives back after how many milliseconds it must be tried again. */
  carryOut(kind: OrderKind, order: LabelOrder): Promise<number | undefined>;
}
