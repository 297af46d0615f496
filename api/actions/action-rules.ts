import { plStateOf } from "../../domain/labels/pl-state.ts";
import { type Addressing, transceiversOf } from "../../domain/linking/transceivers.ts";
import type { ActionResult } from "../../schemas/action.ts";
import type { Label } from "../../schemas/label.ts";
import type { ShownState } from "../../schemas/label-state.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import type { LinkDepartment } from "../../schemas/store.ts";

/** The facts about a label by which an action is judged. */
export interface ActionFacts {
  /** The label's record; undefined if it does not exist yet. */
  label: Label | undefined;
  /** The type that the record or the barcode names; undefined if the barcode is invalid or the type is unknown. */
  labelType: LabelType | undefined;
  state: Pick<ShownState, "wanted" | "shown" | "lastSeen" | "checksIn"> | undefined;
}

/** Whether a label can be reached now, and through which transceivers. */
export interface Judgement {
  result: ActionResult;
  transceivers: string[];
}

/**
 * Judges an action on a label: UNSUPPORTED if the label's type cannot do it, UNREACHABLE if the label is OFFLINE or no
 * transceiver reaches it, otherwise OK. The action is sent only if it is OK
 * (docs/integrators/labels.md#flashing-pages-and-other-actions).
 */
export function judgeAction(
  { label, state }: ActionFacts,
  isSupported: boolean,
  departments: readonly LinkDepartment[],
  clock: { now: Date; offlineAfterMs: number },
  through: Addressing = label ?? {},
): Judgement {
  if (!isSupported) return { result: "UNSUPPORTED", transceivers: [] };
  const isOffline = plStateOf(state, false, clock.now, clock.offlineAfterMs) === "OFFLINE";
  const transceivers = transceiversOf(through, departments);
  return isOffline || !Array.isArray(transceivers)
    ? { result: "UNREACHABLE", transceivers: [] }
    : { result: "OK", transceivers };
}

/** Interleaves orders by their transceivers, round-robin, so that every transceiver has work from the start. */
export function interleaveByTransceivers<Order extends { transceivers: readonly string[] }>(
  orders: readonly Order[],
): Order[] {
  const groups = [...Map.groupBy(orders, ({ transceivers }) => transceivers.join()).values()];
  const rounds = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => groups.flatMap((group) => group[round] ?? [])).flat();
}
