import type { Urgency } from "../../schemas/urgency.ts";

/** What the renderer needs from the world. */
export interface RendererWorld {
  /** Returns the keys of the links that these items may have, in batches. */
  linksOfItems(itemKeys: readonly string[]): AsyncIterable<string[]>;
  /** Returns the keys of the links that these labels may have. */
  linksOfLabels(labelKeys: readonly string[]): Promise<string[]>;
  /** Derives the pictures of these links whose inputs changed, by design and by ECC model. */
  deriveImages(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
  /** Derives only the ECC pictures. */
  deriveEccImages(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
  /** Starts, or restarts, the walk over every picture of a tenant or a store. */
  redraw(owner: string, reason: string): Promise<void>;
}
