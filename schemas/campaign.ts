import { type Static, type TSchema, Type } from "typebox";
import { Actor } from "./actor.ts";
import { ItemId, PropertyKey } from "./item.ts";
import { identifier, known, plainId, wellFormed } from "./text.ts";

const date = Type.Unsafe<Date>({});

export const MAX_CAMPAIGN_ITEMS = 5_000;
export const MAX_CAMPAIGN_STORES = 500;
/** Maximum number of items, summed over all stores. For each item, one row begins the campaign and another ends it. */
export const MAX_CAMPAIGN_PAIRS = 100_000;
const MAX_PROPERTIES = 20;

export const CampaignId = plainId("Id of the campaign");

const local = (description: string, example: string) =>
  Type.String({
    format: "local-date-time",
    minLength: 1,
    description: `${description}: \`YYYY-MM-DD hh:mm:ss\` in the time zone of each store`,
    examples: [example],
  });
/** The text of a price. */
export const priceText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 32, ...wellFormed, description, examples: ["1.99"] });

export const CampaignItem = Type.Object(
  {
    itemId: ItemId,
    price: Type.Optional(priceText("The item's price in the campaign; if absent, the campaign's rule decides")),
  },
  { title: "CampaignItem" },
);

export const CampaignFilter = Type.Object(
  {
    itemGroup: Type.Optional(identifier(128, "Items of this group")),
    department: Type.Optional(identifier(128, "Items of this department")),
    property: Type.Optional(PropertyKey),
    value: Type.Optional(
      Type.String({ maxLength: 4096, ...wellFormed, description: "Items with this value of the property" }),
    ),
  },
  {
    title: "CampaignFilter",
    minProperties: 1,
    description: "All conditions must hold. The items are selected when the campaign is scheduled",
  },
);

export const CampaignPrices = Type.Object(
  {
    fixed: Type.Optional(priceText("The same price for each item")),
    percent: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 99,
        description: "Percentage off the regular price; the result is rounded half up to that price's decimals",
        examples: [20],
      }),
    ),
    property: Type.Optional(PropertyKey),
    ending: Type.Optional(
      Type.String({
        pattern: "^[0-9]{1,3}$",
        errorMessage: 'must be 1 to 3 digits, such as "9"',
        description: "With `percent`: the price is lowered to the next one that ends with these digits",
        examples: ["9"],
      }),
    ),
  },
  {
    title: "CampaignPrices",
    description:
      "How the price of an item without a price of its own is determined: by one of `fixed`, `percent` and `property` (the item's property that has the price). " +
      "Prices are computed once, when the campaign is scheduled",
  },
);
export type CampaignPrices = Static<typeof CampaignPrices>;

const required = {
  name: identifier(128, "Name, for people"),
  until: local("When it ends, and the regular prices return", "2026-03-07 20:00:00"),
};
const Stores = Type.Array(plainId("Id of a store"), {
  minItems: 1,
  maxItems: MAX_CAMPAIGN_STORES,
  uniqueItems: true,
  description: "The stores; the one in the path if absent",
});
const optional = {
  from: local("When it starts; immediately if absent", "2026-03-03 06:00:00"),
  items: Type.Array(CampaignItem, { maxItems: MAX_CAMPAIGN_ITEMS, description: "Items by id, with or without prices" }),
  filter: CampaignFilter,
  prices: CampaignPrices,
  properties: Type.Unsafe<Record<string, string>>({
    type: "object",
    additionalProperties: Type.String({ minLength: 1, maxLength: 1024, ...wellFormed }),
    propertyNames: PropertyKey,
    maxProperties: MAX_PROPERTIES,
    description: "Properties that the items have during the campaign, for rules and designs",
    examples: [{ priceKind: "special" }],
  }),
  designId: identifier(
    256,
    "The design that the items' labels show, if it fits them; otherwise the rules choose as usual",
  ),
};
/** Fields that a campaign and a response have in common. */
export const campaignFields = { ...required, from: optional.from };
const order = {
  ...required,
  storeIds: Type.Optional(Stores),
  from: Type.Optional(optional.from),
  items: Type.Optional(optional.items),
  filter: Type.Optional(optional.filter),
  prices: Type.Optional(optional.prices),
  properties: Type.Optional(optional.properties),
  designId: Type.Optional(optional.designId),
};

/** Body of POST /campaigns. */
export const CampaignOrder = Type.Object(order, {
  title: "CampaignOrder",
  description: "A new campaign, as a draft",
});
export type CampaignOrder = Static<typeof CampaignOrder>;

const removable = <S extends TSchema>(field: S) => Type.Optional(known(field));

/** Body of PATCH /campaigns/{campaignId}. */
export const CampaignPatch = Type.Object(
  {
    name: Type.Optional(required.name),
    until: Type.Optional(required.until),
    storeIds: Type.Optional(Stores),
    from: removable(optional.from),
    items: removable(optional.items),
    filter: removable(optional.filter),
    prices: removable(optional.prices),
    properties: removable(optional.properties),
    designId: removable(optional.designId),
  },
  {
    title: "CampaignPatch",
    minProperties: 1,
    description: "Its fields replace the draft's; null removes a field",
  },
);
export type CampaignPatch = Static<typeof CampaignPatch>;

/** Body of POST /campaigns/{campaignId}/schedule. */
export const CampaignSchedule = Type.Object(
  {
    onGuard: Type.Optional(
      Type.Enum(["REFUSE", "HOLD"], {
        description:
          "What happens if prices hit price guards. REFUSE: the campaign stays a draft, and the response is 409. HOLD: the request of each such store is " +
          "held until a second person approves it. If absent: REFUSE for up to 50 items in a store, HOLD for more",
      }),
    ),
  },
  { title: "CampaignSchedule" },
);

/** campaign: a campaign of a tenant. Only DRAFT, SCHEDULED and CANCELLED are stored; the other states follow from the time. */
export const Campaign = Type.Object({
  ...order,
  storeIds: Type.Array(Type.String()),
  state: Type.Enum(["DRAFT", "SCHEDULED", "CANCELLED"]),
  createdAt: date,
  createdBy: Actor,
  /** Who scheduled or cancelled it: the actor of its requests. */
  by: Type.Optional(Actor),
  /** When it begins in its first store, and when it has ended in its last store; absent before it is scheduled. */
  begins: Type.Optional(date),
  ends: Type.Optional(date),
  /** Number of items in all stores, and number of items that were left out; absent before it is scheduled. */
  counts: Type.Optional(Type.Object({ items: Type.Integer(), leftOut: Type.Integer() })),
  /** The latest plan to schedule it: the draft's rev on which the plan is based. It is set before the plan's parts are written. */
  plan: Type.Optional(Type.Integer()),
  /** When a worker performs the next step; absent if nothing is left to do. */
  due: Type.Optional(date),
});
export type Campaign = Static<typeof Campaign>;

/** campaignpart: what a scheduled campaign does in one store. */
export const CampaignPart = Type.Object({
  items: Type.Array(Type.Object({ itemId: Type.String(), price: Type.Optional(Type.String()) })),
  leftOut: Type.Integer(),
  /** The plan that it belongs to; absent if an earlier release wrote it. */
  plan: Type.Optional(Type.Integer()),
  /** Set if the request is to be held: JSON of the guards that it hits, and of the time until which it is held. */
  heldFor: Type.Optional(Type.String()),
  heldUntil: Type.Optional(date),
  /** Number of the request whose rows begin and end the campaign; absent until it is accepted. */
  requestId: Type.Optional(Type.Integer()),
  isHeld: Type.Optional(Type.Literal(true)),
  /** Set once the cancellation is accepted: the number of its request, or 0 if nothing had been applied. */
  cancelledBy: Type.Optional(Type.Integer()),
});
export type CampaignPart = Static<typeof CampaignPart>;
