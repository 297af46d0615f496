import type { Handlers, JobHandler } from "../../queues/topology.ts";
import type { LabelOrder } from "../../schemas/jobs.ts";
import { urgencyOf } from "../../schemas/topics.ts";
import type { FlashWorld, OrderKind, TransmitterWorld } from "./world.ts";

/** Transmitter: does each label show what it should? (design, section 8) */
export const transmitter = (world: TransmitterWorld): Handlers<"transmitter"> => {
  const { applyChunks, showImages, noteReports, refreshLabels } = world;
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

/** What labels shall do now or not at all: flash, show another page for a while. */
export function labelOrders({ carryOut }: FlashWorld): Handlers<"flash"> {
  const carryOutAll =
    <Order extends LabelOrder>(kind: OrderKind): JobHandler<Order> =>
    async (orders) => {
      const waits = await Promise.all(orders.map(async (order) => [order, await carryOut(kind, order)] as const));
      return new Map(waits.flatMap(([order, afterMs]) => (afterMs === undefined ? [] : [[order, afterMs] as const])));
    };
  return { flash: carryOutAll("flash"), "display-page": carryOutAll("display-page") };
}
