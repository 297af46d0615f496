import type { CanvasLayout, Element } from "../../schemas/canvas.ts";
import type { Color } from "../../schemas/color.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import { contrastOf, MIN_CONTRAST } from "../pixels/contrast.ts";
import {
  type Area,
  EAN_WIDTH,
  type EccCode,
  type EccFace,
  eanOf,
  gridOf,
  priceOf,
  QR_SIDE,
  qrOf,
  STRUCK_SIZE,
  sizeOf,
  textOf,
  whole,
} from "./ecc-elements.ts";

/** A parameter that a link passes to its model, in addition to the item. */
export interface EccParameter {
  key: string;
  summary: string;
  isRequired?: boolean;
}

/** A parametrised template, which lays itself out for labels of any size (docs/designs/ecc-models.md). */
export interface EccModel {
  id: string;
  summary: string;
  parameters: readonly EccParameter[];
  /**
   * The elements of a matrix label. Their texts are templates in which `link.parameters` holds the link's parameters.
   */
  layOut(face: EccFace): Element[];
  /** The only element of a segment label; absent if segments cannot show the model. */
  segments?(face: EccFace): Element;
}

/** A link's rendering hints. */
export interface EccHints {
  accent: (typeof eccAccents)[number];
  code: EccCode;
  isInverted: boolean;
}

export const eccAccents = ["red", "yellow", "black"] as const;

/** A template of a parameter's value, or of another expression's if the parameter is absent. */
const given = (key: string, fallback: string): string => `\${${givenValue(key, fallback)}}`;

const givenValue = (key: string, fallback: string): string =>
  `has(link.parameters.${key}) ? link.parameters.${key} : ${fallback}`;

/** Whether a link or its item has a value of this name. */
const isGiven = (key: string): string => `has(link.parameters.${key}) || has(item.${key})`;

const hasUnitPrice = `(${isGiven("unitPrice")}) && has(item.quantity)`;
/** Its minimum size relative to the price, if a label has room; otherwise there is a warning. */
const SHARE_PERCENT = 20;
const unitPrice = {
  text: `\${unitPrice(${givenValue("price", "item.price")}, item.quantity, ${givenValue("unitPrice", "item.unitPrice")})}`,
  visible: hasUnitPrice,
  minimumPercentOfPrice: SHARE_PERCENT,
};

/** If the price is not the item's, neither is the unit price. */
const unitPriceParameter = { key: "unitPrice", summary: "Replaces the item's `unitPrice`" };

const price = given("price", "item.price");
const title = given("title", "item.itemName");

const priceTag: EccModel = {
  id: "price-tag",
  summary: "Name, price and code of an item",
  parameters: [
    { key: "title", summary: "Replaces the item's name" },
    { key: "price", summary: "Replaces the item's price" },
    unitPriceParameter,
    { key: "note", summary: "Small print below the name" },
  ],
  layOut(face) {
    const { margin, inner, row } = gridOf(face);
    const texts: Element[] = [
      { ...textOf(face, "bold", 20), ...row(0, 27), text: title, lines: 2, ellipsis: "middle" },
      ...noteAndUnitPrice(face, row(27, 15)),
    ];
    const priceIn = (area: Area): Element => ({ ...priceOf(face, face.ink), ...area, value: price });
    if (face.code === "qr") {
      const rest = row(42, 58);
      const side = Math.min(rest.height, Math.floor(inner / 2));
      const code = { ...rest, y: rest.y + rest.height - side, width: side, height: side };
      return [...texts, qrOf("item.ean", code), priceIn({ ...rest, x: margin + side, width: inner - side })];
    }
    if (face.code === "none" || inner < EAN_WIDTH) return [...texts, priceIn(row(42, 58))];
    return [...texts, priceIn(row(42, 36)), eanOf(row(80, 20))];
  },
  segments: (face) => ({ ...priceOf(face, face.ink), ...whole(face), align: "right", value: price }),
};

/** The note, with the unit price next to it if the item has one. */
function noteAndUnitPrice(face: EccFace, row: Area): Element[] {
  const note = { ...textOf(face, "condensed", 12), ...row, text: given("note", '""') };
  const width = Math.floor(row.width / 2);
  return [
    { ...note, visible: `!(${hasUnitPrice})` },
    { ...note, width: row.width - width - 4, visible: hasUnitPrice },
    { ...textOf(face, "condensed", 12), ...row, x: row.x + row.width - width, width, align: "right", ...unitPrice },
  ];
}

const offer: EccModel = {
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
    const { margin, inner, row } = gridOf(face);
    const banner = row(0, 21);
    const half = Math.floor(inner / 2);
    return [
      { kind: "box", ...banner, x: 0, y: 0, width: face.width, height: banner.y + banner.height, fill: face.accent },
      {
        ...textOf(face, "bold", 22),
        ...banner,
        align: "center",
        verticalAlign: "middle",
        color: face.onAccent,
        text: "${link.parameters.banner}",
        whole: true,
      },
      { ...textOf(face, "bold", 16), ...row(22, 19), text: title, lines: 2, ellipsis: "middle" },
      {
        ...priceOf(face, face.ink),
        ...row(41, 18),
        width: half,
        size: Math.max(STRUCK_SIZE, sizeOf(face.height, 14)),
        font: "regular",
        decimalsPercent: 100,
        currencyPercent: 60,
        align: "left",
        struck: true,
        value: given("formerPrice", "item.formerPrice"),
        visible: isGiven("formerPrice"),
      },
      {
        ...textOf(face, "condensed", 10),
        ...row(59, 28),
        width: half,
        lines: 4,
        verticalAlign: "middle",
        text: `\${lowestPrice30(${givenValue("lowestPrice30", "item.lowestPrice30")})}`,
        visible: isGiven("lowestPrice30"),
        whole: true,
      },
      { ...textOf(face, "condensed", 10), ...row(87, 13), width: half, ...unitPrice },
      {
        ...priceOf(face, face.priceColor),
        size: sizeOf(face.height, 45),
        ...row(44, 56),
        x: margin + half,
        width: inner - half,
        value: price,
      },
    ];
  },
};

const notice: EccModel = {
  id: "notice",
  summary: "A text without a price, with a QR code if there is an address",
  parameters: [
    { key: "title", summary: "The heading", isRequired: true },
    { key: "text", summary: "Text of the notice" },
    { key: "address", summary: "Address encoded in the QR code" },
  ],
  layOut(face) {
    const { margin, inner, row } = gridOf(face);
    const body = row(32, 68);
    const side = Math.min(body.height, Math.max(Math.floor(face.width / 3), Math.min(QR_SIDE, Math.floor(inner / 2))));
    const hasAddress = "has(link.parameters.address)";
    const text: Element = { ...textOf(face, "regular", 14), ...body, lines: 6, text: given("text", '""') };
    return [
      { ...textOf(face, "bold", 26), ...row(0, 30), text: "${link.parameters.title}", lines: 2 },
      { ...text, visible: `!${hasAddress}` },
      { ...text, width: inner - side - margin, visible: hasAddress },
      qrOf("link.parameters.address", { x: face.width - margin - side, y: body.y, width: side, height: side }),
    ];
  },
};

/** The models that Shelfwire ships, by id. */
export const eccModels: ReadonlyMap<string, EccModel> = new Map(
  [priceTag, offer, notice].map((model) => [model.id, model]),
);

/** Lays a model out for labels of a type. Undefined if such a label cannot show the model. */
export function layOutModel(
  { layOut, segments }: EccModel,
  { width, height, colors, display }: LabelType,
  hints: EccHints,
): CanvasLayout | undefined {
  const [background, ink] = hints.isInverted ? (["black", "white"] as const) : (["white", "black"] as const);
  // A label that lacks the accent colour uses the ink colour instead.
  const accent = colors.includes(hints.accent) && hints.accent !== background ? hints.accent : ink;
  const onAccent: Color = accent === "yellow" || accent === "white" ? "black" : "white";
  const priceColor = contrastOf(accent, background) < MIN_CONTRAST ? ink : accent;
  const face = { width, height, ink, accent, onAccent, priceColor, code: hints.code };
  if (display === "segment" && segments === undefined) return undefined;
  const elements = display === "segment" && segments ? [segments(face)] : layOut(face);
  return { width, height, background, elements };
}
