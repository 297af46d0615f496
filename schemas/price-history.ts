import { type Static, Type } from "typebox";
import { PriorPriceRules } from "./charged.ts";
import { known } from "./text.ts";

const SINCE = "2026-03-03T05:00:00.000Z";
const instant = (description: string, example = SINCE) =>
  known(Type.String({ description: `${description}, ISO 8601 in UTC`, examples: [example] }));

/** The acknowledgements of labels that showed a price while it was charged. */
const PriceShown = Type.Object(
  {
    labels: Type.Integer({ description: "Number of labels, among the labels read, that showed it", examples: [2] }),
    first: Type.String({
      description: "The first acknowledgement, ISO 8601 in UTC",
      examples: ["2026-03-03T05:00:09.000Z"],
    }),
    last: Type.String({ description: "The last acknowledgement", examples: ["2026-03-03T05:00:11.000Z"] }),
  },
  { title: "PriceShown" },
);
export type PriceShown = Static<typeof PriceShown>;

const PricePeriod = Type.Object(
  {
    since: instant("When it took effect; null if unknown"),
    until: instant("When it was replaced; null for the current price", "2026-03-10T05:00:00.000Z"),
    price: known(Type.String({ description: "The price; null while the item was deleted", examples: ["1.99"] })),
    counts: Type.Boolean({ description: "Whether it was charged in the period that determines the prior price" }),
    shown: Type.Union([PriceShown, Type.Null()], {
      description:
        "Acknowledgements of labels, as far back as their log goes; null if none of the labels read acknowledged it",
    }),
  },
  { title: "PricePeriod" },
);
export type PricePeriod = Static<typeof PricePeriod>;

export const PriceHistory = Type.Object(
  {
    itemId: Type.String({ description: "The item", examples: ["90704273"] }),
    price: known(Type.String({ description: "The current price", examples: ["1.49"] })),
    priorPrice: known(
      Type.String({
        description: "The lowest price charged in the period before the current price; null if none is known",
        examples: ["1.99"],
      }),
    ),
    reducedBy: known(
      Type.Integer({
        description:
          "Reduction from the prior price in whole percent; null if the price is not below it, so that no reduction may be announced",
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
      { description: "The period whose lowest price is the prior price; null if no price is known" },
    ),
    rules: PriorPriceRules,
    prices: Type.Array(PricePeriod, { description: "Newest first" }),
    labelsRead: Type.Integer({ description: "Number of labels whose acknowledgements were read", examples: [2] }),
    isCut: Type.Boolean({ description: "Whether older prices are known" }),
  },
  { title: "PriceHistory" },
);
export type PriceHistory = Static<typeof PriceHistory>;
