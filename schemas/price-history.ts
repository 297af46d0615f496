import { type Static, Type } from "typebox";
import { PriorPriceRules } from "./charged.ts";
import { known } from "./text.ts";

const SINCE = "2026-03-03T05:00:00.000Z";
const instant = (description: string, example = SINCE) =>
  known(Type.String({ description: `${description}, ISO 8601 in UTC`, examples: [example] }));

/** The acknowledgements of labels that showed a price while it was charged. */
const PriceShown = Type.Object(
  {
    labels: Type.Integer({ description: "How many of the labels that were read showed it", examples: [2] }),
    first: Type.String({
      description: "The first acknowledgement, ISO 8601 in UTC",
      examples: ["2026-03-03T05:00:09.000Z"],
    }),
    last: Type.String({ description: "The last one", examples: ["2026-03-03T05:00:11.000Z"] }),
  },
  { title: "PriceShown" },
);
export type PriceShown = Static<typeof PriceShown>;

const PricePeriod = Type.Object(
  {
    since: instant("Since when it was charged; null if that is unknown"),
    until: instant("Until when; null for the present price", "2026-03-10T05:00:00.000Z"),
    price: known(Type.String({ description: "The price; null while the item was deleted", examples: ["1.99"] })),
    counts: Type.Boolean({ description: "Whether it was charged in the period of the prior price" }),
    shown: Type.Union([PriceShown, Type.Null()], {
      description: "What labels acknowledged, as far as their log goes back; null if none of those that were read did",
    }),
  },
  { title: "PricePeriod" },
);
export type PricePeriod = Static<typeof PricePeriod>;

export const PriceHistory = Type.Object(
  {
    itemId: Type.String({ description: "The item", examples: ["90704273"] }),
    price: known(Type.String({ description: "The present price", examples: ["1.49"] })),
    priorPrice: known(
      Type.String({
        description: "The lowest price that was charged in the period before the present price; null if none is known",
        examples: ["1.99"],
      }),
    ),
    reducedBy: known(
      Type.Integer({
        description:
          "By how many whole percent the price is below the prior price; null if it is not, so no reduction may be announced",
        examples: [25],
      }),
    ),
    period: Type.Union(
      [
        Type.Object(
          {
            from: Type.String({ description: "ISO 8601 in UTC", examples: ["2026-02-01T04:00:00.000Z"] }),
            until: Type.String({ description: "When the reduction took effect", examples: [SINCE] }),
            isCovered: Type.Boolean({ description: "Whether all prices of the period are known" }),
          },
          { title: "PriorPeriod" },
        ),
        Type.Null(),
      ],
      { description: "The period whose lowest price counts; null if no price is known" },
    ),
    rules: PriorPriceRules,
    prices: Type.Array(PricePeriod, { description: "Newest first" }),
    labelsRead: Type.Integer({ description: "Number of labels whose acknowledgements were read", examples: [2] }),
    isCut: Type.Boolean({ description: "Whether older prices are known" }),
  },
  { title: "PriceHistory" },
);
export type PriceHistory = Static<typeof PriceHistory>;
