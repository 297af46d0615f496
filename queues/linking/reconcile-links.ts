import type { Stored } from "../../records/kind.ts";
import { items } from "../../records/kinds/item.ts";
import { labels } from "../../records/kinds/label.ts";
import { links } from "../../records/kinds/link.ts";
import { afterItemCheck } from "../../records/linking/link-transitions.ts";
import type { Records } from "../../records/records.ts";
import { exists } from "../../schemas/item.ts";
import { itemKey, labelOfLink, ownerOf } from "../../schemas/keys.ts";
import type { Link } from "../../schemas/link.ts";
import type { Urgency } from "../../schemas/topics.ts";
import type { Commit } from "../changes/commit.ts";

/**
 * Keeps links as their item and their label make them: ACTIVE while the item exists, and with the label's location,
 * which they carry so that moving a label tells the evaluator.
 */
export interface LinkReconciler {
  /** The links that are not as they should be. */
  findStale(linkKeys: readonly string[]): Promise<string[]>;
  /** Sets links right, and looks again until none is wrong. Gives them back as it saw them last. */
  reconcile(linkKeys: readonly string[], urgency: Urgency): Promise<ReadonlyMap<string, Stored<Link>>>;
}

export function createLinkReconciler(records: Records, commit: Commit): LinkReconciler {
  /** Reads links, and what those that are wrong depend on. */
  async function look(
    linkKeys: readonly string[],
  ): Promise<{ found: Map<string, Stored<Link>>; wrong: Map<string, Seen> }> {
    const found = await records.read(links, linkKeys);
    const all = [...found.values()];
    const [itemRecords, labelRecords] = await Promise.all([
      records.readFields(items, all.map(itemOf), ["deleted"]),
      records.readFields(labels, all.map(labelOf), ["plLocation"]),
    ]);
    const seen = all.map((link): [Stored<Link>, Seen] => {
      const item = itemRecords.get(itemOf(link));
      const location = labelRecords.get(labelOf(link))?.plLocation;
      return [link, { itemId: link.itemId, itemExists: item !== undefined && exists(item), location }];
    });
    return {
      found,
      wrong: new Map(
        seen.filter(([link, one]) => reconciled(link, one) !== link).map(([link, one]) => [link._id, one]),
      ),
    };
  }

  return {
    findStale: async (linkKeys) => [...(await look(linkKeys)).wrong.keys()],

    async reconcile(linkKeys, urgency) {
      const { found, wrong: first } = await look(linkKeys);
      for (let wrong = first; wrong.size > 0; ) {
        const judged = wrong;
        await commit.change(
          links,
          [...judged.keys()],
          (key, link) => {
            const one = judged.get(key);
            return link !== undefined && one?.itemId === link.itemId ? reconciled(link, one) : undefined;
          },
          urgency,
        );
        const again = await look([...judged.keys()]);
        for (const [key, link] of again.found) found.set(key, link);
        wrong = again.wrong;
      }
      return found;
    },
  };
}

/** What a link depends on, as it was read. */
interface Seen {
  itemId: string;
  itemExists: boolean;
  location: string | undefined;
}

/**
 * A link as its item and its label make it; the very link where it is right. It starts from the link as it is now:
 * one that was unlinked or switched off since its item was looked at must stay so.
 */
function reconciled<L extends Link>(link: L, { itemExists, location = link.location }: Seen): L {
  const one = afterItemCheck(link, itemExists);
  return one.location === location ? one : { ...one, location };
}

const itemOf = (link: Stored<Link>): string => itemKey(ownerOf(link._id), link.itemId);
const labelOf = (link: Stored<Link>): string => labelOfLink(link._id).label;
