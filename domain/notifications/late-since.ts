import type { LabelState } from "../../schemas/label-state.ts";
import { pageToSend } from "../labels/pages-to-send.ts";

/**
 * Since when a label waits for the picture that it should show: since the picture was made, or since its present transmission began, such as
 * one that was requested again. Undefined if it shows what it should. A label that was given up is sent to again and again under new numbers:
 * it waits since the picture was made.
 */
export function lateSince(
  state: Pick<LabelState, "wanted" | "shown" | "refreshing" | "sending" | "givenUp">,
  madeAt: Date,
): Date | undefined {
  if (pageToSend(state) === undefined) return undefined;
  if (state.givenUp !== undefined) return madeAt;
  // The number of a transmission is the time at which it began.
  const times = [madeAt.getTime(), state.sending?.number ?? 0];
  return new Date(Math.max(...times));
}
