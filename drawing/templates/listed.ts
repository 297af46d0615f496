import type { LabelType } from "../../schemas/label-type.ts";

/** The purpose of each shipped design, and the item's properties that it shows (docs/designs/shipped.md). */
export const templateMeans = {
  standard: "regular price: name, unit price, quantity",
  offer: "reduced price by the Omnibus directive: lowest price of 30 days, percent only against it",
  loyalty: "`loyaltyPrice` for members beside the price for everybody, each with its unit price",
  deposit: "`deposit` apart from the price, which does not include it",
  produce: "goods by weight with `plu`, `origin` and `quality`; the price is that of a kilogram or piece",
  wine: "`origin`, `grape` and `vintage` below the name",
  clearance: "last items: an inverted band with the discount against the lowest price of 30 days",
  bilingual: "`itemName2` in a second language below the name",
  "two-items": "two items side by side, one at each position of the label",
  pictogram: "`pictogram`, the name of an image, and a QR code with the GS1 Digital Link, which customers scan",
  "no-price": "an item without a price",
} as const;

export type TemplateId = keyof typeof templateMeans;
export const templateIds = Object.keys(templateMeans) as TemplateId[];

/** A template, and the labels and the language for which it is laid out. */
export interface LayingOut {
  templateId: TemplateId;
  labelType: Pick<LabelType, "width" | "height" | "display" | "dpi">;
  locale: string;
}
