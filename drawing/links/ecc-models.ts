import type { CanvasLayout, Element } from "../../schemas/canvas.ts";
import type { Color } from "../../schemas/color.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import { dpiOf } from "../../schemas/panels.ts";
import { contrastOf, MIN_CONTRAST } from "../pixels/contrast.ts";
import { wordsOf } from "../templates/words.ts";
import { type EccCode, type EccModel, given, gridOf, QR_SIDE, qrOf, textOf } from "./ecc-elements.ts";
import { offer } from "./ecc-offer.ts";
import { priceTag } from "./ecc-price-tag.ts";

/** A link's rendering hints. */
export interface EccHints {
  accent: (typeof eccAccents)[number];
  code: EccCode;
  isInverted: boolean;
}

export const eccAccents = ["red", "yellow", "black"] as const;

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

/** Lays out a model for labels of a type in a store's language. Undefined if such a label cannot show the model. */
export function layOutModel(
  { layOut, segments }: EccModel,
  labelType: LabelType,
  hints: EccHints,
  { locale, currency }: { locale: string; currency: string },
): CanvasLayout | undefined {
  const { width, height, colors, display } = labelType;
  const [background, ink] = hints.isInverted ? (["black", "white"] as const) : (["white", "black"] as const);
  // A label that lacks the accent colour uses the ink colour instead.
  const accent = colors.includes(hints.accent) && hints.accent !== background ? hints.accent : ink;
  const onAccent: Color = accent === "yellow" || accent === "white" ? "black" : "white";
  const priceColor = contrastOf(accent, background) < MIN_CONTRAST ? ink : accent;
  const shown = { locale, currency, ink, accent, onAccent, priceColor, code: hints.code };
  const face = { width, height, dpi: dpiOf(labelType), words: wordsOf(locale), ...shown };
  if (display === "segment" && segments === undefined) return undefined;
  const elements = display === "segment" && segments ? [segments(face)] : layOut(face);
  return { width, height, background, elements };
}
