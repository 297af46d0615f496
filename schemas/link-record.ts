import { type Static, Type } from "typebox";
import { ItemId } from "./item.ts";
import { DisplayPosition, Facings, type LinkDesign, LinkStatus, named, namesItem } from "./link.ts";
import { metadataAnswer, metadataBody } from "./link-metadata.ts";
import { clearless, clearlessIdentifier, identifier, known, plainId } from "./text.ts";

/** A design by its id, or by its full key `t/{tenantId}/designs/{id}`. */
const DesignId = identifier(256, "A design, by its id or its full key");

/** The fields of a link in bodies of POST /links and PATCH /links/{linkId} (docs/decisions/links/metadata.md). */
const linkBody = {
  itemId: clearlessIdentifier(128, "Id of the linked item; required if linkedItemId is absent"),
  linkedItemId: clearlessIdentifier(128, "Item id or SIC used for linking; takes precedence over itemId"),
  facings: clearless(Facings),
  designId: clearless(DesignId),
  forced_design_id: clearless(DesignId),
  ...metadataBody,
};

const namesLabel = { anyOf: [named("barcode"), named("eslId")], errorMessage: "requires barcode or eslId" };

/** Body of POST /links. */
export const LinkCreation = Type.Object(
  {
    barcode: clearlessIdentifier(64, "Barcode of the label"),
    eslId: clearlessIdentifier(64, "The label's barcode, under its name in the record"),
    displayPosition: clearless(DisplayPosition),
    ...linkBody,
  },
  { title: "LinkCreation", description: "A link with at most one kind of metadata", allOf: [namesItem, namesLabel] },
);
export type LinkCreation = Static<typeof LinkCreation>;

/** Body of PATCH /links/{linkId}. Absent fields stay unchanged. */
export const LinkPatch = Type.Object(
  { ...linkBody, status: Type.Optional(Type.Enum(["ACTIVE", "INACTIVE"])) },
  { title: "LinkPatch", description: "A change to a link. Absent fields stay unchanged" },
);
export type LinkPatch = Static<typeof LinkPatch>;

/** A row of PATCH /links/{linkId} in the journal: designs are named by their full keys, and null clears a field. */
export interface LinkPatchRow {
  linkId: string;
  itemId?: string;
  linkedItemId?: string;
  facings?: string | null;
  status?: "ACTIVE" | "INACTIVE";
  forced_design_id?: string | null;
  /** A new origin, or new metadata for the current origin. */
  design?: Omit<LinkDesign, "forced_design_id">;
  /** A new design of a designer link, if `design` is absent. */
  designId?: string;
}

/** An unlink row in the journal: one link, all links of a label, or all links of an item. */
export interface UnlinkRow {
  barcode?: string;
  displayPosition?: number;
  itemId?: string;
  /** Set only for an id that is not in the format of a link id: no link has such an id. */
  linkId?: string;
}

/** The receipt of POST /links. */
export const LinkReceipt = Type.Object(
  { requestId: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }), linkId: Type.String() },
  { title: "LinkReceipt" },
);

/** A link in a response of /links and /links/{linkId}, with its one kind of metadata. */
export const LinkRecord = Type.Object(
  {
    linkId: Type.String(),
    eslId: known(Type.String({ description: "The label's barcode; null for a store-level link" })),
    displayPosition: known(Type.Integer()),
    itemId: Type.String(),
    linkedItemId: Type.String(),
    facings: known(Type.String()),
    designId: known(Type.String({ description: "The design that is drawn; for an ECC link, its model" })),
    forced_design_id: known(Type.String()),
    tenantId: Type.String(),
    storeId: Type.String(),
    status: LinkStatus,
    ...metadataAnswer,
  },
  { title: "LinkRecord" },
);
export type LinkRecord = Static<typeof LinkRecord>;

/** Maximum number of pairs in a bulk request. */
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

/** A row of store-level links for items of one store, in the journal. */
export interface StoreLinksRow {
  itemIds: string[];
  operation: "LINK" | "UNLINK";
  /** Full key; present only with LINK. */
  designId?: string;
}

/** A row of POST /links/bulk in the journal: every pair of these stores and items. */
export interface BulkRow extends StoreLinksRow {
  storeIds: string[];
}
