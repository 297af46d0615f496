import type { Tag } from "./messages.ts";

/** A picture that the access point has accepted and the tag has not shown yet. */
export interface Upload {
  store: string;
  barcode: string;
  page: number;
  /** The transmission's. */
  number: number;
  /** The tag's `updateCount` once this picture and all those before it were shown. */
  shownAt: number;
  /** When it was accepted, by the driver's clock; absent while the call is under way. */
  uploadedAt?: number;
}

/**
 * What became of an upload. `lost`: nothing waits for the tag, and it has not shown as many pictures as were uploaded: the
 * access point dropped one, or replaced it. Which one the tag shows is not known then.
 */
export type Outcome = "shown" | "waiting" | "lost";

/** The count that a tag reaches by showing what waits for it and one more picture. */
export const countAfterNext = ({ updateCount, pending }: Pick<Tag, "updateCount" | "pending">): number =>
  updateCount + pending + 1;

/**
 * Decides by what the access point lists about the tag, since its messages may be lost, late or repeated, and do not
 * name the picture.
 */
export function outcomeOf({ shownAt }: Pick<Upload, "shownAt">, tag: Pick<Tag, "pending" | "updateCount">): Outcome {
  if (tag.pending > 0) return "waiting";
  return tag.updateCount >= shownAt ? "shown" : "lost";
}

const FIRST_REST_MS = 2_000;
const LAST_REST_MS = 60_000;

/** How long an access point rests after failures in a row: the time doubles, less up to a half of it by chance. */
export const restAfter = (failures: number, random: number): number =>
  Math.min(FIRST_REST_MS * 2 ** (failures - 1), LAST_REST_MS) * (1 - random / 2);
