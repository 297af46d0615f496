import type { LayoutElement } from "../../schemas/canvas.ts";
import type { Area } from "../pixels/framebuffer.ts";
import { heightOf, textOf } from "../templates/face.ts";
import { type EccFace, type EccModel, titleText, unitPriceParameter } from "./ecc-elements.ts";
import { type Arranged, arrange, arrangeStrip, forced } from "./ecc-offer-ways.ts";

export const offer: EccModel = {
  id: "offer",
  summary:
    "A special offer: a coloured banner, the price, the former price struck through, the lowest price of 30 days and the unit price",
  parameters: [
    { key: "banner", summary: "Text of the banner", isRequired: true },
    { key: "title", summary: "Replaces the item's name" },
    { key: "price", summary: "Replaces the item's price" },
    unitPriceParameter,
    { key: "formerPrice", summary: "Shown struck through; defaults to the item's `formerPrice`" },
    { key: "lowestPrice30", summary: "Replaces the item's `lowestPrice30`" },
  ],
  layOut(face) {
    const banner = { x: 0, y: 0, width: face.width, height: Math.round(sideOf(face) * BANNER) };
    return [...bannerIn(face, banner), ...belowBanner(face, banner.height)];
  },
};

/** Heights of the banner, of a name on one line, and of a price that is large enough, relative to the side of the label. */
const [BANNER, NAME, LARGE_PRICE] = [0.2, 0.2, 0.44];
/** Sizes of legal text, relative to its size in the shipped designs. On a small label it gives way to the price. */
const SCALES = [1, 0.9, 0.8, 0.7, 0.6, 0.5];
/** Scale of legal text on a strip, whose price is larger than on other labels of its height. */
const STRIP_SCALE = 1.15;
/** Minimum size of the name, in pixels. */
const LEAST_NAME = 12;

/** Returns the height of a landscape label. For other labels, returns a height that keeps the parts in proportion. */
const sideOf = ({ width, height }: EccFace): number => Math.min(height, width * 0.75);

const bannerIn = ({ accent, onAccent }: EccFace, area: Area): LayoutElement[] => [
  { kind: "box", ...area, fill: accent },
  {
    ...{ kind: "text", ...area, x: area.x + 3, width: area.width - 6, font: "bold", color: onAccent, whole: true },
    ...{ size: Math.floor(area.height * 0.8), minimumSize: 8, align: "center", verticalAlign: "middle" },
    text: "${link.parameters.banner}",
  },
];

/**
 * Lays out the name, and below it the price, as large as possible next to the legal text. The legal text is only as small as a
 * large price requires.
 */
function belowBanner(face: EccFace, top: number): LayoutElement[] {
  const margin = Math.max(3, Math.round(sideOf(face) / 36));
  const inner = { x: margin, y: top + 2, width: face.width - 2 * margin, height: face.height - top - 2 - margin };
  const strip = arrangeStrip(face, inner, STRIP_SCALE, (area) => {
    const [name] = namesIn(face, area);
    return { name, below: belowName(name, area) };
  });
  if (strip) return strip;
  let best: Arranged | undefined;
  for (const scale of SCALES)
    for (const name of namesIn(face, inner)) {
      const [found] = arrange(face, belowName(name, inner), scale);
      if (found === undefined) continue;
      const named = { ...found, elements: [name, ...found.elements] };
      if (found.room >= sideOf(face) * LARGE_PRICE) return named.elements;
      if (found.room > (best?.room ?? 0)) best = named;
    }
  return best?.elements ?? forced(face, inner, SCALES.at(-1) as number);
}

/** Returns the name on up to two lines, or on one line if the label has no room for two. */
function namesIn(face: EccFace, { x, y, width }: Area) {
  const size = Math.max(LEAST_NAME + 2, Math.round(sideOf(face) * NAME * 0.7));
  const two = Math.max(heightOf(LEAST_NAME, 2), heightOf(Math.round(size * 0.78), 2));
  const nameOf = (height: number) => {
    const line = { text: titleText, size: Math.floor((height - 1) / 1.25), lines: 2 };
    const cut = { minimumSize: LEAST_NAME, ellipsis: "middle" } as const;
    return { ...textOf(line, { x, y, width }), ...cut, height, verticalAlign: "middle" as const };
  };
  return [nameOf(two), nameOf(heightOf(size))] as const;
}

const belowName = ({ height }: { height: number }, area: Area): Area => ({
  ...area,
  y: area.y + height + 1,
  height: area.height - height - 1,
});
