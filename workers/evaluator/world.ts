import type { Change, Urgency } from "../../schemas/topics.ts";

/** What the evaluator needs of the world. */
export interface EvaluatorWorld {
  /** Keys of the links that these items may have, in one read. */
  linksOfItems(itemKeys: readonly string[]): Promise<string[]>;
  /** Decides the design of each of these links anew where something it depends on has moved. */
  deriveStudioLinks(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
  /** Of changes of communication packs, those of packs that are their tenants' active ones: drafts choose nothing. */
  ofActivePacks(changes: readonly Change[]): Promise<Change[]>;
  /** Begins, or begins anew, the walk over every studio link of a tenant. */
  reevaluate(tenant: string, reason: string): Promise<void>;
}
