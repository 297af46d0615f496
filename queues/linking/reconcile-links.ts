import { afterItemCheck } from "../../domain/linking/link-transitions.ts";
import { items } from "../../records/kinds/items.ts";
import { labels } from "../../records/kinds/labels.ts";
import { links } from "../../records/kinds/links.ts";
import type { Records } from "../../records/records.ts";
import { exists } from "../../schemas/item.ts";
import { itemNamedBy, labelOfLink } from "../../schemas/keys.ts";
import type { Link } from "../../schemas/link.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { Commit } from "../changes/commit.ts";

/**
 * Keeps links consistent with their item and their label: ACTIVE while the item exists, and with a copy of the label's
 * location, so that moving a label changes its links, and the evaluator receives the move as link.v2.
 */
export interface LinkReconciler {
  /** Returns the keys of the links that `reconcile` would change. */
  findStale(linkKeys: readonly string[]): Promise<string[]>;
  /** Corrects links and checks them again until none is stale. Returns them as last read. */
  reconcile(linkKeys: readonly string[], urgency: Urgency): Promise<ReadonlyMap<string, Stored<Link>>>;
}

export function createLinkReconciler(records: Records, commit: Commit): LinkReconciler {
  /** Reads links and the records that they depend on; returns the links, and what the stale links depend on. */
  async function check(
    linkKeys: readonly string[],
  ): Promise<{ found: Map<string, Stored<Link>>; stale: Map<string, LinkInputs> }> {
    const found = await records.read(links, linkKeys);
    const all = [...found.values()];
    const [itemRecords, labelRecords] = await Promise.all([
      records.readFields(items, all.map(itemNamedBy), ["deleted"]),
      records.readFields(labels, all.map(labelOf), ["plLocation"]),
    ]);
    const withInputs = all.map((link): [Stored<Link>, LinkInputs] => {
      const item = itemRecords.get(itemNamedBy(link));
      const location = labelRecords.get(labelOf(link))?.plLocation;
      return [link, { itemId: link.itemId, itemExists: item !== undefined && exists(item), location }];
    });
    return {
      found,
      stale: new Map(
        withInputs
          .filter(([link, inputs]) => reconciled(link, inputs) !== link)
          .map(([link, inputs]) => [link._id, inputs]),
      ),
    };
  }

  return {
    findStale: async (linkKeys) => [...(await check(linkKeys)).stale.keys()],

    async reconcile(linkKeys, urgency) {
      const { found, stale: first } = await check(linkKeys);
      for (let stale = first; stale.size > 0; ) {
        const checked = stale;
        await commit.change(
          links,
          [...checked.keys()],
          (key, link) => {
            const inputs = checked.get(key);
            return link !== undefined && inputs?.itemId === link.itemId ? reconciled(link, inputs) : undefined;
          },
          urgency,
        );
        const again = await check([...checked.keys()]);
        for (const [key, link] of again.found) found.set(key, link);
        stale = again.stale;
      }
      return found;
    },
  };
}

/** The dependencies of a link, as they were read. */
interface LinkInputs {
  itemId: string;
  itemExists: boolean;
  location: string | undefined;
}

/**
 * Returns a link made consistent with its item and its label; the same object if it already is. It starts from the current
 * link, so that an unlink or switch-off since the item was read is not undone.
 */
function reconciled<L extends Link>(link: L, { itemExists, location = link.location }: LinkInputs): L {
  const withStatus = afterItemCheck(link, itemExists);
  return withStatus.location === location ? withStatus : { ...withStatus, location };
}

const labelOf = (link: Stored<Link>): string => labelOfLink(link._id).label;
