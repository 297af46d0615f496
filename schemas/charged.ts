import { type Static, Type } from "typebox";
import { identifier } from "./text.ts";

/**
 * How a store finds the prior price of a reduction, where its country allows more than article 6a(2) of Directive 98/6/EC
 * says. Without a rule: the lowest price of the 30 days before the present price took effect.
 */
export const PriorPriceRules = Type.Object(
  {
    progressive: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Whether reductions that follow each other without an increase keep the prior price of the first one (article 6a(5)). A step that " +
          "comes more than 30 days after the one before starts a new series",
      }),
    ),
    newGoodsDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 30,
        description:
          "Days that count instead of 30 for goods that have been sold for less than 30 days (article 6a(4))",
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
            "Items with this value of this property go off soon: their reductions are not checked, where the country has other rules for " +
            "such goods (article 6a(3))",
          examples: [{ property: "shelfLife", value: "short" }],
        },
      ),
    ),
  },
  {
    title: "PriorPriceRules",
    description: "How the prior price of a reduction is found, beyond the lowest price of 30 days",
  },
);
export type PriorPriceRules = Static<typeof PriorPriceRules>;

/** A price that was charged, and until when, in milliseconds since 1970. */
const EndedPrice = Type.Object({ price: Type.String(), until: Type.Integer() });
export type EndedPrice = Static<typeof EndedPrice>;

const Before = Type.Array(EndedPrice);

/** What an item keeps of the prices that were charged for it, so that a prior price needs no other read. Times as above. */
export const Charged = Type.Object({
  /** Since when the present price is charged, or none. */
  since: Type.Integer(),
  /** When the first price took effect that is known. */
  first: Type.Integer(),
  /** The item had a price before prices were kept, so nothing is known of the time before `first`. */
  isOlder: Type.Optional(Type.Literal(true)),
  /**
   * Earlier prices that may be the lowest of 30 days, the oldest first and each higher than the one before: one that is followed by the
   * same or a lower price never is.
   */
  before: Before,
  /** The present price is lower than the one that it replaced. */
  reduced: Type.Optional(Type.Literal(true)),
  /** Where the reductions began that the present price continues, if it is not the first of them. */
  series: Type.Optional(Type.Object({ since: Type.Integer(), before: Before })),
  /** The prior price, by the rules of the store when the present price took effect; absent if no earlier price is known. */
  prior: Type.Optional(Type.String()),
  /** Those rules, if the store has any. */
  rules: Type.Optional(PriorPriceRules),
});
export type Charged = Static<typeof Charged>;
