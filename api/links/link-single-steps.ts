import type { studioLinkDerivation } from "../../queues/derivations/studio-link.ts";
import { createLinkLabels, createPlanLabels } from "../../queues/linking/link-labels.ts";
import type { System } from "../../queues/system.ts";
import type { SchemeOf } from "../../records/linking/barcode-schemes.ts";
import { chunkKey } from "../../schemas/keys.ts";
import { rowErrors, rowNotice } from "../../schemas/row-notice.ts";
import { stampOf } from "../../schemas/stamp.ts";
import { createSettleHere } from "../requests/apply-here.ts";
import { createLinkProgress } from "./link-progress.ts";
import type { LinkSingleWorld } from "./link-single.ts";

/** The steps of a single link on real records: the row is journaled like any request, then applied by this process. */
export function createLinkSingleSteps(
  system: System,
  schemeOf: SchemeOf,
  studioLinkRule: ReturnType<typeof studioLinkDerivation>,
): LinkSingleWorld {
  const { records, journal, numbers, enqueueChunks, accept, clock, isUnavailable } = system;
  const planLabels = createPlanLabels({ records, schemeOf });
  const linkLabels = createLinkLabels({ ...system, schemeOf });
  const settleHere = createSettleHere(system);
  return {
    schemeOf,
    clock,
    isUnavailable,
    isSettledBefore: numbers.isSettledBefore,
    progressOf: createLinkProgress(records, system, studioLinkRule),
    async planRow(store, row) {
      const { plans } = await planLabels(store, [row]);
      return plans[0] ?? { links: [], outcomes: [] };
    },
    async journal(store, row) {
      const [chunk] = await accept({ store, operation: "patch-labels", rows: [row], ordered: true });
      return chunk ?? { number: 0, urgency: "interactive" };
    },
    async leaveToWorker(store, number) {
      const key = chunkKey(store, number, 0);
      const chunk = (await journal.read([key])).get(key);
      if (chunk) await enqueueChunks([chunk]);
    },
    async apply(store, { number, urgency }, row) {
      const [applied = []] = await linkLabels(store, [{ row, stamp: stampOf(number, 0) }], urgency);
      await settleHere(store, number, applied);
      return applied[0] ?? { status: "ERROR", ...rowErrors(rowNotice("NOTHING_LINKED", {})) };
    },
  };
}
