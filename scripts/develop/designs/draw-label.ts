import { type CompiledCanvas, layoutFor } from "../../../drawing/canvas/compile-canvas.ts";
import type { NamedFont } from "../../../drawing/canvas/faces.ts";
import { pixelPainter } from "../../../drawing/canvas/painter.ts";
import type { NamedImage } from "../../../drawing/canvas/painting.ts";
import { renderLink } from "../../../drawing/links/render-link.ts";
import type { Framebuffer } from "../../../drawing/pixels/framebuffer.ts";
import { measuredColors } from "../../../drawing/pixels/light.ts";
import { overlayPictures } from "../../../drawing/pixels/overlay-pictures.ts";
import { encodePng } from "../../../drawing/pixels/png.ts";
import { noticeText } from "../../../schemas/drawing-notice.ts";
import type { Item } from "../../../schemas/item.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import type { Model } from "../../../schemas/model.ts";
import type { Store } from "../../../schemas/store.ts";
import type { Picture } from "./contact-sheet.ts";

/** The images and fonts that designs use, by their names. */
export interface Named {
  images?: ReadonlyMap<string, NamedImage>;
  fonts?: ReadonlyMap<string, NamedFont>;
}

/** The inputs for drawing a design, in addition to items. */
export interface Surroundings extends Named {
  labelType: LabelType;
  store: Store;
  positions: number;
}

/** A label with an item at each of its positions. */
export interface DrawnLabel {
  picture: Framebuffer;
  /** Faults, which leave a position blank, and errors, which leave an element out. */
  failures: string[];
  warnings: string[];
}

/** Draws a design for each position of a label, one item each, and overlays the pictures like the merger. */
export function drawLabel(canvas: CompiledCanvas, items: readonly Item[], around: Surroundings): DrawnLabel {
  const { labelType, store, positions, images = new Map(), fonts = new Map() } = around;
  const failures: string[] = [];
  const warnings: string[] = [];
  const pictures = Array.from({ length: positions }, (_, displayPosition): Framebuffer => {
    const item = items[displayPosition % items.length] as Item;
    const link = { linkRev: 1, status: "ACTIVE" as const, itemId: item.itemId, design_id: canvas.name };
    const facts = { designerLink: link, displayPosition, item, labelType, store, canvas, images, fonts };
    const drawn = renderLink(pixelPainter, facts);
    const at = positions > 1 ? `position ${displayPosition}: ` : "";
    const faults = drawn.fault ? [`${drawn.fault.reason}: ${drawn.fault.detail}`] : [];
    failures.push(...[...faults, ...drawn.errors.map(noticeText)].map((text) => at + text));
    warnings.push(...drawn.warnings.map((one) => at + noticeText(one)));
    return drawn.picture;
  });
  const { picture, leftOut } = overlayPictures(pictures as [Framebuffer, ...Framebuffer[]]);
  for (const position of leftOut)
    failures.push(`position ${position}: its design overlaps that of an earlier position`);
  return { picture, failures, warnings };
}

/** Returns a label as the page shows it. */
export const pictureOf = ({ picture, failures, warnings }: DrawnLabel, caption: string): Picture => ({
  png: encodePng(picture, measuredColors),
  ...{ width: picture.width, height: picture.height, caption, failures, warnings },
});

/** Returns the largest number of positions on any model for labels of this type. */
export const positionsOf = ({ type }: LabelType, models: readonly Model[]): number =>
  Math.max(1, ...models.filter(({ labelTypes }) => labelTypes.includes(type)).map((model) => model.linkPositions ?? 1));

export const titleOf = ({ type, width, height, colors }: LabelType): string =>
  `${type}: ${width} x ${height}, ${colors.join(", ")}`;

export const fits = (canvas: CompiledCanvas, labelType: LabelType): boolean =>
  layoutFor(canvas, labelType) !== undefined;
