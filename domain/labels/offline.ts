import type { LabelState } from "../../schemas/label-state.ts";

type Heard = Pick<LabelState, "lastSeen" | "checksIn">;

/** Whether a label has not been heard from for a long time; for a label that does not check in, this means nothing. */
const isSilent = ({ lastSeen }: Heard, now: Date, offlineAfterMs: number): boolean =>
  lastSeen !== undefined && now.getTime() - lastSeen.getTime() > offlineAfterMs;

/** Whether a label that checks in has not been heard from for a long time. */
export const isOffline = (state: Heard, now: Date, offlineAfterMs: number): boolean =>
  state.checksIn === true && isSilent(state, now, offlineAfterMs);

/** Whether it is unknown if a label still exists: the label does not check in, and has not been heard from for a long time. */
export const isQuiet = (state: Heard, now: Date, offlineAfterMs: number): boolean =>
  state.checksIn !== true && isSilent(state, now, offlineAfterMs);
