import type { Handlers } from "../../queues/topology.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { type Change, urgencyOf } from "../../schemas/topics.ts";
import type { EvaluatorWorld } from "./world.ts";

/** Evaluator: decides which design each studio link shows (docs/rules.md#the-eleven-rules). */
export function evaluator({
  linksOfItems,
  deriveStudioLinks,
  ofActivePacks,
  reevaluate,
}: EvaluatorWorld): Handlers<"evaluator"> {
  const reevaluateTenants = async (changes: readonly Change[]) => {
    const byTenant = new Map(changes.map(({ key, rev }) => [tenantOf(key), `${key} is at rev ${rev}`]));
    for (const [tenant, reason] of byTenant) await reevaluate(tenant, reason);
  };
  const evaluateItems = async (changes: readonly Change[]) => {
    for await (const links of linksOfItems(changes.map(({ key }) => key)))
      await deriveStudioLinks(links, urgencyOf(changes));
  };
  return {
    "storeitemvalues.v1": evaluateItems,
    // A store-level link has the same key as its item.
    "storelink.v1": evaluateItems,
    "link.v2": async (changes) =>
      deriveStudioLinks(
        changes.map(({ key }) => key),
        urgencyOf(changes),
      ),
    "communicationpack.v1": async (changes) => reevaluateTenants(await ofActivePacks(changes)),
    "design.v1": reevaluateTenants,
    // A new time zone moves the scenarios' validity periods, and a canary store uses a different pack: both can change every link
    // of the store.
    store: async (changes) => {
      for (const { key, rev, changed } of changes)
        if (changed.includes("timeZone") || changed.includes("communicationPack"))
          await reevaluate(key, `${key} is at rev ${rev}`);
    },
  };
}
