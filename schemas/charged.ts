import { type Static, Type } from "typebox";
import { identifier } from "./text.ts";

/**
 * How a store finds a reduction's prior price if its country uses exceptions to article 6a(2) of Directive 98/6/EC. Without a
 * rule, it is the lowest price in the 30 days before the current price took effect.
 */
export const PriorPriceRules = Type.Object(
  {
    progressive: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Whether reductions that follow each other without an increase keep the prior price of the first one (article 6a(5)). A reduction that " +
          "follows more than 30 days after the previous one starts a new series",
      }),
    ),
    newGoodsDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 30,
        description: "The period in days for goods that have been on sale for less than 30 days (article 6a(4))",
        examples: [14],
      }),
    ),
    perishable: Type.Optional(
      Type.Object(
        {
          property: identifier(128, "Name of a property of items"),
          value: Type.String({ minLength: 1, maxLength: 4096, description: "Its value" }),
        },
        {
          title: "Perishable",
          description:
            "Items with this value of this property perish quickly. Their reductions are not checked, because the country has other rules for " +
            "such goods (article 6a(3))",
          examples: [{ property: "shelfLife", value: "short" }],
        },
      ),
    ),
  },
  {
    title: "PriorPriceRules",
    description: "How a reduction's prior price is found, if not as the lowest price of 30 days",
  },
);
export type PriorPriceRules = Static<typeof PriorPriceRules>;

/** A price that was charged, and when it was replaced, in milliseconds since 1970. */
const EndedPrice = Type.Object({ price: Type.String(), until: Type.Integer() });
export type EndedPrice = Static<typeof EndedPrice>;

const Before = Type.Array(EndedPrice);

/** An item's earlier prices, kept so that computing a prior price needs no other read. Times as above. */
export const Charged = Type.Object({
  /** When the current price took effect, or when the item lost its price. */
  since: Type.Integer(),
  /** When the first known price took effect. */
  first: Type.Integer(),
  /** The item had a price before prices were kept, so the prices before `first` are unknown. */
  isOlder: Type.Optional(Type.Literal(true)),
  /**
   * Earlier prices that may be the lowest of 30 days, oldest first and ascending: a price followed by the same or a lower price
   * is never the lowest.
   */
  before: Before,
  /** The current price is lower than the price that it replaced. */
  reduced: Type.Optional(Type.Literal(true)),
  /** Start of the current series of reductions; absent if the current price is the first in the series. */
  series: Type.Optional(Type.Object({ since: Type.Integer(), before: Before })),
  /** The prior price by the store's rules when the current price took effect; absent if no earlier price is known. */
  prior: Type.Optional(Type.String()),
  /** The store's rules at that time, if it had any. */
  rules: Type.Optional(PriorPriceRules),
});
export type Charged = Static<typeof Charged>;
