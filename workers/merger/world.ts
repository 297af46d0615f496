import type { Urgency } from "../../schemas/topics.ts";

/** What the merger needs of the world. */
export interface MergerWorld {
  /** Keys of the links that these items may have, in one read. */
  linksOfItems(itemKeys: readonly string[]): Promise<string[]>;
  /** Composes the pictures of these labels anew where one that they are composed of has moved. */
  deriveLabelImages(labelKeys: readonly string[], urgency: Urgency): Promise<void>;
}
