import type { CauseName } from "../../../schemas/explanation.ts";
import { type WorkCauseName, workCauseNames } from "../../../schemas/work-list.ts";

/** The facts that decide whether a label needs attention. */
export interface WorkFacts {
  /** The most serious cause in its explanation. */
  cause: CauseName;
  /** Whether its battery must be replaced. */
  isBatteryDue: boolean;
  /** Whether the price of one of its items is held. */
  isHeld: boolean;
}

/** The work for a label that is faulty or does not respond. The other causes require no work. */
const workOf: Readonly<Partial<Record<CauseName, WorkCauseName>>> = {
  PICTURE_FAULT: "BLANK",
  LABEL_OFFLINE: "NOT_ANSWERING",
  GIVEN_UP: "NOT_TAKEN",
  STAGE_FAILS: "NOT_SENT",
  REDIS_AWAY: "NOT_SENT",
  REDIS_FULL: "NOT_SENT",
  PROCESS_MISSING: "NOT_SENT",
  GATEWAY_OFFLINE: "NOT_SENT",
  LABEL_SERVER_AWAY: "NOT_SENT",
  LABEL_SERVER_DENIES: "NOT_SENT",
};

/** The causes of work for labels that are faulty or do not respond. */
export const troubles: ReadonlySet<WorkCauseName> = new Set(Object.values(workOf));

/** Returns the one cause for which a label needs attention; undefined if it needs none. */
export function workCauseOf({ cause, isBatteryDue, isHeld }: WorkFacts): WorkCauseName | undefined {
  const trouble = workOf[cause];
  if (trouble !== undefined) return trouble;
  if (isBatteryDue) return "BATTERY";
  return isHeld ? "HELD_PRICE" : undefined;
}

/** Returns the rank of a cause among all causes: 0 is the worst. */
export const rankOf = (cause: WorkCauseName): number => workCauseNames.indexOf(cause);
