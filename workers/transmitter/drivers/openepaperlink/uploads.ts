import type { Tag } from "./messages.ts";

/** A picture that was uploaded to the access point and that the tag does not show yet. */
export interface Upload {
  store: string;
  barcode: string;
  page: number;
  /** The transmission's number. */
  number: number;
  /** The tag's `updateCount` once this picture and all earlier ones have been shown. */
  shownAt: number;
  /** When the upload was accepted, by the driver's clock; absent during the call. */
  uploadedAt?: number;
}

/**
 * The state of an upload. `lost`: nothing waits for the tag, and it has shown fewer pictures than were uploaded, so the access
 * point has dropped or replaced one. Nobody then knows which picture the tag shows.
 */
export type Outcome = "shown" | "waiting" | "lost";

/** Returns the count that a tag reaches after showing all waiting pictures and one more. */
export const countAfterNext = ({ updateCount, pending }: Pick<Tag, "updateCount" | "pending">): number =>
  updateCount + pending + 1;

/**
 * Decides from the access point's list of tags, since its messages may be lost, late or repeated, and do not name the picture.
 */
export function outcomeOf({ shownAt }: Pick<Upload, "shownAt">, tag: Pick<Tag, "pending" | "updateCount">): Outcome {
  if (tag.pending > 0) return "waiting";
  return tag.updateCount >= shownAt ? "shown" : "lost";
}

const FIRST_REST_MS = 2_000;
const LAST_REST_MS = 60_000;

/**
 * Returns how long an access point rests after consecutive failures: the time doubles with each failure, less a random amount
 * of up to half.
 */
export const restAfter = (failures: number, random: number): number =>
  Math.min(FIRST_REST_MS * 2 ** (failures - 1), LAST_REST_MS) * (1 - random / 2);
