import { type CompiledCanvas, compileCanvas, DesignError, layoutFor } from "../../../drawing/canvas/compile-canvas.ts";
import type { NamedFont } from "../../../drawing/canvas/faces.ts";
import { pixelPainter } from "../../../drawing/canvas/painter.ts";
import type { NamedImage } from "../../../drawing/canvas/painting.ts";
import { renderLink } from "../../../drawing/links/render-link.ts";
import { measuredColors } from "../../../drawing/pixels/light.ts";
import { encodePng } from "../../../drawing/pixels/png.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import { unknownFieldsOf } from "../../../schemas/check-canvas.ts";
import { noticeText } from "../../../schemas/drawing-notice.ts";
import type { Item } from "../../../schemas/item.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import type { Fault } from "../../../schemas/problem.ts";
import type { Store } from "../../../schemas/store.ts";
import type { Sheet } from "./contact-sheet.ts";
import { hardItems } from "./hard-items.ts";
import { demoLabels, type OwnLabels } from "./own-labels.ts";

/** A design in a file, as JSON. */
export interface OwnDesign {
  file: string;
  design: unknown;
}

/** The images and fonts that designs name, by their names. */
interface Named {
  images?: ReadonlyMap<string, NamedImage>;
  fonts?: ReadonlyMap<string, NamedFont>;
}

/**
 * Draws designs on every label type for which they have a layout, with the items that are hardest to draw; or returns
 * their faults.
 */
export const drawOwn = (
  designs: readonly OwnDesign[],
  items: readonly Item[],
  named: Named = {},
  { labelTypes, store }: OwnLabels = demoLabels,
): Sheet[] =>
  designs.map(({ file, design }) => {
    const faults = [...unknownFieldsOf(design)];
    const canvas = tryToCompile(design, faults);
    const title = canvas ? `${file}: ${canvas.name}` : file;
    const messages = faults.map(({ pointer, detail }) => `${pointer || "/"} ${detail}`);
    if (canvas === undefined) return { title, rows: [], messages };
    const fitting = labelTypes.filter((labelType) => layoutFor(canvas, labelType) !== undefined);
    if (fitting.length === 0) messages.push("no label type has the size of one of its layouts");
    return { title, messages, rows: fitting.map((labelType) => rowOf(canvas, labelType, store, items, named)) };
  });

function tryToCompile(design: unknown, faults: Fault[]): CompiledCanvas | undefined {
  try {
    return compileCanvas(design as CanvasDesign);
  } catch (error) {
    if (!(error instanceof DesignError)) throw error;
    faults.push(...error.faults);
    return undefined;
  }
}

function rowOf(
  canvas: CompiledCanvas,
  labelType: LabelType,
  store: Store,
  items: readonly Item[],
  { images = new Map(), fonts = new Map() }: Named,
): Sheet["rows"][number] {
  const { type, width, height, colors } = labelType;
  const pictures = hardItems(items).map(({ item, why }) => {
    const link = { linkRev: 1, status: "ACTIVE" as const, itemId: item.itemId, design_id: canvas.name };
    const facts = { designerLink: link, displayPosition: 0, item, labelType, store, canvas };
    const { picture, fault, errors, warnings } = renderLink(pixelPainter, { ...facts, images, fonts });
    const messages = [
      ...(fault ? [`${fault.reason}: ${fault.detail}`] : []),
      ...[...errors, ...warnings].map(noticeText),
    ];
    const caption = `${why}: ${item.itemName ?? item.itemId}`;
    return { png: encodePng(picture, measuredColors), width, height, caption, messages };
  });
  return { title: `${type}: ${width} x ${height}, ${colors.join(", ")}`, pictures };
}
