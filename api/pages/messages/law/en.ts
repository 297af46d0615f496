/** Messages about findings of the law checks, in English. */
export const law = {
  "law.title": "Law",
  "law.hint": {
    one: "Checked against the law of the store's country: its designs and {count} item. This does not replace legal advice.",
    other:
      "Checked against the law of the store's country: its designs and {count} items. This does not replace legal advice.",
  },
  "law.more": { one: "and {count} more", other: "and {count} more" },
  "law.check.PRIOR_PRICE": "A reduction is shown without the lowest price of the last 30 days",
  "law.check.PERCENT_BASE": "A percentage is not calculated from the lowest price of the last 30 days",
  "law.check.STRUCK_PRICE": "A price that is struck through is not the lowest price of the last 30 days",
  "law.check.UNIT_PRICE": "A price is shown without its unit price",
  "law.check.LOYALTY_PRICE": "A price for members is shown without the price for everybody",
  "law.check.LOYALTY_CONDITION": "A price for members does not say who gets it",
  "law.check.DEPOSIT_APART": "A deposit is part of the price",
  "law.check.DEPOSIT_SHOWN": "A deposit is not shown",
  "law.check.LEGIBLE_SIZE": "A price is smaller than 3 mm",
  "law.check.LEGIBLE_CONTRAST": "A price is hard to tell from its background",
  "law.check.SENT_PRIOR_PRICE": "The lowest price of the last 30 days, as sent, is too high",
  "law.check.NO_REDUCTION": "A reduced price is not lower than the lowest price of the last 30 days",
  "law.check.QUANTITY": "The quantity for the unit price is missing",
  "law.check.METRIC": "A quantity is not metric",
  "law.check.UNIT_OF_UNIT_PRICE": "Unit prices are not per kilogram or litre",
} as const;
