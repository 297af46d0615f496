import type { Element } from "../../schemas/canvas.ts";
import type { TextElement } from "../../schemas/canvas-texts.ts";

/** The occasions of a label: the regular price, a special offer, or no price. */
export type Occasion = "regular" | "special" | "no-price";

/** The unit price, for the legal unit of the net content: `ko` in the price lists is the unit of sale. */
const unitPriceValue = "unitPrice(item.price, item.quantity, item.unitPrice)";
const perUnit = `\${${unitPriceValue}}`;

/** The unit price's least share of the price's size, if a label has room for it. */
const SHARE_PERCENT = 20;

const withShare = (unitPrice: TextElement): TextElement => ({ ...unitPrice, minimumPercentOfPrice: SHARE_PERCENT });

type Area = Pick<Element, "x" | "y" | "width" | "height">;

/** Lays a label of this size out: name on top, price on the right, code and small print below. */
export function layOut(occasion: Occasion, width: number, height: number): Element[] {
  const scale = Math.min(height / 128, width / 208);
  const px = (units: number): number => Math.max(1, Math.round(units * scale));
  const margin = px(5);
  /** In pixels, so that a former price has room for letters that can be read although they are struck. */
  const formerHeight = Math.max(18, px(14));
  const inner = width - 2 * margin;
  const codeHeight = width >= 264 ? px(30) : 0;
  /** Small print is beside the price if a code is below it, otherwise in a strip at the bottom. */
  const stripHeight = codeHeight > 0 ? 0 : Math.max(14, px(14));
  const stripRows = occasion === "special" ? 1 : 0;
  const bottom = height - margin - codeHeight - stripHeight - stripRows * (stripHeight && formerHeight);
  const isTall = width / height < 1.4;
  const nameHeight = px(isTall ? 52 : 38);
  /** Space below the name, so that several lines of it do not touch what is below. */
  const top = margin + nameHeight + px(5);
  const rowHeight = Math.max(12, px(13));
  const priceWidth = Math.round(inner * (codeHeight > 0 ? 0.56 : 0.66));
  const columnWidth = inner - priceWidth - px(4);
  const elements = [name(), ...quantity()];
  if (occasion === "no-price") return [...elements, noPrice(), ...code()];
  return [...elements, ...(occasion === "special" ? offer() : unitPrice()), price(), ...code()];

  function name(): Element {
    return {
      kind: "text",
      x: margin,
      y: margin,
      width: inner,
      height: nameHeight,
      font: "bold",
      size: px(19),
      minimumSize: Math.max(9, px(10)),
      lines: isTall ? 3 : 2,
      lineHeight: 110,
      ellipsis: "middle",
      text: "${item.itemName}",
      color: "black",
    };
  }

  /** The net content; for an offer followed by the unit price if that has no row of its own. */
  function quantity(): Element[] {
    const area = { x: margin, y: top, width: columnWidth, height: rowHeight };
    const alone = "${quantity(item.quantity)}";
    if (occasion !== "special" || stripHeight > 0) return [smallPrint(area, alone, "has(item.quantity)")];
    return [
      smallPrint(area, alone, "has(item.quantity) && !has(item.unitPrice)"),
      // As large as the row allows: next to a long quantity 17 percent of the price instead of 20.
      smallPrint(area, `${alone}   ${perUnit}`, "has(item.quantity) && has(item.unitPrice)"),
    ];
  }

  function price(): Element {
    return {
      kind: "price",
      x: width - margin - priceWidth,
      y: top - px(2),
      width: priceWidth,
      height: bottom - top,
      font: "bold",
      // Of an offer so large that the unit price in the small print keeps its share.
      size: px(occasion === "special" ? 50 : 60),
      minimumSize: 12,
      decimalsPercent: 45,
      align: "right",
      verticalAlign: "middle",
      value: "${item.price}",
      color: occasion === "special" ? ["red", "black"] : "black",
    };
  }

  function unitPrice(): Element[] {
    const visible = "has(item.unitPrice) && has(item.quantity)";
    if (stripHeight > 0) return [withShare(smallPrint(strip(), `\${"Jed. cijena " + ${unitPriceValue}}`, visible))];
    const caption = { x: margin, y: top + rowHeight + px(1), width: columnWidth, height: rowHeight };
    const below = { ...caption, y: caption.y + rowHeight, height: bottom - px(2) - caption.y - rowHeight };
    return [
      // An unknown unit price is reported where its value would be.
      smallPrint(caption, "Jed. cijena", `${visible} && ${unitPriceValue} != ""`),
      withShare({ ...smallPrint(below, perUnit, visible), font: "condensed-bold", size: px(15) }),
    ];
  }

  /** The law requires the lowest price of the last 30 days next to an offer, so this text must be shown whole. */
  function offer(): Element[] {
    const row = { x: margin, y: top + rowHeight + px(1), width: columnWidth, height: formerHeight };
    const below = { ...row, y: row.y + row.height + px(1), height: px(11) };
    const lowest = stripHeight > 0 ? strip() : below;
    /** The former price is beside the badge, or beside the unit price if the column is narrow. */
    const shared = stripHeight > 0 ? { ...strip(1), y: bottom, height: formerHeight } : row;
    const half = { ...shared, width: Math.floor(shared.width * (stripHeight > 0 ? 0.5 : 0.38)) - px(2) };
    const formerPrice: Element = {
      kind: "price",
      ...shared,
      x: shared.x + half.width + px(4),
      width: shared.width - half.width - px(4),
      font: "regular",
      size: Math.round(shared.height / 0.9),
      minimumSize: 8,
      decimalsPercent: 100,
      currencyPercent: 50,
      verticalAlign: "middle",
      align: "right",
      struck: true,
      struckColor: ["red", "black"],
      value: "${item.formerPrice}",
      color: "black",
      visible: "has(item.formerPrice)",
    };
    const beside =
      stripHeight > 0
        ? [...badge(row, "true"), withShare(smallPrint(half, perUnit, "has(item.unitPrice) && has(item.quantity)"))]
        : [...badge(row, "!has(item.formerPrice)"), ...badge(half, "has(item.formerPrice)")];
    return [
      ...beside,
      formerPrice,
      { ...smallPrint(lowest, "${lowestPrice30(item.lowestPrice30)}", "has(item.lowestPrice30)"), whole: true },
    ];
  }

  function badge(area: Area, visible: string): Element[] {
    return [
      { kind: "box", ...area, radius: px(3), fill: ["red", "black"], visible },
      {
        kind: "text",
        ...area,
        font: "bold",
        size: px(11),
        minimumSize: 8,
        align: "center",
        verticalAlign: "middle",
        text: "AKCIJA",
        color: "white",
        visible,
      },
    ];
  }

  /** A row at the bottom, counted upwards. */
  function strip(row = 0) {
    return { x: margin, y: height - margin - (row + 1) * stripHeight, width: inner, height: stripHeight };
  }

  function smallPrint(area: Area, text: string, visible: string): TextElement {
    const size = Math.max(10, Math.floor(area.height / 1.17));
    return { kind: "text", ...area, font: "condensed", size, minimumSize: 8, text, color: "black", visible };
  }

  function noPrice(): Element {
    return {
      kind: "text",
      x: margin,
      y: top + px(16),
      width: inner,
      height: px(24),
      font: "regular",
      size: px(18),
      minimumSize: 9,
      align: "center",
      text: "Cijena nije dostupna",
      color: "black",
    };
  }

  /** The item's code, of the kind that fits its number of digits. */
  function code(): Element[] {
    if (codeHeight === 0) return [];
    const area = { x: margin, y: bottom + px(1), width: Math.min(inner, 400), height: codeHeight };
    const kinds = { ean13: 13, upca: 12, ean8: 8 } as const;
    return [
      { kind: "line", x: margin, y: bottom - px(1), width: inner, height: 1, color: "black" },
      ...Object.entries(kinds).map(
        ([kind, digits]): Element => ({
          kind: kind as keyof typeof kinds,
          ...area,
          value: "${item.ean}",
          visible: `has(item.ean) && item.ean.size() == ${digits}`,
        }),
      ),
    ];
  }
}
