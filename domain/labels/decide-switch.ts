import { ALL_PERCENT, type CalledOffReason, type Switch } from "../../schemas/switch.ts";

/** So long before its time a switch is decided, unless its caller says otherwise. */
export const DECIDE_AHEAD_MS = 60_000;
/** An order that leaves later may come too late. */
const LATEST_ORDER_MS = 3_000;
/** After its time a switch is over: whatever labels have not reported by then is sent to them. */
const OVER_AFTER_MS = 60_000;

/** How far the labels of a switch are together. STALE: for one of them the label server has a picture that is out of date. */
export type SwitchProgress = "READY" | "NOT_READY" | "STALE";

/**
 * What becomes of a switch that is being prepared; undefined while it is open. It is decided at the deadline, from a
 * preparation that began after it: all changes before the deadline are in the pictures. While the label server has a stale
 * picture nothing is ordered, since the order is for all.
 */
export function decideSwitch(current: Switch, progress: SwitchProgress, now: Date): Switch | undefined {
  const { state, showAt, deadline, atDeadline, preparedAt } = current;
  if (state !== "PREPARING" || now < deadline) return undefined;
  if (current.commit === "AWAITED") return calledOff(current, "NOT_COMMITTED");
  if (now >= showAt) return calledOff(current, "TOO_LATE");
  if (preparedAt === undefined || preparedAt < deadline || progress === "STALE")
    return now.getTime() > showAt.getTime() - LATEST_ORDER_MS ? calledOff(current, "NOT_PREPARED") : undefined;
  if (progress === "NOT_READY" && atDeadline === "CALL_OFF") return calledOff(current, "NOT_READY");
  return { ...current, state: "ORDERED" };
}

/** How many labels of a switch have a picture for it, and how many of these keep it. */
export interface SwitchReadiness {
  prepared: number;
  ready: number;
}

/** Whether enough labels of a switch are ready; never before all of its pictures were prepared once. */
export const isReady = (
  { preparedAt, readyPercent = ALL_PERCENT }: Pick<Switch, "preparedAt" | "readyPercent">,
  { prepared, ready }: SwitchReadiness,
): boolean => preparedAt !== undefined && ready * ALL_PERCENT >= prepared * readyPercent;

/** A switch that is committed; undefined if that is not awaited, or comes too late. */
export const committed = (current: Switch, now: Date): Switch | undefined =>
  current.state === "PREPARING" && current.commit === "AWAITED" && now < current.deadline
    ? { ...current, commit: "COMMITTED" }
    : undefined;

/**
 * A switch whose time has come although nobody has committed it; undefined for any other. Its changes are dropped, so it can no
 * longer be committed.
 */
export const givenUp = (current: Switch): Switch | undefined =>
  current.commit === "AWAITED" && current.state !== "CALLED_OFF" ? calledOff(current, "NOT_COMMITTED") : undefined;

/** The switch that scheduled changes make by themselves: labels that are not ready at its deadline hold up no other. */
export const automaticSwitch = (showAt: Date): Switch => ({
  showAt,
  deadline: new Date(showAt.getTime() - DECIDE_AHEAD_MS),
  atDeadline: "GO_AHEAD",
  state: "PREPARING",
  isAutomatic: true,
  open: true,
});

/** A switch that is called off; its label server must forget what it keeps for it. */
export const calledOff = (current: Switch, reason: CalledOffReason): Switch => ({
  ...current,
  state: "CALLED_OFF",
  reason,
  isTaken: undefined,
  isPartlyTaken: undefined,
  open: true,
});

/** What the label servers of a switch said to its order together. */
export type SwitchOrdered = "taken" | "partly taken" | "refused" | "later";

/** A switch after its order was sent; undefined if nothing changes. */
export function afterOrder(current: Switch, answer: SwitchOrdered): Switch | undefined {
  if (current.state !== "ORDERED" || answer === "later") return undefined;
  if (answer === "refused") return calledOff(current, "REFUSED");
  if (answer === "taken") return { ...current, isTaken: true };
  return current.isPartlyTaken ? undefined : { ...current, isPartlyTaken: true };
}

/**
 * An ordered switch whose time has come before every label server has taken the order; undefined if all have. If one of several
 * has, its labels show their pictures: those of the others are sent theirs.
 */
export function unlessTaken(current: Switch): Switch | undefined {
  if (current.state !== "ORDERED" || current.isTaken) return undefined;
  return current.isPartlyTaken ? { ...current, isTaken: true } : calledOff(current, "TOO_LATE");
}

/** Whether the time of a switch is so long ago that nothing more is waited for. */
export const isOver = ({ showAt }: Pick<Switch, "showAt">, now: Date): boolean =>
  now.getTime() >= showAt.getTime() + OVER_AFTER_MS;
