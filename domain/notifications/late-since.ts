import type { LabelState } from "../../schemas/label-state.ts";
import { pageToSend } from "../labels/pages-to-send.ts";

/**
 * Returns the time since which a label has been waiting for the picture that it should show: when the picture was created or,
 * if it was later, when its current transmission began, for example after a refresh. Undefined if the label shows the picture.
 * For a label that Shelfwire has given up on, transmissions start again and again under new numbers, so the picture's creation
 * counts.
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
