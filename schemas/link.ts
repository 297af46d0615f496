import { type Static, Type } from "typebox";
import { DesignerLinkMetadata, EccLinkMetadata, StudioLinkMetadata } from "./link-metadata.ts";
import { Stamp } from "./stamp.ts";
import { clearless, clearlessIdentifier, identifier } from "./text.ts";

export const DisplayPosition = Type.Integer({
  minimum: 0,
  maximum: 255,
  description: "0-based position of the item on the label",
});
export const Facings = Type.String({
  pattern: "^(\\d{1,5})?$",
  errorMessage: "must be a string of 1 to 5 digits",
  description: "Number of facings, 1 to 5 digits",
});

export const named = (name: string) => ({ required: [name], properties: { [name]: { type: "string", minLength: 1 } } });

/** Keywords of JSON Schema that reject a row without an item. */
export const namesItem = {
  anyOf: [named("itemId"), named("linkedItemId")],
  errorMessage: "requires itemId or linkedItemId",
};

const linkFields = {
  barcode: clearlessIdentifier(64, "Barcode of the linked label; defaults to the barcode of the row"),
  itemId: clearlessIdentifier(128, "Id of the linked item; required if linkedItemId is absent"),
  linkedItemId: clearlessIdentifier(128, "Item id or SIC used for linking; takes precedence over itemId"),
  displayPosition: clearless(DisplayPosition),
  facings: clearless(Facings),
};

/** A link in a row of labels: an upsert of the label's display position. */
export const LinkRow = Type.Object(linkFields, {
  title: "LinkRow",
  description: "A link of a label; replaces what the position shows. Absent, null or empty fields keep their values",
  ...namesItem,
});
/** Only POST /links sets `design`. */
export type LinkRow = Static<typeof LinkRow> & { design?: LinkDesign };

/** A link in an item's row, to the item of the row. */
export const ItemLinkRow = Type.Object(
  { ...linkFields, barcode: identifier(64, "Barcode of the label to link") },
  {
    title: "ItemLinkRow",
    description: "A label to link to the item of the row. Absent, null or empty fields keep their values",
  },
);

/** A link in a response. */
export const LinkAnswer = Type.Object(
  {
    barcode: Type.String(),
    itemId: Type.String(),
    linkedItemId: Type.String(),
    displayPosition: Type.Integer(),
    facings: Type.Unsafe<string | null>({ type: ["string", "null"] }),
  },
  { title: "Link" },
);
export type LinkAnswer = Static<typeof LinkAnswer>;

export const LinkStatus = Type.Enum(["ACTIVE", "INACTIVE", "DELETED"], {
  title: "LinkStatus",
  description: "ACTIVE: drawn. INACTIVE: kept but not drawn. DELETED: only a record of it remains",
});
export type LinkStatus = Static<typeof LinkStatus>;

/** How the design of a link is chosen. */
const linkDesign = {
  /** Determines which kind of metadata the link has. */
  origin: Type.Enum(["studio", "designer", "ecc"]),
  /** Designer link: full key of the design that is drawn. ECC link: its ECC model. Studio link: absent. */
  designId: Type.Optional(Type.String()),
  /** Full key of a design that is drawn instead of the one chosen by the rules. */
  forced_design_id: Type.Optional(Type.String()),
  designerlink: Type.Optional(DesignerLinkMetadata),
  ecclink: Type.Optional(EccLinkMetadata),
  studiolink: Type.Optional(StudioLinkMetadata),
};
export const LinkDesign = Type.Object(linkDesign);
export type LinkDesign = Static<typeof LinkDesign>;

/** link.v2: the item that a label shows at a display position. */
export const Link = Type.Object({
  eslId: Type.String(),
  displayPosition: DisplayPosition,
  itemId: Type.String(),
  /** The code that the request used: an item id or a SIC. */
  linkedItemId: Type.String(),
  facings: Type.Optional(Type.String()),
  /** A copy of the label's plLocation, so that moving the label publishes link.v2. */
  location: Type.Optional(Type.String()),
  status: LinkStatus,
  /**
   * Set if a caller made it INACTIVE. Otherwise an INACTIVE link lacks its item, and becomes ACTIVE when the item
   * exists.
   */
  switchedOff: Type.Optional(Type.Literal(true)),
  ...linkDesign,
  linkedAt: Type.Unsafe<Date>({}),
  stamp: Stamp,
});
export type Link = Static<typeof Link>;

/**
 * The links of an item, each with the stamp of its entry. A link is added here before it is written, so the list is never
 * incomplete; readers must drop links that have moved to another item.
 */
export const ItemLinks = Type.Object({ links: Type.Array(Type.Object({ id: Type.String(), stamp: Stamp })) });
export type ItemLinks = Static<typeof ItemLinks>;

/**
 * storelink.v1: a link of an item without a label, under the item's key. Its design applies to all studio links of the
 * item in its store that have no forced design.
 */
export const StoreLink = Type.Object({
  itemId: Type.String(),
  /** Full key. */
  designId: Type.String(),
  status: Type.Enum(["ACTIVE", "DELETED"]),
  stamp: Stamp,
});
export type StoreLink = Static<typeof StoreLink>;

/** Body of POST /labels/link-single. */
export const LinkSingle = Type.Object(
  {
    barcode: identifier(64, "Label barcode"),
    itemId: clearlessIdentifier(128, "Id of the item to link"),
    linkedItemId: clearlessIdentifier(128, "Item id or SIC; takes precedence over itemId"),
    displayPosition: clearless(DisplayPosition),
    facings: clearless(Facings),
    modelName: clearlessIdentifier(128, "Name of the label's model"),
    linkDepartment: clearlessIdentifier(128, "Link department, by id or alias"),
    homeTrx: clearlessIdentifier(64, "Home transceiver; takes precedence over linkDepartment"),
    plLocation: clearlessIdentifier(128, "Label location"),
  },
  {
    title: "LinkSingle",
    description: "A link of one label, with fields of the label. Absent, null or empty fields keep their values",
    ...namesItem,
  },
);
export type LinkSingle = Static<typeof LinkSingle>;

export const LinkSingleAnswer = Type.Object(
  {
    barcode: Type.String(),
    itemId: Type.String(),
    status: Type.Enum(["LINKED", "PENDING", "FAILED"]),
  },
  { title: "LinkSingleAnswer" },
);
