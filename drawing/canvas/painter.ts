import { LRUCache } from "lru-cache";
import type { DrawingFault } from "../../schemas/image.ts";
import type { ImageFile } from "../../schemas/image-file.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import type { InspectedElement } from "../inspection/inspection.ts";
import { blankFile, blankPicture } from "../pixels/blank-picture.ts";
import type { Framebuffer } from "../pixels/framebuffer.ts";
import { imageFileOf } from "../pixels/image-file.ts";
import type { CompiledCanvas, CompiledLayout } from "./compile-canvas.ts";
import { atMost, type Drawing, type DrawingFacts, draw, layoutOf, paint } from "./draw.ts";
import { type FilledLayout, fillLayout } from "./fill-canvas.ts";
import { drawSegments } from "./segments.ts";

/** A design that was painted on a label. */
export interface Painted<Picture> extends Omit<Drawing, "picture"> {
  picture: Picture;
  /** Set for a segment label: the text that it shows. */
  text?: string;
  /** Set for an inspected picture with a faulty element: the first fault. */
  fault?: DrawingFault;
  /** Set for an inspected picture: how each shown element was drawn, in drawing order. */
  inspected?: readonly InspectedElement[];
}

export type PainterFacts = DrawingFacts & { labelType: LabelType };

/** Makes pictures, as pixels or as the files that are stored. */
export interface Painter<Picture> {
  /** Returns the picture of a label that shows only its background. */
  blank(labelType: LabelType): Picture;
  /** Draws a design on a label, as a picture or as segments. Throws DrawingError if the picture would be wrong. */
  paint(canvas: CompiledCanvas, facts: PainterFacts): Painted<Picture>;
}

const isSegment = ({ labelType }: PainterFacts): boolean => labelType.display === "segment";

/** Makes pictures as pixels. */
export const pixelPainter: Painter<Framebuffer> = {
  blank: blankPicture,
  paint: (canvas, facts) => (isSegment(facts) ? { errors: [], ...drawSegments(canvas, facts) } : draw(canvas, facts)),
};

/** A painter that makes files, caches them, and counts its cache's hits and misses. */
export interface KeepingPainter extends Painter<ImageFile> {
  counts(): { hits: number; misses: number };
}

/** Size of a cache entry in addition to its file and key, in bytes. */
const ENTRY_OVERHEAD_BYTES = 500;

/**
 * Makes files, and caches up to `maxBytes` of them. Two links with equal filled layouts produce identical pixels on labels of
 * one type in stores with the same locale and currency. So a price that a thousand stores share is drawn once.
 */
export function createKeepingPainter(maxBytes: number): KeepingPainter {
  const cache = new LRUCache<string, Painted<ImageFile>>({
    maxSize: maxBytes,
    sizeCalculation: ({ picture }, key) => picture.png.length + 2 * key.length + ENTRY_OVERHEAD_BYTES,
  });
  /** Numbers that identify layouts in cache keys: a layout is compiled once for each rev of its design. */
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

  function paintElements(layout: CompiledLayout, filled: FilledLayout, facts: PainterFacts): Painted<ImageFile> {
    const drawn = paint(layout, { ...filled, warnings: [] }, facts);
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
      const { labelType, store, variables, images, fonts = new Map() } = facts;
      const layout = layoutOf(canvas, labelType);
      const filled = fillLayout(layout, variables);
      const shown = filled.elements.map(({ index: position, text, parts }) => [position, parts ?? text]);
      const files = Array.from(images, ([name, { file, fault }]) => [name, file, fault]);
      const named = [...files, ...fonts];
      const key = JSON.stringify([numberOf(layout), labelType.colors, store.locale, store.currency, shown, named]);
      const known = cache.get(key);
      counts[known ? "hits" : "misses"] += 1;
      const made = known ?? paintElements(layout, filled, facts);
      cache.set(key, made);
      // Many links share the cached picture, but a warning about a missing value applies only to this link.
      return { ...made, warnings: atMost([...filled.warnings, ...made.warnings]) };
    },
  };
}
