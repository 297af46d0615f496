import type { Handlers, JobHandler } from "../../queues/topology.ts";
import type { LabelOrder } from "../../schemas/jobs.ts";
import { rowFailed } from "../../schemas/row-notice.ts";
import type { Store } from "../../schemas/store.ts";
import { urgencyOf } from "../../schemas/topics.ts";
import type { FlashWorld, OrderKind, TransmitterWorld } from "./world.ts";

/** Transmitter: makes each label show its eslimage.v1 record (docs/architecture/guarantees.md#the-newest-picture-wins). */
export const transmitter = (world: TransmitterWorld): Handlers<"transmitter"> => {
  const { applyChunks, showImages, tryAnew, decideWaits, promptReports, refreshLabels } = world;
  return {
    "eslimage.v1": async (changes) =>
      showImages(
        changes.map(({ key }) => key),
        urgencyOf(changes),
      ),
    store: async (changes) => {
      const changedIn = (fields: ReadonlySet<string>) =>
        changes.filter(({ changed }) => changed.some((field) => fields.has(field)));
      for (const { key } of changedIn(reachedBy)) await tryAnew(key);
      for (const { key } of changedIn(quietBy)) await decideWaits(key);
    },
    reports: async ({ length }) => {
      promptReports(length);
      return [];
    },
    "refresh-labels": applyChunks(refreshLabels, (barcode, error) => ({
      barcode,
      status: "ERROR",
      ...rowFailed(error),
    })),
  };
};

/** The fields of a store that determine how its labels are reached. */
const reachedBy: ReadonlySet<string> = new Set(["linkDepartments", "labelServer"] satisfies (keyof Store)[]);
/** The fields of a store that determine when the store is quiet. */
const quietBy: ReadonlySet<string> = new Set(["quietHours", "timeZone"] satisfies (keyof Store)[]);

/**
 * Handlers of the flash queue: flashes and their sequences, and pages that labels show for a while. A late order is dropped.
 */
export function labelOrders({ carryOut, continueSequences }: FlashWorld): Handlers<"flash"> {
  const carryOutAll =
    <Order extends LabelOrder>(kind: OrderKind): JobHandler<Order> =>
    async (orders) => {
      const delays = await Promise.all(orders.map(async (order) => [order, await carryOut(kind, order)] as const));
      return new Map(delays.flatMap(([order, afterMs]) => (afterMs === undefined ? [] : [[order, afterMs] as const])));
    };
  return {
    flash: carryOutAll("flash"),
    "display-page": carryOutAll("display-page"),
    "flashsequence.v1": (changes) => continueSequences(changes.map(({ key }) => key)),
  };
}
