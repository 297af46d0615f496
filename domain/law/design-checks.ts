import { type Color, colors, type Rgb } from "../../schemas/color.ts";
import { MILLIMETRES_PER_INCH } from "../../schemas/lengths.ts";
import { dpiOf } from "../../schemas/panels.ts";
import { callsOf, type ElementFacts, itemKeysIn, type LayoutFacts } from "./layout-facts.ts";
import type { lawChecks } from "./provisions.ts";

/** A fault that a check found in a layout. */
export interface Found {
  pointer: string;
  detail: string;
}

export interface DesignContext {
  /** Property keys of the tenant's items. */
  itemKeys: ReadonlySet<string>;
}

type Checks = typeof lawChecks;
type DesignCheck = { [Name in keyof Checks]: Checks[Name]["of"] extends "design" ? Name : never }[keyof Checks];

const PRIOR = new Set(["priorPrice", "lowestPrice30"]);
const MEMBERS = /^(loyalty|member|club|card)_?price$/i;
const DEPOSIT = /^(deposit|pfand|kaucija|povratna_?naknada)$/i;
const LEAST_MM = 3;
const LEAST_CONTRAST = 3;

/** The checks of a layout, by name. Each returns what it finds: nothing if the layout complies with the law. */
export const designChecks: Readonly<Record<DesignCheck, (layout: LayoutFacts, context: DesignContext) => Found[]>> = {
  PRIOR_PRICE({ pointer, elements }) {
    const announcing = elements.find(announcesReduction);
    if (announcing === undefined || elements.some(({ reads }) => hasAny(reads, PRIOR))) return [];
    const detail = `announces a reduction (${announcing.pointer}) without the prior price; add an element with lowestPrice30(item.priorPrice)`;
    return [{ pointer, detail }];
  },

  PERCENT_BASE: ({ elements }) =>
    elements.flatMap(({ pointer, expressions }) =>
      expressions.flatMap((expression) =>
        callsOf(expression, "discount")
          .filter(([, base = ""]) => !itemKeysIn(base).some((key) => PRIOR.has(key)))
          .map(([, base = ""]) => ({
            pointer,
            detail: `calculates a percentage from "${base}"; use item.priorPrice`,
          })),
      ),
    ),

  STRUCK_PRICE: ({ elements }) =>
    elements
      .filter((facts) => isStruck(facts) && !hasAny(facts.reads, PRIOR))
      .map(({ pointer, expressions }) => ({
        pointer,
        detail: `strikes out "${expressions.join(" ")}", which need not be the prior price; use item.priorPrice`,
      })),

  UNIT_PRICE({ pointer, elements }) {
    if (!elements.some(showsPrice) || elements.some(showsUnitPrice)) return [];
    return [
      { pointer, detail: "shows a price without a unit price; add a text with unitPrice(item.price, item.quantity)" },
    ];
  },

  LOYALTY_PRICE({ pointer, elements }) {
    if (!showsMembersPrice(elements) || elements.some(({ reads }) => reads.has("price"))) return [];
    return [{ pointer, detail: "shows a price for members without the price for everybody; add item.price" }];
  },

  LOYALTY_CONDITION({ pointer, elements }) {
    if (!showsMembersPrice(elements) || elements.some(({ words }) => /\p{L}{3}/u.test(words))) return [];
    return [{ pointer, detail: 'shows a price for members without words that say who gets it, such as "with card"' }];
  },

  DEPOSIT_APART: ({ elements }) =>
    elements.flatMap(({ pointer, expressions }) =>
      expressions
        .filter((expression) => expression.includes("+") && addsDeposit(expression))
        .map((expression) => ({
          pointer,
          detail: `adds the deposit to a price in "${expression}"; show it in a separate element`,
        })),
    ),

  DEPOSIT_SHOWN({ pointer, elements }, { itemKeys }) {
    const name = [...itemKeys].find((key) => DEPOSIT.test(key));
    if (name === undefined || !elements.some(showsPrice)) return [];
    if (elements.some(({ reads }) => [...reads].some((key) => DEPOSIT.test(key)))) return [];
    return [
      { pointer, detail: `shows a price but no deposit, and items have the property "${name}"; show it separately` },
    ];
  },

  LEGIBLE_SIZE({ elements, layout }) {
    const dpi = dpiOf(layout);
    return elements.flatMap(({ pointer, element, ...facts }) => {
      if ((element.kind !== "text" && element.kind !== "price") || !isLegal({ pointer, element, ...facts })) return [];
      const millimetres = (Number(element.size) * MILLIMETRES_PER_INCH) / dpi;
      if (millimetres >= LEAST_MM) return [];
      const detail = `has letters of ${millimetres.toFixed(1)} mm at ${dpi} dpi; make them at least ${LEAST_MM} mm`;
      return [{ pointer, detail }];
    });
  },

  LEGIBLE_CONTRAST: ({ elements, layout }) =>
    elements.flatMap((facts, index) => {
      const { pointer, element } = facts;
      if ((element.kind !== "text" && element.kind !== "price") || !isLegal(facts) || element.box) return [];
      const { color } = element;
      if (typeof color !== "string" || color === "contrast") return [];
      const isCovered = elements.slice(0, index).some((below) => isSurface(below) && overlap(below, facts));
      const ratio = contrast(color, layout.background);
      if (isCovered || ratio >= LEAST_CONTRAST) return [];
      const detail = `is ${color} on ${layout.background}, a contrast of ${ratio.toFixed(1)} : 1; use another colour or "contrast"`;
      return [{ pointer, detail }];
    }),
};

const hasAny = (all: ReadonlySet<string>, some: ReadonlySet<string>): boolean => !all.isDisjointFrom(some);

const isStruck = ({ element }: ElementFacts): boolean =>
  (element.kind === "text" || element.kind === "price") && element.struck !== undefined && element.struck !== false;

const announcesReduction = (facts: ElementFacts): boolean =>
  isStruck(facts) ||
  facts.reads.has("formerPrice") ||
  facts.expressions.some((expression) => callsOf(expression, "discount").length > 0);

const showsPrice = ({ element, reads }: ElementFacts): boolean => element.kind === "price" || reads.has("price");

/** A price with a suffix such as `/kg` is a unit price. */
const showsUnitPrice = ({ element, expressions, reads }: ElementFacts): boolean =>
  reads.has("unitPrice") ||
  (element.kind === "price" && element.suffix?.includes("/") === true) ||
  expressions.some((expression) => callsOf(expression, "unitPrice").length > 0);

const showsMembersPrice = (elements: readonly ElementFacts[]): boolean =>
  elements.some(({ reads }) => [...reads].some((key) => MEMBERS.test(key)));

/** Whether the law requires an element to be legible. */
const isLegal = (facts: ElementFacts): boolean =>
  showsPrice(facts) || showsUnitPrice(facts) || hasAny(facts.reads, PRIOR);

/** Whether an expression adds a deposit's number to a price's, rather than joining strings. */
const addsDeposit = (expression: string): boolean =>
  /\b(?:double|decimal)\s*\(/.test(expression) &&
  itemKeysIn(expression).some((key) => DEPOSIT.test(key)) &&
  itemKeysIn(expression).some((key) => /price$/i.test(key));

const isSurface = ({ element }: ElementFacts): boolean =>
  element.kind === "box" || element.kind === "ellipse" || element.kind === "polygon" || element.kind === "image";

/** Positions of elements in groups are relative to the group. Any element that may be below the text is assumed to be there. */
function overlap({ element: one, pointer: below }: ElementFacts, { element: other, pointer }: ElementFacts): boolean {
  if (below.split("/").length > 3 || pointer.split("/").length > 3) return true;
  if (!("width" in one && "height" in one && "width" in other && "height" in other)) return true;
  const apart = (from: number, size: number, otherFrom: number, otherSize: number) =>
    from + size <= otherFrom || otherFrom + otherSize <= from;
  const numbers = [one.x, one.width, other.x, other.width, one.y, one.height, other.y, other.height].map(Number);
  const [x = 0, width = 0, otherX = 0, otherWidth = 0, y = 0, height = 0, otherY = 0, otherHeight = 0] = numbers;
  return !apart(x, width, otherX, otherWidth) && !apart(y, height, otherY, otherHeight);
}

/** Returns the ratio of two colours' luminances on e-paper, as WCAG defines it. */
function contrast(one: Color, other: Color): number {
  const [darker = 0, lighter = 0] = [one, other]
    .map((color) => luminance(colors[color].measured))
    .toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
