import type { PriceElement } from "../../schemas/canvas-texts.ts";
import { grownSizeFor, LEGAL, type Line, priceOf, textOf } from "../templates/face.ts";
import { layOutText, measureText } from "../text/draw-text.ts";
import { fitPrice } from "../text/prices/fit-price.ts";
import { priceText } from "../values/format-price.ts";
import { lowestPrice30In } from "../values/unit-functions.ts";
import { unitPriceIn } from "../values/unit-price.ts";
import {
  type EccFace,
  given,
  givenValue,
  hasUnitPrice,
  isGiven,
  SHARE_PERCENT,
  unitPriceText,
} from "./ecc-elements.ts";

/** What an offer shows in addition to its price. */
export interface OfferParts {
  /** The former price, with the width and height of a usual price. */
  former: { element: PriceElement; width: number; height: number };
  lowest: Line;
  unit: Line;
  /** Width of a usual unit price, or of the longest unit price if its letters cannot shrink. */
  unitWidth: number;
}

/** A usual price. Longer prices are drawn smaller. */
const USUAL_PRICE = "99.99";
/** Minimum size of a struck-through price, in pixels: a smaller one may be misread. */
const STRUCK_SIZE = 20;
/** Size of the former price, relative to the side of the label. */
const FORMER = 0.15;
/** Space on either side of a price for the line that strikes it through, in pixels. */
const STRIKE = 3;
/** Smallest size of the price, and the number of pixels by which text must be able to shrink for an unusually long price. */
const [LEAST_PRICE, SHRINKING] = [14, 3];
/** Smallest size of text. Letters that look alike at this size are drawn larger. */
const LEAST_TEXT = 8;

/** Returns the parts of an offer, with legal text at a scale. At scale 1 it is as tall as in the shipped designs. */
export function offerParts(face: EccFace, scale: number): OfferParts {
  const { locale, currency } = face;
  const unit = unitLine(face, scale);
  const lowestOf = (price: string) => `${lowestPrice30In(locale)}: ${priceText(price, locale, currency)}`;
  const lowest = {
    ...legalLine(face, LEGAL.lowestPrice * scale, lowestOf),
    text: `\${lowestPrice30(${givenValue("lowestPrice30", "item.lowestPrice30")})}`,
    ...{ visible: isGiven("lowestPrice30"), lines: 3 },
  };
  const { width = 0 } = measureText(textOf(unit, WIDE), unit.sample ?? "", locale) ?? {};
  return { former: formerIn(face), lowest, unit, unitWidth: Math.ceil(width) };
}

/** Returns the unit price of a link. At scale 1 it is as tall as in the shipped designs. */
export function unitLine(face: EccFace, scale: number): Line {
  const line = legalLine(face, LEGAL.unitPrice * scale, (price) => unitPriceFor(face, price));
  const more = { ...line.more, minimumPercentOfPrice: SHARE_PERCENT };
  return { ...line, text: unitPriceText, visible: hasUnitPrice, more };
}

/** Returns the largest size of a price for which a unit price of this size still has its minimum share. */
export const largestPrice = (unitPriceSize: number): number => Math.floor((unitPriceSize * 100) / SHARE_PERCENT);

const unitPriceFor = ({ locale, currency }: EccFace, price: string): string =>
  unitPriceIn(price, "1 kg", { locale, currency, timeZone: "UTC" });

/** Returns the width and height of the longest price at its smallest size. */
export function leastPrice(face: EccFace): { width: number; height: number } {
  const element: PriceElement = {
    ...priceOf(WIDE, { value: "", minimumSize: LEAST_PRICE }),
    size: LEAST_PRICE,
  };
  const { layout, above, below } = fitPrice(longestPrice(face), element, face);
  return { width: Math.ceil(layout.width) + 2, height: Math.ceil(above + below) };
}

/** Two prices of five digits do not fit side by side on a label less than 200 pixels wide. */
const longestPrice = ({ width }: EccFace): string => (width < 200 ? "249.99" : "12345.00");

const WIDE = { x: 0, y: 0, width: 4096, height: 4096 };

/**
 * Returns a line of text that the law requires, with a height in millimetres. It is shown completely, and drawn smaller only if
 * the value is long.
 */
function legalLine(face: EccFace, mm: number, sampleOf: (price: string) => string): Line {
  const longest = sampleOf(longestPrice(face));
  const { readable } = layOutText(textOf({ text: "", size: LEAST_TEXT }, WIDE), longest, face.locale);
  const size = Math.max(readable, grownSizeFor(face, mm));
  // The smallest letters cannot shrink for a long value.
  const sample = size - readable < SHRINKING ? longest : sampleOf(USUAL_PRICE);
  return { text: "", size, sample, more: { whole: true, minimumSize: LEAST_TEXT } };
}

function formerIn(face: EccFace): OfferParts["former"] {
  const element: PriceElement = {
    ...{ kind: "price", ...WIDE, font: "regular", minimumSize: 9, color: face.ink, struck: true },
    size: Math.max(STRUCK_SIZE, Math.round(Math.min(face.height, face.width * 0.7) * FORMER)),
    ...{ decimalsPercent: 100, currencyPercent: 60 },
    value: given("formerPrice", "item.formerPrice"),
    visible: isGiven("formerPrice"),
  };
  const { layout, above, below } = fitPrice(USUAL_PRICE, element, face);
  const [width, height] = [Math.ceil(layout.width) + 2 * STRIKE, Math.ceil(above + below)];
  return { element: { ...element, width, height }, width, height };
}
