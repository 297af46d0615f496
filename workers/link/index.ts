import type { Handlers } from "../../queues/topology.ts";
import type { Link } from "../../schemas/link.ts";
import { type Change, urgencyOf } from "../../schemas/topics.ts";
import type { LinkWorld } from "./world.ts";

/** Link worker: which item is on which label, and what the renderer must know of it. */
export function linkWorker(world: LinkWorld): Handlers<"link"> {
  const { applyChunks, linkLabels, positionLabels, patchLinks, unlink, changeStoreLinks, fanOut } = world;
  const {
    linksOfItems,
    linksOfLabels,
    reconcileLinks: settleLinks,
    findEvaluated,
    deriveDesignerLinks,
    deriveEccLinks,
  } = world;
  const keysOf = (changes: readonly Change[]) => changes.map(({ key }) => key);
  const error = ({ message }: Error) => ({ status: "ERROR" as const, errors: [message] });
  return {
    "patch-labels": applyChunks(linkLabels, ({ barcode }, cause) => [{ barcode, ...error(cause) }]),
    "position-labels": applyChunks(positionLabels, ({ barcode }, cause) => [{ barcode, ...error(cause) }]),
    "patch-links": applyChunks(patchLinks, (_, cause) => [error(cause)]),
    unlink: applyChunks(unlink, ({ linkId: _, ...named }, cause) => [{ ...named, ...error(cause) }]),
    "store-links": applyChunks(changeStoreLinks, ({ itemIds }, cause) =>
      itemIds.map((itemId) => ({ itemId, ...error(cause) })),
    ),
    "bulk-links": applyChunks(fanOut, ({ storeIds, itemIds }, cause) =>
      storeIds.flatMap((storeId) => itemIds.map((itemId) => ({ storeId, itemId, ...error(cause) }))),
    ),
    "storeitemvalues.v1": async (changes) => {
      await settleLinks(await linksOfItems(keysOf(changes)), urgencyOf(changes));
    },
    "storeesl.v1": async (changes) => {
      await settleLinks(await linksOfLabels(keysOf(changes)), urgencyOf(changes));
    },
    "link.v2": async (changes) => {
      // An item may have been deleted, or a label moved, by someone who did not see the new link.
      const links = await settleLinks(keysOf(changes), urgencyOf(changes));
      const waits = ({ origin, status }: Link) => origin === "studio" && status === "ACTIVE";
      const { waiting = [], ready = [] } = Object.groupBy(links.keys(), (key) => {
        const link = links.get(key);
        return link && waits(link) ? "waiting" : "ready";
      });
      // Most studio links that are new are not evaluated yet: their design brings them here.
      await deriveDesignerLinks([...(await findEvaluated(waiting)), ...ready], urgencyOf(changes));
      const isEcc = ({ key, changed }: Change) => links.get(key)?.origin === "ecc" || mayHaveBeenEcc(changed);
      await deriveEccLinks(keysOf(changes.filter(isEcc)), urgencyOf(changes));
    },
    "studiolink.v1": async (changes) => deriveDesignerLinks(keysOf(changes), urgencyOf(changes)),
  };
}

/** Whether a change may have made an ECC link another; an audit names no fields. */
const mayHaveBeenEcc = (changed: readonly string[]): boolean => changed.length === 0 || changed.includes("ecclink");
