import { pixelPainter } from "../../../drawing/canvas/painter.ts";
import { createEccRendering } from "../../../drawing/links/render-ecc-link.ts";
import type { Rendering } from "../../../drawing/links/render-link.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { storedItem } from "../../scripts/demo/items.ts";

const render = createEccRendering(pixelPainter);

export const eccItem = storedItem({
  itemId: "7",
  itemName: "Jabuke Gala domaće I. klasa",
  price: "1.99",
  properties: { ean: "3850102123452", quantity: "1.00 kg", unitPrice: "1.99", lowestPrice30: "2.19" },
});

/** Draws an ECC link of a model on a label. */
export const renderEcc = (
  labelType: LabelType,
  eccModelId: string,
  parameters: Readonly<Record<string, string>> = {},
  renderingHints: Readonly<Record<string, string>> = {},
  change: Partial<Parameters<typeof render>[0]> = {},
  draw = render,
): Rendering =>
  draw({
    eccLink: {
      linkRev: 1,
      status: "ACTIVE",
      itemId: "7",
      eccModelId,
      parameters: pairs(parameters),
      renderingHints: pairs(renderingHints),
    },
    displayPosition: 0,
    item: eccItem,
    labelType,
    store: demoStore,
    ...change,
  });

const pairs = (map: Readonly<Record<string, string>>) => Object.entries(map).map(([key, value]) => ({ key, value }));

/** Each model with all of its parameters. */
export const fullModels: readonly [model: string, parameters: Readonly<Record<string, string>>][] = [
  ["price-tag", { note: "1 kg, Hrvatska" }],
  ["offer", { banner: "SAMO DANAS", formerPrice: "2.49" }],
  ["notice", { title: "Gluten", text: "Sadrži gluten. Pitajte nas.", address: "https://example.com/a/7" }],
];
