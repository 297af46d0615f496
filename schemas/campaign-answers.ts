import { type Static, Type } from "typebox";
import { Actor } from "./actor.ts";
import { CampaignFilter, CampaignItem, CampaignPrices, campaignFields, priceText as price } from "./campaign.ts";
import { known } from "./text.ts";

export const CampaignState = Type.Enum(["DRAFT", "SCHEDULED", "LIVE", "ENDED", "CANCELLED"], {
  title: "CampaignState",
  description:
    "DRAFT: nothing is scheduled yet. SCHEDULED: it has not begun in any store. LIVE: it has begun in a store. ENDED: it is over in all stores. " +
    "CANCELLED: a person ended it early or called it off",
});
export type CampaignState = Static<typeof CampaignState>;

const text = (description: string) => Type.String({ description });
const instant = (description: string) =>
  Type.String({ description: `${description}, ISO 8601 in UTC`, examples: ["2026-03-03T05:00:00.000Z"] });

const summary = {
  campaignId: text("Its id"),
  state: CampaignState,
  name: campaignFields.name,
  from: known(campaignFields.from),
  until: campaignFields.until,
  storeIds: Type.Array(Type.String(), { description: "Its stores" }),
  begins: known(instant("When it begins in its first store; null for a draft")),
  ends: known(instant("When it has ended in its last store; null for a draft")),
  itemCount: known(Type.Integer({ description: "Items in all stores together; null for a draft" })),
  leftOut: known(
    Type.Integer({
      description: "Number of items that do not exist in a store or have no price to compute from; null for a draft",
    }),
  ),
  createdAt: instant("When it was created"),
  createdBy: Type.Object(Actor.properties, { title: "CampaignAuthor", description: "Who created it" }),
  isUnderWay: Type.Boolean({ description: "Whether its requests are still being accepted" }),
};

/** A campaign in a list. */
export const CampaignSummary = Type.Object(summary, { title: "CampaignSummary" });
export type CampaignSummary = Static<typeof CampaignSummary>;

const CampaignStore = Type.Object(
  {
    storeId: text("The store"),
    items: Type.Integer({ description: "Number of the store's items in the campaign" }),
    leftOut: Type.Integer({ description: "Number of items that are left out" }),
    requestId: known(
      Type.Integer({ description: "The request that begins and ends the campaign; null until it is accepted" }),
    ),
    held: Type.Union([Type.Enum(["WAITING", "APPROVED", "REFUSED", "EXPIRED"]), Type.Null()], {
      description: "Whether price guards hold the request, and the decision; null if no guard holds it",
    }),
    cancelledBy: known(
      Type.Integer({ description: "The request that ended the campaign early, or 0 if nothing had begun" }),
    ),
  },
  { title: "CampaignStore" },
);

/** A campaign with its items. */
export const CampaignAnswer = Type.Object(
  {
    ...summary,
    items: Type.Array(CampaignItem, { description: "Items by id, as they were sent" }),
    filter: Type.Union([CampaignFilter, Type.Null()]),
    prices: Type.Union([CampaignPrices, Type.Null()]),
    properties: Type.Unsafe<Record<string, string>>({
      type: "object",
      additionalProperties: Type.String(),
      description: "Properties that the items show during the campaign",
    }),
    designId: known(text("The design that the items' labels show")),
    stores: Type.Array(CampaignStore, { description: "State of the campaign in each store; empty for a draft" }),
  },
  { title: "Campaign", description: "Prices, properties and a design that items have for a limited time" },
);
export type CampaignAnswer = Static<typeof CampaignAnswer>;

const PreviewedItem = Type.Object(
  {
    storeId: text("The store"),
    itemId: text("The item"),
    itemName: known(text("Its name")),
    regularPrice: known(price("The item's current regular price")),
    price: known(price("The item's price in the campaign; null if it keeps the regular price")),
    percent: known(Type.Number({ description: "The change in percent", examples: [-20] })),
    leftOut: Type.Union([Type.Enum(["NO_ITEM", "NO_PRICE"]), Type.Null()], {
      description:
        "Why the item is left out: it does not exist in the store, or has no price to compute from; null if it is not left out",
    }),
  },
  { title: "CampaignPreviewItem" },
);
export type PreviewedItem = Static<typeof PreviewedItem>;

const PreviewedLabel = Type.Object(
  {
    storeId: text("The store"),
    barcode: text("The label"),
    itemId: text("The item"),
    before: known(text("The picture without the campaign: PNG in base64; null if it cannot be drawn")),
    after: known(text("The picture with the campaign: PNG in base64; null if it cannot be drawn")),
  },
  { title: "CampaignPreviewLabel" },
);
export type PreviewedLabel = Static<typeof PreviewedLabel>;

export const CampaignPreview = Type.Object(
  {
    count: Type.Integer({ description: "Number of items in all stores" }),
    leftOut: Type.Integer({ description: "How many of these items are left out" }),
    items: Type.Array(PreviewedItem, {
      description: "The items that are left out, then the largest changes; at most 200",
    }),
    labels: Type.Array(PreviewedLabel, { description: "Labels before and after; at most 6" }),
  },
  { title: "CampaignPreview" },
);
export type CampaignPreview = Static<typeof CampaignPreview>;

const Conflict = Type.Object(
  {
    kind: Type.Enum(["CAMPAIGN", "SCHEDULED_CHANGE"], {
      description:
        "CAMPAIGN: another campaign includes the item at the same time; the campaign that begins later is shown. SCHEDULED_CHANGE: the regular " +
        "price changes during the campaign, and is shown once the campaign is over",
    }),
    storeId: text("The store"),
    itemId: text("The item"),
    campaignId: known(text("The other campaign")),
    name: known(text("Its name")),
    from: instant("When the other campaign begins, or the scheduled change takes effect"),
    until: known(instant("When the other campaign ends")),
    price: known(price("The other price")),
    wins: Type.Boolean({ description: "Whether the other price is shown while both apply" }),
  },
  { title: "CampaignConflict" },
);
export type CampaignConflict = Static<typeof Conflict>;

export const CampaignConflicts = Type.Object(
  {
    count: Type.Integer({ description: "Number of conflicts found" }),
    isBounded: Type.Boolean({
      description: "Whether some stores or campaigns were not checked because there are too many",
    }),
    conflicts: Type.Array(Conflict, { description: "The conflicts, at most 500" }),
  },
  { title: "CampaignConflicts" },
);
export type CampaignConflicts = Static<typeof CampaignConflicts>;
