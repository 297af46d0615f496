import { type Addressing, transceiversOf } from "../../records/linking/transceivers.ts";
import type { ActionResult } from "../../schemas/action.ts";
import type { Label } from "../../schemas/label.ts";
import { plStateOf, type ShownState } from "../../schemas/label-state.ts";
import type { LabelType, LinkDepartment } from "../../schemas/tenant.ts";

/** What must be known of a label to act on it now. */
export interface ActionFacts {
  /** Undefined where nobody has made it yet. */
  label: Label | undefined;
  /** By its barcode; undefined where that is not valid, or its type not known. */
  labelType: LabelType | undefined;
  state: Pick<ShownState, "wanted" | "shown" | "lastSeen"> | undefined;
}

/** Whether a label can be told now, and through which transceivers. */
export interface Judgement {
  result: ActionResult;
  transceivers: string[];
}

/**
 * Judges a label that shall do something which labels of its type can do or not. Nothing is sent to one that is OFFLINE,
 * or that no transceiver reaches (decisions, Actions).
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

/** Orders in turns of the transceivers that they go through, so that all of them work from the beginning. */
export function takeTurns<Order extends { transceivers: readonly string[] }>(orders: readonly Order[]): Order[] {
  const groups = [...Map.groupBy(orders, ({ transceivers }) => transceivers.join()).values()];
  const turns = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: turns }, (_, turn) => groups.flatMap((group) => group[turn] ?? [])).flat();
}
