import type { Urgency } from "../../schemas/topics.ts";

/** What the renderer needs of the world. */
export interface RendererWorld {
  /** Keys of the links that these items may have, in one read. */
  linksOfItems(itemKeys: readonly string[]): Promise<string[]>;
  /** Keys of the links that these labels may have. */
  linksOfLabels(labelKeys: readonly string[]): Promise<string[]>;
  /** Draws the pictures of these links anew where something they are drawn from has moved. */
  deriveImages(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
  /** The same of those of these links that ECC models draw. */
  deriveEccImages(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
  /** Begins, or begins anew, the walk over every picture of a tenant. */
  redraw(tenant: string, reason: string): Promise<void>;
}
