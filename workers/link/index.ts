import type { Handlers } from "../../queues/topology.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import type { Link } from "../../schemas/link.ts";
import { rowFailed } from "../../schemas/row-notice.ts";
import { type Change, urgencyOf } from "../../schemas/topics.ts";
import type { LinkWorld } from "./world.ts";

/** Number of links that are read and written at a time: a label has up to 256 positions. */
const LINKS_PER_BATCH = 1_000;

/** Link worker: writes which item is on which label, and derives what the renderer needs for each link. */
export function linkWorker(world: LinkWorld): Handlers<"link"> {
  const { applyChunks, linkLabels, positionLabels, patchLinks, unlink, changeStoreLinks, fanOut } = world;
  const { linksOfItems, linksOfLabels, reconcileLinks, findEvaluated, deriveDesignerLinks, deriveEccLinks } = world;
  const keysOf = (changes: readonly Change[]) => changes.map(({ key }) => key);
  const error = (cause: Error) => ({ status: "ERROR" as const, ...rowFailed(cause) });
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
      for await (const links of linksOfItems(keysOf(changes))) await reconcileLinks(links, urgencyOf(changes));
    },
    "storeesl.v1": async (changes) => {
      const links = await linksOfLabels(keysOf(changes));
      for (const batch of inBatches(links, LINKS_PER_BATCH)) await reconcileLinks(batch, urgencyOf(changes));
    },
    "link.v2": async (changes) => {
      // A request that did not see the new link may since have deleted the link's item or moved its label.
      const links = await reconcileLinks(keysOf(changes), urgencyOf(changes));
      const waits = ({ origin, status }: Link) => origin === "studio" && status === "ACTIVE";
      const { waiting = [], ready = [] } = Object.groupBy(links.keys(), (key) => {
        const link = links.get(key);
        return link && waits(link) ? "waiting" : "ready";
      });
      // A studio link without a design is skipped here; the change to its studiolink.v1 causes the derivation.
      await deriveDesignerLinks([...(await findEvaluated(waiting)), ...ready], urgencyOf(changes));
      const isEcc = ({ key, changed }: Change) => links.get(key)?.origin === "ecc" || mayHaveBeenEcc(changed);
      await deriveEccLinks(keysOf(changes.filter(isEcc)), urgencyOf(changes));
    },
    "studiolink.v1": async (changes) => deriveDesignerLinks(keysOf(changes), urgencyOf(changes)),
  };
}

/** Whether a change may have turned a link into an ECC link or the reverse; changes from an audit name no fields. */
const mayHaveBeenEcc = (changed: readonly string[]): boolean => changed.length === 0 || changed.includes("ecclink");
