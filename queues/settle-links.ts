import type { Stored } from "../records/kind.ts";
import { items } from "../records/kinds/item.ts";
import { labels } from "../records/kinds/label.ts";
import { links } from "../records/kinds/link.ts";
import { statusFor } from "../records/linking/merge-link.ts";
import type { Records } from "../records/records.ts";
import { exists } from "../schemas/item.ts";
import { itemKey, labelOfLink, ownerOf } from "../schemas/keys.ts";
import type { Link } from "../schemas/link.ts";
import type { Urgency } from "../schemas/topics.ts";
import type { Commit } from "./commit.ts";

/**
 * Keeps links as their item and their label make them: ACTIVE while the item exists, and with the label's location,
 * which they carry so that moving a label tells the evaluator.
 */
export interface LinkSettler {
  /** The links that are not as they should be. */
  findWrong(linkKeys: readonly string[]): Promise<string[]>;
  /** Sets links right, and looks again until none is wrong. */
  settle(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
}

export function createLinkSettler(records: Records, commit: Commit): LinkSettler {
  /** What each link that is wrong should be. */
  async function look(linkKeys: readonly string[]): Promise<Map<string, Pick<Link, "itemId" | "status" | "location">>> {
    const found = [...(await records.read(links, linkKeys)).values()];
    const [itemRecords, labelRecords] = await Promise.all([
      records.readFields(items, found.map(itemOf), ["deleted"]),
      records.readFields(labels, found.map(labelOf), ["plLocation"]),
    ]);
    const right = found.map((link): [Stored<Link>, Pick<Link, "itemId" | "status" | "location">] => {
      const item = itemRecords.get(itemOf(link));
      const location = labelRecords.get(labelOf(link))?.plLocation ?? link.location;
      const status = statusFor(link, item !== undefined && exists(item));
      return [link, { itemId: link.itemId, status, ...(location !== undefined && { location }) }];
    });
    return new Map(
      right
        .filter(([link, { status, location }]) => link.status !== status || link.location !== location)
        .map(([link, wanted]) => [link._id, wanted]),
    );
  }

  return {
    findWrong: async (linkKeys) => [...(await look(linkKeys)).keys()],

    async settle(linkKeys, urgency) {
      let wrong = await look(linkKeys);
      while (wrong.size > 0) {
        const judged = wrong;
        await commit.change(
          links,
          [...judged.keys()],
          (key, link) => {
            const wanted = judged.get(key);
            return link !== undefined && wanted?.itemId === link.itemId ? { ...link, ...wanted } : undefined;
          },
          urgency,
        );
        wrong = await look([...judged.keys()]);
      }
    },
  };
}

const itemOf = (link: Stored<Link>): string => itemKey(ownerOf(link._id), link.itemId);
const labelOf = (link: Stored<Link>): string => labelOfLink(link._id).label;
