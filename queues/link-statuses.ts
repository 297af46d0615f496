import { items } from "../records/kinds/item.ts";
import { links } from "../records/kinds/link.ts";
import { statusFor } from "../records/linking/merge-link.ts";
import type { Records } from "../records/records.ts";
import { exists } from "../schemas/item.ts";
import { itemKey, ownerOf } from "../schemas/keys.ts";
import type { Urgency } from "../schemas/topics.ts";
import type { Commit } from "./commit.ts";

/** Keeps links ACTIVE while their item exists, INACTIVE while it does not. */
export interface LinkStatuses {
  /** The links whose status is not what their item makes of it. */
  findWrong(linkKeys: readonly string[]): Promise<string[]>;
  /** Sets statuses right, and looks again until none is wrong. */
  settle(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
}

export function createLinkStatuses(records: Records, commit: Commit): LinkStatuses {
  async function look(linkKeys: readonly string[]) {
    const found = [...(await records.read(links, linkKeys)).values()];
    const itemOf = (link: (typeof found)[number]) => itemKey(ownerOf(link._id), link.itemId);
    const itemRecords = await records.readFields(items, found.map(itemOf), ["deleted"]);
    const isThere = (key: string) => {
      const item = itemRecords.get(key);
      return item !== undefined && exists(item);
    };
    const wrong = found.filter((link) => link.status !== statusFor(link, isThere(itemOf(link))));
    return { wrong: new Map(wrong.map((link) => [link._id, itemOf(link)])), isThere };
  }

  return {
    findWrong: async (linkKeys) => [...(await look(linkKeys)).wrong.keys()],

    async settle(linkKeys, urgency) {
      let { wrong, isThere } = await look(linkKeys);
      while (wrong.size > 0) {
        const judged = wrong;
        await commit.change(
          links,
          [...judged.keys()],
          (key, link) => {
            const item = judged.get(key);
            if (link === undefined || item !== itemKey(ownerOf(key), link.itemId)) return undefined;
            return { ...link, status: statusFor(link, isThere(item)) };
          },
          urgency,
        );
        ({ wrong, isThere } = await look([...judged.keys()]));
      }
    },
  };
}
