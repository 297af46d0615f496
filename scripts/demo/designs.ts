import type { CanvasDesign, Element } from "../../schemas/canvas.ts";
import type { CommunicationPack, Design } from "../../schemas/design.ts";
import { canvasDesignKey, designKey, tenantKey } from "../../schemas/keys.ts";
import { labelCatalogue } from "../../schemas/label-catalogue.ts";
import { labelTypes, models, TENANT_ID } from "./catalogue.ts";
import { layOut, type Occasion } from "./lay-out.ts";

const occasions: readonly Occasion[] = ["regular", "special", "no-price"];

const sizes = [...new Set(labelTypes.map(({ width, height }) => `${width}x${height}`))];

const designId = (occasion: Occasion, size: string): string => `${occasion}-${size}`;
const keyOf = (id: string): string => designKey(tenantKey(TENANT_ID), id);

/** A design and its canvas for each occasion and size. */
export const demoDesigns: readonly { id: string; key: string; design: Design; canvas: CanvasDesign }[] = sizes.flatMap(
  (size) => {
    const [width = 0, height = 0] = size.split("x").map(Number);
    const fitting = labelTypes.filter((type) => type.width === width && type.height === height);
    const { linkPositions: positions = 1 } =
      models.find((model) => fitting.some(({ type }) => model.labelTypes.includes(type))) ?? {};
    const isSegments = fitting.some(({ display }) => display === "segment");
    return occasions.map((occasion) => {
      const id = designId(occasion, size);
      const canvas = {
        name: id,
        width,
        height,
        background: "white" as const,
        elements: isSegments ? [segmentLine(occasion, width, height)] : sideBySide(occasion, width, height, positions),
      };
      const design = {
        name: id,
        canvasId: canvasDesignKey(tenantKey(TENANT_ID), id),
        compatible_esltype_ids: [
          ...fitting.map(({ type }) => type),
          ...(isSegments ? [] : catalogueTypesOf(width, height)),
        ],
      };
      return { id, key: keyOf(id), design, canvas };
    });
  },
);

/** Label types of the catalogue, which an operator may add (`npm run admin -- label-type add demo`). */
function catalogueTypesOf(width: number, height: number): number[] {
  const fitting = labelCatalogue.filter(({ labelType }) => labelType.width === width && labelType.height === height);
  return fitting.map(({ type }) => type);
}

const all = (occasion: Occasion): string[] => sizes.map((size) => keyOf(designId(occasion, size)));

/** The rules choose by the price's presence and kind, and for posters by the device. */
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

/** The content of a segment label: the price, or dashes if there is none. */
function segmentLine(occasion: Occasion, width: number, height: number): Element {
  const whole = { x: 0, y: 0, width, height, font: "regular", size: height, align: "right", color: "black" } as const;
  return occasion === "no-price"
    ? { kind: "text", ...whole, text: "----" }
    : { kind: "price", ...whole, value: "${item.price}" };
}

/** Lays a label out for several items side by side: each display position draws in its own part of the label. */
function sideBySide(occasion: Occasion, width: number, height: number, positions: number): Element[] {
  if (positions === 1) return layOut(occasion, width, height);
  const part = width / positions;
  return Array.from({ length: positions }, (_, position) =>
    layOut(occasion, part, height).map((element) => {
      const isHere = `link.displayPosition == ${position}`;
      const visible = element.visible === undefined ? isHere : `${isHere} && (${element.visible})`;
      return { ...element, x: element.x + position * part, visible };
    }),
  ).flat();
}
