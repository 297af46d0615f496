import type { Change } from "../../schemas/topics.ts";
import type { Urgency } from "../../schemas/urgency.ts";

/** What the evaluator needs from the world. */
export interface EvaluatorWorld {
  /** Returns the keys of the links that these items may have, in batches. */
  linksOfItems(itemKeys: readonly string[]): AsyncIterable<string[]>;
  /** Derives the studio links whose inputs changed. */
  deriveStudioLinks(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
  /** Returns the changes to communication packs that are active for their tenant; an inactive pack decides nothing. */
  ofActivePacks(changes: readonly Change[]): Promise<Change[]>;
  /** Starts, or restarts, the walk over every studio link of a tenant or a store. */
  reevaluate(owner: string, reason: string): Promise<void>;
}
