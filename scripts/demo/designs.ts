import { templateDesign } from "../../drawing/templates/template-design.ts";
import { templateCanvas } from "../../drawing/templates/templates.ts";
import type { CanvasDesign, Element, LayoutElement } from "../../schemas/canvas.ts";
import type { CommunicationPack, Design } from "../../schemas/design.ts";
import { canvasDesignKey, designKey, tenantKey } from "../../schemas/keys.ts";
import { labelCatalogue } from "../../schemas/label-catalogue.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import { demoStore, labelTypes, models, TENANT_ID } from "./catalogue.ts";

/** Use cases of a label, each with the template that it shows. */
const occasions = { regular: "standard", special: "offer", "no-price": "no-price" } as const;
type Occasion = keyof typeof occasions;
const allOccasions = Object.keys(occasions) as Occasion[];

const sizes = [...new Set(labelTypes.map(({ width, height }) => `${width}x${height}`))];

const designId = (occasion: Occasion, size: string): string => `${occasion}-${size}`;
const keyOf = (id: string): string => designKey(tenantKey(TENANT_ID), id);

/** An operator may add the catalogue's types (`npm run admin -- label-type add demo`). */
const everyType: readonly LabelType[] = [
  ...labelTypes,
  ...labelCatalogue.map(({ type, labelType }) => ({ type, ...labelType })),
];

/** A design and its canvas for each use case and size. The canvas has a layout for each density of labels. */
export const demoDesigns: readonly { id: string; key: string; design: Design; canvas: CanvasDesign }[] = sizes.flatMap(
  (size) => {
    const ofSize = everyType.filter(({ width, height }) => `${width}x${height}` === size);
    const { linkPositions = 1 } =
      models.find((model) => ofSize.some(({ type }) => model.labelTypes.includes(type))) ?? {};
    return allOccasions.map((occasion) => {
      const id = designId(occasion, size);
      const laidOut = ofSize.map((labelType) => ({ labelType, canvas: canvasOf(occasion, labelType, linkPositions) }));
      const made = templateDesign(id, laidOut);
      if (made === undefined) throw new Error(`no label of ${size} has room for the design ${occasion}`);
      const design = {
        name: id,
        canvasId: canvasDesignKey(tenantKey(TENANT_ID), id),
        compatible_esltype_ids: made.labelTypes,
      };
      return { id, key: keyOf(id), design, canvas: made.canvas };
    });
  },
);

const all = (occasion: Occasion): string[] => sizes.map((size) => keyOf(designId(occasion, size)));

/** The rules choose by whether there is a price, by the kind of price and, for posters, by the device. */
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

/** Returns the canvas for labels of a type. Undefined if what the law requires does not fit on them. */
function canvasOf(occasion: Occasion, labelType: LabelType, positions: number): CanvasDesign | undefined {
  const { width, height, display } = labelType;
  const face = { name: occasion, width, height, background: "white" as const };
  if (display === "segment") return { ...face, elements: [segmentLine(occasion, width, height)] };
  const part = Math.floor(width / positions);
  const elements = templateCanvas(occasions[occasion], { ...labelType, width: part }, demoStore.locale)?.elements;
  return elements && { ...face, elements: positions === 1 ? elements : sideBySide(elements, part, height, positions) };
}

/** Returns the content of a segment label: the price, or dashes if there is none. */
function segmentLine(occasion: Occasion, width: number, height: number): Element {
  const whole = { x: 0, y: 0, width, height, font: "regular", size: height, align: "right", color: "black" } as const;
  return occasion === "no-price"
    ? { kind: "text", ...whole, text: "----" }
    : { kind: "price", ...whole, value: "${item.price}" };
}

/** Lays out a label of several items. Each display position draws in its own part of the label. */
function sideBySide(elements: LayoutElement[], width: number, height: number, positions: number): LayoutElement[] {
  return Array.from({ length: positions }, (_, position) => ({
    ...({ kind: "group", x: position * width, y: 0, width, height, elements } as const),
    visible: `link.displayPosition == ${position}`,
  }));
}
