import { type Static, Type } from "typebox";
import { Charged } from "./charged.ts";
import { ItemLinkRow, LinkAnswer } from "./link.ts";
import { atAnyLevel } from "./paging.ts";
import { Stamp } from "./stamp.ts";
import { clearless, clearlessIdentifier, identifier, known, wellFormed } from "./text.ts";

export const ItemId = identifier(128, "Unique id of the item in its store");
export const Sic = identifier(64, "Secondary item code");
export const PropertyKey = identifier(128, "Name of a custom property");

const texts = {
  itemName: clearless(Type.String({ maxLength: 1024, ...wellFormed, description: "Name" })),
  price: clearless(Type.String({ maxLength: 32, ...wellFormed, description: "Price, kept exactly as sent" })),
  itemGroup: clearlessIdentifier(128, "Item group"),
  department: clearlessIdentifier(128, "Department"),
  presentation: clearlessIdentifier(128, "Presentation (also called IPF)"),
};

/** The item's plain text fields: each has its own stamp. */
export const itemTexts = Object.keys(texts) as (keyof typeof texts)[];

const patchFields = {
  ...texts,
  sics: clearless(
    Type.Array(Sic, { maxItems: 100, description: "Secondary item codes; a non-empty list replaces the item's" }),
  ),
  properties: clearless(
    Type.Unsafe<Record<string, string>>({
      type: "object",
      additionalProperties: Type.String({ maxLength: 4096, ...wellFormed }),
      propertyNames: PropertyKey,
      maxProperties: 256,
      description: "Custom properties, merged key by key",
    }),
  ),
  validFrom: clearless(
    Type.String({
      format: "local-date-time",
      description: "Schedules an update for the future: `YYYY-MM-DD hh:mm:ss` in the store's time zone",
    }),
  ),
  lastUpdated: clearless(
    Type.String({ maxLength: 128, description: "Ignored, so that a response can be sent back unchanged" }),
  ),
  links: clearless(Type.Array(ItemLinkRow, { maxItems: 1000, description: "Labels to link to this item" })),
};

/** A row of PATCH /items. A field that is absent, null or empty leaves the stored value unchanged. */
export const ItemPatch = Type.Object(
  { itemId: ItemId, ...patchFields },
  {
    title: "ItemPatch",
    description: "An update of an item; unknown items are created. Absent, null or empty fields keep their values",
  },
);
export type ItemPatch = Static<typeof ItemPatch>;

/** Body of PATCH /items/{itemId}: the path names the item. */
export const ItemPatchByPath = Type.Object(
  { itemId: Type.Optional(ItemId), ...patchFields },
  {
    title: "ItemPatchByPath",
    description:
      "An update of the item in the path. Absent, null or empty fields keep their values; `itemId` must match the path",
  },
);

/** A property. A removed property is kept with an empty value, which no row can set, and with the stamp of its removal. */
const Property = Type.Object({ key: Type.String(), value: Type.String(), stamp: Stamp });
export type Property = Static<typeof Property>;

/** The value that a write gave a field. A field's versions determine its value after a price list is undone. */
const Version = Type.Object({
  stamp: Stamp,
  /** Absent: the field had no value. */
  value: Type.Optional(Type.String()),
  /** The price list that set it; absent from a write that cannot be undone. */
  list: Type.Optional(Type.String()),
  undone: Type.Optional(Type.Literal(true)),
});
export type Version = Static<typeof Version>;

/** The versions of a field, newest first: the current version and earlier versions, back to the first that cannot be undone. */
const FieldVersions = Type.Object({
  /** The name of a text field, or `properties/` followed by a property's key. */
  field: Type.String(),
  versions: Type.Array(Version),
});
export type FieldVersions = Static<typeof FieldVersions>;
/** The values that a campaign gives an item while it runs. */
const Offer = Type.Object({
  /** Id of the campaign in its tenant. */
  campaign: Type.String(),
  /** Stamp of the row that began it. If there are several offers, the one that began last is shown. */
  stamp: Stamp,
  /** Absent if the item keeps its regular price. */
  price: Type.Optional(Type.String()),
  properties: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
  /** Full key of the design that the item's labels show, if it fits them. */
  designId: Type.Optional(Type.String()),
});
export type Offer = Static<typeof Offer>;

/**
 * The offers of an item. While there are any, the item's fields have the values of the offer that is shown. `regular` has the
 * values that item rows set, which apply again once no offer is left.
 */
const Offers = Type.Object({
  /** In the order in which they began. */
  running: Type.Array(Offer),
  /** The regular values of the fields that the shown offer covers, without fields that have no regular value. */
  regular: Type.Object({ price: Type.Optional(Type.String()), properties: Type.Array(Property) }),
  /**
   * The offers that ended last, with the stamps of their ends, so that a row that is applied twice does not begin an ended
   * offer again.
   */
  ended: Type.Array(Type.Object({ campaign: Type.String(), stamp: Stamp })),
});
export type Offers = Static<typeof Offers>;

/** storeitemvalues.v1: an item as stored. */
export const Item = Type.Object({
  itemId: Type.String(),
  itemName: Type.Optional(Type.String()),
  price: Type.Optional(Type.String()),
  itemGroup: Type.Optional(Type.String()),
  department: Type.Optional(Type.String()),
  presentation: Type.Optional(Type.String()),
  sics: Type.Array(Type.String()),
  /** Pairs, because a property may be named `unit.price`, `$set` or `__proto__`. */
  properties: Type.Array(Property),
  /** The stamp that last set each field. The larger stamp wins, regardless of the order in which requests are applied. */
  stamps: Type.Record(Type.String(), Stamp),
  /** Versions of the fields that price lists have set; other fields have none. */
  versions: Type.Optional(Type.Array(FieldVersions)),
  /** Stamp of the row that created the item. */
  created: Stamp,
  /** Stamp of the last deletion: a row with a smaller stamp no longer has any effect. */
  floor: Type.Optional(Stamp),
  /** Absent if no campaign has ever begun for it. */
  offers: Type.Optional(Offers),
  /** Set on a tombstone. */
  deleted: Type.Optional(Type.Literal(true)),
  /** What a prior price is computed from; absent until a price is known. A tombstone keeps it. */
  charged: Type.Optional(Charged),
  /** The last prices with their times, one string each (`domain/prices/keep-price.ts`); read only when requested by name. */
  prices: Type.Optional(Type.Array(Type.String())),
});
export type Item = Static<typeof Item>;

/** Whether a stored item exists for callers: a tombstone does not. */
export const exists = ({ deleted }: Pick<Item, "deleted">): boolean => deleted !== true;

/** Returns the properties of an item, except the removed ones. */
export const propertiesOf = ({ properties }: Pick<Item, "properties">): Property[] =>
  properties.filter(({ value }) => value !== "");

const small = { itemId: Type.String(), itemName: known(Type.String()), price: known(Type.String()) };
const medium = {
  ...small,
  itemGroup: known(Type.String()),
  department: known(Type.String()),
  presentation: known(Type.String()),
  lastUpdated: known(Type.String({ description: "`YYYY-MM-DDThh:mm:ss±hh:mm[Zone/Id]`" })),
  validFrom: known(Type.String({ description: "The earliest pending scheduled update, or null" })),
  sics: Type.Array(Type.String()),
  properties: Type.Object({}, { additionalProperties: Type.String() }),
  offer: Type.Optional(
    Type.Object(
      {
        campaignId: Type.String({ description: "Id of the campaign", examples: ["20260301T090000000Z-a1b2c3"] }),
        price: known(Type.String({ description: "The campaign's price; null if the item keeps its regular price" })),
        properties: Type.Object({}, { additionalProperties: Type.String(), description: "The campaign's properties" }),
      },
      {
        title: "ItemOffer",
        description:
          "The campaign that the item shows now; absent if there is none. The other fields have the regular values",
      },
    ),
  ),
};

const levels = {
  S: Type.Object(small),
  M: Type.Object(medium),
  L: Type.Object({ ...medium, links: Type.Array(LinkAnswer) }),
};

/** An item in a response, by projection level; the levels are cumulative. */
export const ItemAnswer = { ...levels, any: atAnyLevel("Item", levels.S, levels.M, levels.L) };
