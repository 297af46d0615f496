import { type Care, dayOf, newCare, REFRESH_DAYS, type RefreshDay, type RefreshKind } from "../../../schemas/care.ts";
import type { LabelState, Transmission } from "../../../schemas/label-state.ts";

/**
 * Returns a label's state after it has shown the picture of a transmission. Each transmission is counted once, however often
 * and in whatever order it is acknowledged. Transmissions from earlier releases do not record what they changed, and are not
 * counted.
 */
export function countRefresh(state: LabelState, landed: Transmission, at: Date, isFull: boolean): LabelState {
  const { number, changes, isCounted } = landed;
  if (changes === undefined || isCounted) return state;
  const { since, refreshes, days, ...care }: Care = state.care ?? newCare(at);
  return {
    ...state,
    sent: state.sent.map((one) => (one.number === number ? { ...one, isCounted: true } : one)),
    care: { ...care, since, refreshes: refreshes + 1, days: withRefresh(days, dayOf(at), changes, isFull) },
  };
}

function withRefresh(days: readonly RefreshDay[], day: number, kind: RefreshKind, isFull: boolean): RefreshDay[] {
  const present = days.find((one) => one.day === day) ?? { day };
  const counted = {
    ...present,
    [kind]: (present[kind] ?? 0) + 1,
    ...(isFull && { full: (present.full ?? 0) + 1 }),
  };
  const all = [...days.filter((one) => one.day !== day), counted].sort((a, b) => a.day - b.day);
  const newest = all.at(-1)?.day ?? day;
  return all.filter((one) => one.day > newest - REFRESH_DAYS);
}
