import type { Framebuffer } from "../../../../drawing/pixels/framebuffer.ts";
import type { LayoutElement } from "../../../../schemas/canvas.ts";
import type { Color } from "../../../../schemas/color.ts";
import { labelTypes } from "../../../../scripts/demo/catalogue.ts";
import { chooseDemoDesign, drawDemo } from "../../../../scripts/demo/draw.ts";
import { items } from "../../../scripts/demo/items.ts";
import { drawElements } from "../../drawing.ts";
import { codes } from "./codes.ts";
import { eccCases } from "./ecc.ts";
import { BWR, type GoldenCase, NAME, price, text } from "./elements.ts";
import { image, images } from "./images.ts";
import { layouts } from "./layouts.ts";
import { prices } from "./prices.ts";
import { scriptCases } from "./scripts.ts";
import { shapes } from "./shapes.ts";
import { templateCases } from "./templates.ts";
import { texts } from "./texts.ts";

const byLength = items.toSorted((one, other) => (other.itemName?.length ?? 0) - (one.itemName?.length ?? 0));
const isOffer = (item: (typeof items)[number]): boolean =>
  item.properties.some(({ key, value }) => key === "priceKind" && value === "special");

/** Every label type with a regular price, an offer and no price; long names and short ones. */
const products: GoldenCase[] = labelTypes.flatMap((labelType, index) => {
  const regular = byLength.filter((item) => !isOffer(item)).at(index % 2 === 0 ? index : -1 - index);
  const special = byLength.filter(isOffer).at(index % 2 === 0 ? -1 - index : index);
  if (regular === undefined || special === undefined) throw new Error("the sample has products of both kinds");
  const { price: _, ...unpriced } = regular;
  return Object.entries({ regular, special, "no-price": unpriced }).map(([occasion, item]) => ({
    name: `label-${labelType.type}-${occasion}`,
    draw: () => drawDemo(item, labelType, chooseDemoDesign(item, labelType.type)),
  }));
});

const palettes: Record<string, Color[]> = {
  bw: ["white", "black"],
  bwr: BWR,
  bwy: ["white", "black", "yellow"],
  bwry: ["white", "black", "red", "yellow"],
  seven: ["white", "black", "red", "yellow", "green", "blue", "orange"],
};

const onLabel = (elements: LayoutElement[], colors: Color[] = BWR, background: Color = "white"): Framebuffer =>
  drawElements(elements, { width: 296, height: 128, colors, background, images }).picture;

export const goldenCases: readonly GoldenCase[] = [
  ...products,
  ...scriptCases,
  ...templateCases,
  ...eccCases,
  ...Object.entries({ ...texts, ...prices, ...shapes, ...layouts, ...codes }).map(([name, elements]) => ({
    name,
    draw: () => onLabel(elements),
  })),
  ...Object.entries(palettes).map(([name, colors]) => ({
    name: `image-${name}`,
    draw: () => onLabel([image(2, false), image(100, "ordered"), image(198, true)], colors),
  })),
  {
    name: "layout-upright",
    draw: () =>
      drawElements(
        [
          text({ x: 4, y: 6, width: 120, height: 60, size: 22, lines: 3, text: NAME }),
          price({ x: 4, y: 90, width: 120, height: 70, align: "right" }),
          { kind: "line", x: 4, y: 170, width: 120, height: 1, thickness: 2, color: "red" },
          { kind: "ean8", x: 4, y: 190, width: 120, height: 60, value: "96385074", smallestModule: 1 },
        ],
        { width: 296, height: 128, rotate: 90 },
      ).picture,
  },
  {
    name: "background-red",
    draw: () =>
      onLabel([price({ color: "white", align: "center" }), text({ y: 80, color: "white", text: NAME })], BWR, "red"),
  },
];
