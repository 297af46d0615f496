import type { CanvasDesign, Element } from "../../schemas/canvas.ts";
import type { CommunicationPack, Design } from "../../schemas/design.ts";
import { canvasDesignKey, designKey, tenantKey } from "../../schemas/keys.ts";
import { labelTypes, TENANT_ID } from "./catalogue.ts";

/** What a label says: the regular price, a special offer, or that there is no price. */
type Occasion = "regular" | "special" | "no-price";
const occasions: readonly Occasion[] = ["regular", "special", "no-price"];

const sizes = [...new Set(labelTypes.map(({ width, height }) => `${width}x${height}`))];

const designId = (occasion: Occasion, size: string): string => `${occasion}-${size}`;
const keyOf = (id: string): string => designKey(tenantKey(TENANT_ID), id);

/** A design and its canvas for each occasion and size. */
export const demoDesigns: readonly { id: string; key: string; design: Design; canvas: CanvasDesign }[] = sizes.flatMap(
  (size) => {
    const [width = 0, height = 0] = size.split("x").map(Number);
    const fitting = labelTypes.filter((type) => type.width === width && type.height === height);
    const isSegments = fitting.some(({ display }) => display === "segment");
    return occasions.map((occasion) => {
      const id = designId(occasion, size);
      const canvas = {
        name: id,
        width,
        height,
        background: "white" as const,
        elements: isSegments ? [segmentLine(occasion, width, height)] : layOut(occasion, width, height),
      };
      const design = {
        name: id,
        canvasId: canvasDesignKey(tenantKey(TENANT_ID), id),
        compatible_esltype_ids: fitting.map(({ type }) => type),
      };
      return { id, key: keyOf(id), design, canvas };
    });
  },
);

const all = (occasion: Occasion): string[] => sizes.map((size) => keyOf(designId(occasion, size)));

/** The rules: by whether there is a price, by its kind, and for posters by the device. */
export const demoPack: CommunicationPack = {
  name: "Shelf prices",
  scenarios: [
    { id: "no-price", name: "No price", cel_expression: "!has(item.price)", design_ids: all("no-price"), children: [] },
    {
      id: "special",
      name: "Special offer",
      cel_expression: 'has(item.priceKind) && item.priceKind == "special"',
      design_ids: all("special"),
      children: [
        {
          id: "special-poster",
          name: "Special offer on a poster",
          cel_expression: "device.type in [1340, 1353]",
          design_ids: ["special-800x480", "special-648x480"].map(keyOf),
          children: [],
        },
      ],
    },
    { id: "regular", name: "Regular price", design_ids: all("regular"), children: [] },
  ],
};

/** All that a segment label can say: the price, or that there is none. */
function segmentLine(occasion: Occasion, width: number, height: number): Element {
  const whole = { x: 0, y: 0, width, height, font: "regular", size: height, align: "right", color: "black" } as const;
  return occasion === "no-price"
    ? { kind: "text", ...whole, text: "----" }
    : { kind: "price", ...whole, value: "${item.price}" };
}

/** Where things are on a label of this size: name on top, price right, code and small print below. */
function layOut(occasion: Occasion, width: number, height: number): Element[] {
  const scale = Math.min(height / 128, width / 208);
  const px = (units: number): number => Math.max(1, Math.round(units * scale));
  const margin = px(6);
  const inner = width - 2 * margin;
  const codeHeight = width >= 240 ? px(30) : 0;
  /** Small print: beside the price where a code is below, else in a strip of its own at the bottom. */
  const stripHeight = codeHeight > 0 ? 0 : Math.max(11, px(12));
  const bottom = height - margin - codeHeight - stripHeight;
  const nameHeight = px(width / height < 1.4 ? 46 : 40);
  const priceTop = margin + nameHeight + px(2);
  const priceWidth = Math.round(inner * (codeHeight > 0 ? 0.56 : 0.66));
  const ink = occasion === "special" ? (["red", "black"] as const) : (["black"] as const);
  const elements: Element[] = [
    {
      kind: "text",
      x: margin,
      y: margin,
      width: inner,
      height: nameHeight,
      font: "bold",
      size: px(19),
      minimumSize: Math.max(9, px(10)),
      lines: 2,
      text: "${item.itemName}",
      color: "black",
    },
    {
      kind: "text",
      x: margin,
      y: priceTop,
      width: inner - priceWidth,
      height: px(12),
      font: "condensed",
      size: Math.max(10, px(11)),
      minimumSize: 8,
      text: "${item.quantity}",
      color: "black",
      visible: "has(item.quantity)",
    },
  ];
  if (occasion === "no-price") return [...elements, noPrice(), ...code()];
  return [...elements, ...(occasion === "special" ? offer() : unitPrice()), price(), ...code()];

  function price(): Element {
    return {
      kind: "price",
      x: width - margin - priceWidth,
      y: priceTop,
      width: priceWidth,
      height: bottom - priceTop - px(2),
      font: "bold",
      size: px(60),
      minimumSize: 12,
      decimalsPercent: 45,
      align: "right",
      verticalAlign: "middle",
      value: "${item.price}",
      color: [...ink],
    };
  }

  function unitPrice(): Element[] {
    const beside = { x: margin, y: priceTop + px(14), width: inner - priceWidth, height: px(12) };
    const area = stripHeight > 0 ? strip() : beside;
    const text = "Jed. cijena ${item.unitPrice} €/${item.unit}";
    return [
      {
        kind: "text",
        ...area,
        font: "condensed",
        size: Math.max(10, px(11)),
        minimumSize: 8,
        text,
        color: "black",
        visible: "has(item.unitPrice) && has(item.unit)",
      },
    ];
  }

  function offer(): Element[] {
    const badge = { x: margin, y: priceTop + px(13), width: inner - priceWidth - px(4), height: px(15) };
    const below = { x: margin, y: badge.y + badge.height + px(1), width: badge.width, height: px(10) };
    const lowest = stripHeight > 0 ? strip() : below;
    return [
      { kind: "box", ...badge, fill: ["red", "black"] },
      {
        kind: "text",
        ...badge,
        font: "bold",
        size: px(12),
        minimumSize: 8,
        align: "center",
        verticalAlign: "middle",
        text: "AKCIJA",
        color: "white",
      },
      {
        kind: "text",
        ...lowest,
        font: "condensed",
        size: Math.max(9, px(9)),
        minimumSize: 8,
        text: "Najniža u 30 dana: ${item.lowestPrice30} €",
        color: "black",
        visible: "has(item.lowestPrice30)",
      },
    ];
  }

  function strip() {
    return { x: margin, y: height - margin - stripHeight, width: inner, height: stripHeight };
  }

  function noPrice(): Element {
    return {
      kind: "text",
      x: margin,
      y: priceTop + px(16),
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

  /** A 12-digit UPC is an EAN-13 with a zero in front. */
  function code(): Element[] {
    if (codeHeight === 0) return [];
    const line: Element = { kind: "line", x: margin, y: bottom - px(1), width: inner, height: 1, color: "black" };
    const value = '${item.ean.size() == 12 ? "0" + item.ean : item.ean}';
    return [
      line,
      {
        kind: "ean13",
        x: margin,
        y: bottom + px(2),
        width: Math.min(inner, 400),
        height: codeHeight,
        value,
        visible: "has(item.ean) && item.ean.size() in [12, 13]",
      },
    ];
  }
}
