import { compileCanvas } from "../../../../drawing/canvas/compile-canvas.ts";
import { draw } from "../../../../drawing/canvas/draw.ts";
import { type TemplateId, templateIds } from "../../../../drawing/templates/listed.ts";
import { templateCanvas } from "../../../../drawing/templates/templates.ts";
import type { Color } from "../../../../schemas/color.ts";
import { BWR, type GoldenCase, NAME } from "./elements.ts";
import { images } from "./images.ts";

const item = {
  ...{ itemName: NAME, price: "2.49", quantity: "1 kg", unitPrice: "2.49", lowestPrice30: "3.29" },
  ...{ loyaltyPrice: "1.99", deposit: "0.10", plu: "4011", origin: "Ekvador", quality: "I. klasa", vintage: "2021" },
  ...{
    grape: "Graševina",
    itemName2: "Hausbrot mit Sauerteig",
    ean: "3850334043641",
    pictogram: [...images.keys()][0] ?? "",
  },
};

function drawTemplate(id: TemplateId, width: number, height: number, colors: Color[] = BWR, locale = "hr-HR") {
  const canvas = templateCanvas(id, { width, height, display: "matrix" }, locale);
  if (canvas === undefined) throw new Error(`${id} does not offer itself for ${width} x ${height}`);
  const store = { locale, currency: "EUR" };
  const variables = { item, link: { displayPosition: 0n }, device: {}, store: { ...store, timeZone: "UTC" } };
  return draw(compileCanvas(canvas), { labelType: { type: 1, width, height, colors }, variables, store, images })
    .picture;
}

/** Templates that need a size other than 296 x 128. */
const sizes: Readonly<Record<string, readonly [number, number]>> = { "two-items": [592, 128], pictogram: [400, 300] };

/** Each shipped design, and some designs on other labels. */
export const templateCases: readonly GoldenCase[] = [
  ...templateIds.map((id): GoldenCase => {
    const [width, height] = sizes[id] ?? [296, 128];
    return { name: `template-${id}`, draw: () => drawTemplate(id, width, height) };
  }),
  { name: "template-produce-large", draw: () => drawTemplate("produce", 800, 480) },
  { name: "template-offer-small", draw: () => drawTemplate("offer", 152, 152) },
  { name: "template-offer-german", draw: () => drawTemplate("offer", 296, 128, ["white", "black", "yellow"], "de-DE") },
];
