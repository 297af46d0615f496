import type { StudioLink } from "../../schemas/design.ts";
import { idOf, ownerOf, storeIds, storeLinkIdOf } from "../../schemas/keys.ts";
import type { Link, LinkStatus, StoreLink } from "../../schemas/link.ts";
import type { LinkRecord } from "../../schemas/link-record.ts";
import type { Stored } from "../../schemas/record.ts";
import { mapOf } from "../../schemas/string-map.ts";

/** A link as a record. The design of a studio link is read from its studiolink.v1 record, which the rules derive. */
export function linkRecordAnswer(link: Stored<Link>, chosen: StudioLink | undefined): LinkRecord {
  const forced = link.forced_design_id ?? null;
  return {
    linkId: idOf(link._id),
    eslId: link.eslId,
    displayPosition: link.displayPosition,
    itemId: link.itemId,
    linkedItemId: link.linkedItemId,
    facings: link.facings ?? null,
    designId: link.origin === "studio" ? (forced ?? chosen?.design_id ?? null) : (link.designId ?? null),
    forced_design_id: forced,
    ...storeIds(ownerOf(link._id)),
    status: link.status,
    ...metadataOf(link, chosen),
  };
}

/** A store-level link in the same shape. It has no label, and is INACTIVE while its item does not exist. */
export const storeLinkAnswer = (
  { _id, itemId, designId, status }: Stored<StoreLink>,
  itemExists: boolean,
): LinkRecord => ({
  linkId: storeLinkIdOf(itemId),
  eslId: null,
  displayPosition: null,
  itemId,
  linkedItemId: itemId,
  facings: null,
  designId,
  forced_design_id: null,
  ...storeIds(ownerOf(_id)),
  status: storeLinkStatus(status, itemExists),
});

const storeLinkStatus = (status: StoreLink["status"], itemExists: boolean): LinkStatus =>
  status === "ACTIVE" && !itemExists ? "INACTIVE" : status;

/** Returns the link's metadata; a link has at most one kind. */
function metadataOf(
  { origin, designerlink, ecclink, studiolink }: Link,
  chosen: StudioLink | undefined,
): Pick<LinkRecord, "designerlink" | "ecclink" | "studiolink"> {
  if (designerlink) {
    const { canvasId, designVersion = null, creationTimestamp = null, author = null } = designerlink;
    return { designerlink: { canvasId, designVersion, creationTimestamp, author } };
  }
  if (ecclink) {
    const { eccModelId, parameters, renderingHints } = ecclink;
    return { ecclink: { eccModelId, parameters: mapOf(parameters), renderingHints: mapOf(renderingHints) } };
  }
  if (origin !== "studio") return {};
  return {
    studiolink: {
      scenarioId: chosen?.scenarioId ?? null,
      conditions: chosen?.conditions ?? [],
      priority: studiolink?.priority ?? chosen?.priority ?? null,
      validityPeriod: studiolink?.validityPeriod ?? chosen?.validityPeriod ?? null,
      design_id: chosen?.design_id ?? null,
    },
  };
}
