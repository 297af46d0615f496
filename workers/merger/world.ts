import type { Urgency } from "../../schemas/urgency.ts";

/** What the merger needs from the world. */
export interface MergerWorld {
  /** Returns the keys of the links that these items may have, in batches. */
  linksOfItems(itemKeys: readonly string[]): AsyncIterable<string[]>;
  /** Derives the eslimage.v1 records of these labels if an input has changed. */
  deriveLabelImages(labelKeys: readonly string[], urgency: Urgency): Promise<void>;
}
