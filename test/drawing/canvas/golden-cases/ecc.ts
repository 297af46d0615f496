import type { Framebuffer } from "../../../../drawing/pixels/framebuffer.ts";
import type { LabelType } from "../../../../schemas/label-type.ts";
import { labelTypes } from "../../../../scripts/demo/catalogue.ts";
import { fullModels, renderEcc } from "../../links/ecc-links.ts";
import type { GoldenCase } from "./elements.ts";

const typeOf = (wanted: number): LabelType => labelTypes.find(({ type }) => type === wanted) as LabelType;

function drawModel(wanted: string, type: number, hints: Readonly<Record<string, string>> = {}): Framebuffer {
  const [model, parameters] = fullModels.find(([name]) => name === wanted) ?? [wanted, {}];
  return renderEcc(typeOf(type), model, parameters, hints).picture;
}

/** Each ECC model on a label of 296 x 128 pixels, and some on other labels. */
export const eccCases: readonly GoldenCase[] = [
  ...fullModels.map(([model]) => ({ name: `ecc-${model}`, draw: () => drawModel(model, 1328) })),
  { name: "ecc-price-tag-strip", draw: () => drawModel("price-tag", 1660) },
  { name: "ecc-price-tag-square", draw: () => drawModel("price-tag", 1639, { code: "qr", inverted: "true" }) },
  { name: "ecc-offer-small", draw: () => drawModel("offer", 1327) },
  { name: "ecc-offer-large", draw: () => drawModel("offer", 1314) },
];
