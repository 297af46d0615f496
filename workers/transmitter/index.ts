import type { ApplyRows } from "../../queues/requests/apply-chunks.ts";
import type { Handlers, JobHandler } from "../../queues/topology.ts";
import type { LabelOrder, RequestChunk } from "../../schemas/jobs.ts";
import type { LabelReport } from "../../schemas/label-server.ts";
import type { Outcome } from "../../schemas/request.ts";
import { type Urgency, urgencyOf } from "../../schemas/topics.ts";

/** What the transmitter needs of the world. */
export interface Dependencies {
  /** Makes a chunk's handler: it reads the rows, has them applied and keeps the outcomes. */
  applyChunks<Row>(apply: ApplyRows<Row>, refuse: (row: Row, error: Error) => Outcome): JobHandler<RequestChunk>;
  /** Notes what these labels should show, from eslimage.v1, and sends what they do not show yet. */
  showImages(labelKeys: readonly string[], urgency: Urgency): Promise<void>;
  /** Notes what labels reported, and sends what must be sent next. */
  noteReports(reports: readonly LabelReport[]): Promise<void>;
  /** Has every page of these labels, by barcode, sent again. */
  refreshLabels: ApplyRows<string>;
}

/** Transmitter: does each label show what it should? (design, section 8) */
export const transmitter = (dependencies: Dependencies): Handlers<"transmitter"> => {
  const { applyChunks, showImages, noteReports, refreshLabels } = dependencies;
  return {
    "eslimage.v1": async (changes) =>
      showImages(
        changes.map(({ key }) => key),
        urgencyOf(changes),
      ),
    reports: async (batches) => {
      await noteReports(batches.flatMap(({ reports }) => reports));
      return [];
    },
    "refresh-labels": applyChunks(refreshLabels, (barcode, error) => ({
      barcode,
      status: "ERROR",
      errors: [error.message],
    })),
  };
};

export type OrderKind = "flash" | "display-page";

/** What carries out what labels shall do now. */
export interface OrderDependencies {
  /** Carries an order out, or gives back after how many milliseconds it must be tried again. */
  carryOut(kind: OrderKind, order: LabelOrder): Promise<number | undefined>;
}

/** What labels shall do now or not at all: flash, show another page for a while. */
export function labelOrders({ carryOut }: OrderDependencies): Handlers<"flash"> {
  const carryOutAll =
    <Order extends LabelOrder>(kind: OrderKind): JobHandler<Order> =>
    async (orders) => {
      const waits = await Promise.all(orders.map(async (order) => [order, await carryOut(kind, order)] as const));
      return new Map(waits.flatMap(([order, afterMs]) => (afterMs === undefined ? [] : [[order, afterMs] as const])));
    };
  return { flash: carryOutAll("flash"), "display-page": carryOutAll("display-page") };
}
