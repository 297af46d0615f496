import { LRUCache } from "lru-cache";
import type { ImageFile } from "../../../records/files/image-files.ts";
import type { LabelType } from "../../../schemas/tenant.ts";
import { blankFile, blankPicture } from "../pixels/blank-picture.ts";
import type { Framebuffer } from "../pixels/framebuffer.ts";
import { imageFileOf } from "../pixels/image-file.ts";
import type { CompiledCanvas, CompiledLayout } from "./compile-canvas.ts";
import { atMost, type Drawing, type DrawingFacts, draw, layoutOf, paint } from "./draw.ts";
import { type FilledLayout, fillLayout } from "./fill-canvas.ts";
import { drawSegments } from "./segments.ts";

/** What a design becomes on a label. */
export interface Painted<Picture> extends Omit<Drawing, "picture"> {
  picture: Picture;
  /** Of a segment label: what it shows. */
  text?: string;
}

export type PainterFacts = DrawingFacts & { labelType: LabelType };

/** How pictures are made: as pixels, or as the files that are stored. */
export interface Painter<Picture> {
  /** The picture of a label that shows nothing. */
  blank(labelType: LabelType): Picture;
  /** Draws a design on a label, as a picture or in segments. Throws DrawingError where that would be wrong. */
  paint(canvas: CompiledCanvas, facts: PainterFacts): Painted<Picture>;
}

const isSegment = ({ labelType }: PainterFacts): boolean => labelType.display === "segment";

/** Makes pixels. */
export const pixelPainter: Painter<Framebuffer> = {
  blank: blankPicture,
  paint: (canvas, facts) => (isSegment(facts) ? { errors: [], ...drawSegments(canvas, facts) } : draw(canvas, facts)),
};

/** Makes files, and tells how often it had them already. */
export interface KeepingPainter extends Painter<ImageFile> {
  counts(): { hits: number; misses: number };
}

/** What an entry takes beside its file. */
const EACH = 500;

/**
 * Makes files, and keeps up to so many bytes of them: two links whose values fill a layout equally have equal pixels on
 * labels of one type in stores of one locale and currency. So a price that a thousand stores share is drawn once.
 */
export function createKeepingPainter(room: number): KeepingPainter {
  const kept = new LRUCache<string, Painted<ImageFile>>({
    maxSize: room,
    sizeCalculation: ({ picture }, key) => picture.png.length + 2 * key.length + EACH,
  });
  /** A layout is compiled once for each rev of its design; its number stands for all that it says. */
  const numbers = new WeakMap<CompiledLayout, number>();
  let last = 0;
  const counts = { hits: 0, misses: 0 };

  function numberOf(layout: CompiledLayout): number {
    const known = numbers.get(layout);
    if (known !== undefined) return known;
    last += 1;
    numbers.set(layout, last);
    return last;
  }

  function paintElements(layout: CompiledLayout, { elements }: FilledLayout, facts: PainterFacts): Painted<ImageFile> {
    const drawn = paint(layout, { elements, warnings: [] }, facts);
    return { ...drawn, picture: imageFileOf(drawn.picture) };
  }

  return {
    counts: () => counts,
    blank: blankFile,
    paint(canvas, facts) {
      if (isSegment(facts)) {
        const drawn = drawSegments(canvas, facts);
        return { errors: [], ...drawn, picture: imageFileOf(drawn.picture) };
      }
      const { labelType, store, variables } = facts;
      const layout = layoutOf(canvas, labelType);
      const filled = fillLayout(layout, variables);
      const shown = filled.elements.map(({ index: position, text }) => [position, text]);
      const key = JSON.stringify([numberOf(layout), labelType.colors, store.locale, store.currency, shown]);
      const known = kept.get(key);
      counts[known ? "hits" : "misses"] += 1;
      const made = known ?? paintElements(layout, filled, facts);
      kept.set(key, made);
      // What is missing in a link's values is its own; the picture is everybody's.
      return { ...made, warnings: atMost([...filled.warnings, ...made.warnings]) };
    },
  };
}
