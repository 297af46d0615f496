import { type Static, Type } from "typebox";
import { ItemId } from "./item.ts";
import { DisplayPosition, Facings, type LinkDesign, LinkStatus, named, namesItem } from "./link.ts";
import { metadataAnswer, metadataBody } from "./link-metadata.ts";
import { clearless, clearlessIdentifier, identifier, known, plainId } from "./text.ts";

/** A design by its id, or by its full key `t/{tenantId}/designs/{id}`. */
const DesignId = identifier(256, "A design, by its id or its full key");

/** What the calls of the pipeline's link endpoints say of a link (decisions, Pipeline). */
const linkBody = {
  itemId: clearlessIdentifier(128, "Id of the linked item; required where linkedItemId is absent"),
  linkedItemId: clearlessIdentifier(128, "Item id or SIC used for linking; wins over itemId"),
  facings: clearless(Facings),
  designId: clearless(DesignId),
  forced_design_id: clearless(DesignId),
  ...metadataBody,
};

const namesLabel = { anyOf: [named("barcode"), named("eslId")], errorMessage: "needs barcode or eslId" };

/** Body of POST /links. */
export const LinkCreation = Type.Object(
  {
    barcode: clearlessIdentifier(64, "Barcode of the label"),
    eslId: clearlessIdentifier(64, "The same under its name in the record"),
    displayPosition: clearless(DisplayPosition),
    ...linkBody,
  },
  { title: "LinkCreation", allOf: [namesItem, namesLabel] },
);
export type LinkCreation = Static<typeof LinkCreation>;

/** Body of PATCH /links/{linkId}: what is absent stays. */
export const LinkPatch = Type.Object(
  { ...linkBody, status: Type.Optional(Type.Enum(["ACTIVE", "INACTIVE"])) },
  { title: "LinkPatch" },
);
export type LinkPatch = Static<typeof LinkPatch>;

/** A row of PATCH /links/{linkId} as it is journaled: designs by full keys, null where something is cleared. */
export interface LinkPatchRow {
  linkId: string;
  itemId?: string;
  linkedItemId?: string;
  facings?: string | null;
  status?: "ACTIVE" | "INACTIVE";
  forced_design_id?: string | null;
  /** Another kind of link than it is, or other metadata of its kind. */
  design?: Omit<LinkDesign, "forced_design_id">;
  /** Without other metadata: another design of a designer link. */
  designId?: string;
}

/** A row of an unlink: of one link, of all links of a label, or of all links of an item. */
export interface UnlinkRow {
  barcode?: string;
  displayPosition?: number;
  itemId?: string;
  /** An id that can be no link's. */
  linkId?: string;
}

/** The receipt of POST /links. */
export const LinkReceipt = Type.Object(
  { requestId: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }), linkId: Type.String() },
  { title: "LinkReceipt" },
);

/** A link as the pipeline's endpoints show it, with its one kind of metadata. */
export const LinkRecord = Type.Object(
  {
    linkId: Type.String(),
    eslId: known(Type.String({ description: "The label's barcode; null of a store-level link" })),
    displayPosition: known(Type.Integer()),
    itemId: Type.String(),
    linkedItemId: Type.String(),
    facings: known(Type.String()),
    designId: known(Type.String({ description: "The design that is drawn; of an ECC link its model" })),
    forced_design_id: known(Type.String()),
    tenantId: Type.String(),
    storeId: Type.String(),
    status: LinkStatus,
    ...metadataAnswer,
  },
  { title: "LinkRecord" },
);
export type LinkRecord = Static<typeof LinkRecord>;

/** Most pairs of a bulk request. */
export const PAIRS = 100_000;

/** Body of POST /links/bulk. */
export const LinkBulk = Type.Object(
  {
    storeIds: Type.Array(plainId(), { minItems: 1, maxItems: PAIRS }),
    itemIds: Type.Array(ItemId, { minItems: 1, maxItems: PAIRS }),
    designId: clearless(DesignId),
    operation: Type.Enum(["LINK", "UNLINK"]),
  },
  { title: "LinkBulk" },
);

/** Store-level links of items in one store, as they are journaled. */
export interface StoreLinksRow {
  itemIds: string[];
  operation: "LINK" | "UNLINK";
  /** Full key; of LINK only. */
  designId?: string;
}

/** A row of POST /links/bulk as it is journaled: every pair of these stores and items. */
export interface BulkRow extends StoreLinksRow {
  storeIds: string[];
}
