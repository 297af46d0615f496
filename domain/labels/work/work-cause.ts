import type { CauseName } from "../../../schemas/explanation.ts";
import { type WorkCauseName, workCauseNames } from "../../../schemas/work-list.ts";

/** What decides whether a label needs somebody. */
export interface WorkFacts {
  /** The gravest cause of its explanation. */
  cause: CauseName;
  /** Whether its battery is to be replaced. */
  isBatteryDue: boolean;
  /** Whether the price of one of its items is held. */
  isHeld: boolean;
}

/** What is to be done about a label that is faulty or does not answer; no work for the other causes. */
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

/** The causes of labels that are faulty or do not answer. */
export const troubles: ReadonlySet<WorkCauseName> = new Set(Object.values(workOf));

/** The one cause for which a label needs somebody; undefined if it needs nobody. */
export function workCauseOf({ cause, isBatteryDue, isHeld }: WorkFacts): WorkCauseName | undefined {
  const trouble = workOf[cause];
  if (trouble !== undefined) return trouble;
  if (isBatteryDue) return "BATTERY";
  return isHeld ? "HELD_PRICE" : undefined;
}

/** Place of a cause among all of them: 0 is the worst. */
export const rankOf = (cause: WorkCauseName): number => workCauseNames.indexOf(cause);
