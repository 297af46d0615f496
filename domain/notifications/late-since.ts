import { type LabelState, pageToSend } from "../../schemas/label-state.ts";

/**
 * Since when a label waits for the picture that it should show: since the picture was made, or since its present transmission began, such as
 * one that was requested again. Undefined if it shows what it should.
 */
export function lateSince(
  state: Pick<LabelState, "wanted" | "shown" | "refreshing" | "sending">,
  madeAt: Date,
): Date | undefined {
  if (pageToSend(state) === undefined) return undefined;
  // The number of a transmission is the time at which it began.
  const times = [madeAt.getTime(), state.sending?.number ?? 0];
  return new Date(Math.max(...times));
}
