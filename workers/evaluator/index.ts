import type { Handlers } from "../../queues/topology.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { type Change, type Urgency, urgencyOf } from "../../schemas/topics.ts";

/** What the evaluator needs of the world. */
export interface Dependencies {
  /** Keys of the links that these items may have, in one read. */
  linksOfItems(itemKeys: readonly string[]): Promise<string[]>;
  /** Decides the design of each of these links anew where something it depends on has moved. */
  deriveStudioLinks(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
  /** Of changes of communication packs, those of packs that are their tenants' active ones: drafts choose nothing. */
  ofActivePacks(changes: readonly Change[]): Promise<Change[]>;
  /** Begins, or begins anew, the walk over every studio link of a tenant. */
  reevaluate(tenant: string, reason: string): Promise<void>;
}

/** Evaluator: which design does each studio link show? (specification, link evaluation rules) */
export function evaluator({
  linksOfItems,
  deriveStudioLinks,
  ofActivePacks,
  reevaluate,
}: Dependencies): Handlers<"evaluator"> {
  const reevaluateTenants = async (changes: readonly Change[]) => {
    const byTenant = new Map(changes.map(({ key, rev }) => [tenantOf(key), `${key} is at rev ${rev}`]));
    for (const [tenant, reason] of byTenant) await reevaluate(tenant, reason);
  };
  const evaluateItems = async (changes: readonly Change[]) =>
    deriveStudioLinks(await linksOfItems(changes.map(({ key }) => key)), urgencyOf(changes));
  return {
    "storeitemvalues.v1": evaluateItems,
    // A store-level link has the key of its item.
    "storelink.v1": evaluateItems,
    "link.v2": async (changes) =>
      deriveStudioLinks(
        changes.map(({ key }) => key),
        urgencyOf(changes),
      ),
    "communicationpack.v1": async (changes) => reevaluateTenants(await ofActivePacks(changes)),
    "design.v1": reevaluateTenants,
  };
}
