import type { DrawingNotice } from "../../schemas/drawing-notice.ts";
import { type CompiledLayout, compiledElements } from "../canvas/compile-canvas.ts";
import type { PaintingStep } from "../canvas/draw.ts";
import type { FilledLayout } from "../canvas/fill-canvas.ts";
import type { LetterFit, Painting } from "../canvas/painting.ts";
import type { FilledElement } from "../canvas/place.ts";
import type { Area, Framebuffer } from "../pixels/framebuffer.ts";
import { settingOf } from "../shaping/setting.ts";
import { inkAreaOf } from "../text/draw-characters.ts";
import { DrawingError } from "../text/drawing-error.ts";
import type { Face } from "../text/fonts.ts";

/** How a shown element was drawn on the label. A repeated element has one entry for each copy. */
export interface InspectedElement extends LetterFit {
  /** The element's place in the design, as a JSON pointer. */
  pointer: string;
  /** The element's area on the canvas, upright, after its groups and stacks have moved it. */
  area: Area;
  /** The pixels that the element changed, upright. Absent if it changed none. */
  drawn?: Area;
  /** Height of the digits in pixels, for a price or a text with digits. */
  digitHeight?: number;
  /** Whether all or part of the element's text is left out. */
  isCut: boolean;
  fault?: DrawingNotice;
  errors: readonly DrawingNotice[];
  warnings: readonly DrawingNotice[];
}

/** Watches a layout being painted, to assign each notice and each pixel to its element. */
export interface Inspection {
  step: PaintingStep;
  /** Returns every element that the label shows, and the elements that are left out because a value is missing. */
  elements(): InspectedElement[];
  /** Returns the first fault. With a fault, the label itself would show only its background. */
  fault(): DrawingNotice | undefined;
}

type Kept = InspectedElement & { errors: DrawingNotice[]; warnings: DrawingNotice[] };

const CUT: ReadonlySet<string> = new Set(["TEXT_CUT", "TEXT_OMITTED", "LEFT_OUT", "WHOLE_TEXT_NO_ROOM"]);

/** Creates the inspection of a filled layout. Faults of its elements are recorded instead of thrown. */
export function createInspection(layout: CompiledLayout, filled: FilledLayout, locale: string): Inspection {
  const compiled = compiledElements(layout.elements);
  const kept = new Map<number, Kept>();
  const faults: DrawingNotice[] = [];

  const keptOf = (index: number, area: Area): Kept => {
    const { x, y, width, height } = area;
    const found = kept.get(index) ?? {
      pointer: compiled.find((one) => one.index === index)?.pointer ?? "",
      ...{ area: { x, y, width, height }, isCut: false, errors: [], warnings: [] },
    };
    kept.set(index, found);
    return found;
  };
  for (const { index, element } of filled.elements) keptOf(index, element);
  for (const [warning, index] of filled.owners) {
    const element = compiled.find((one) => one.index === index)?.element;
    if (element) keptOf(index, element).warnings.push(warning);
  }

  /** Runs a step of an element's painting, and assigns the notices that it adds to the element. */
  function watch({ errors, warnings }: Painting, one: Kept, act: () => void): void {
    const before = { errors: errors.length, warnings: warnings.length };
    try {
      act();
    } catch (error) {
      if (!(error instanceof DrawingError)) throw error;
      one.fault = error.notice;
      faults.push(error.notice);
    }
    one.errors.push(...errors.slice(before.errors));
    one.warnings.push(...warnings.slice(before.warnings));
    const all = [...one.errors, ...one.warnings, ...(one.fault ? [one.fault] : [])];
    one.isCut = all.some(({ code }) => CUT.has(code));
  }

  function paintWatched(painting: Painting, filled: FilledElement, act: () => void): void {
    const { index, element, text, parts } = filled;
    const one = keptOf(index, element);
    const { checks, picture } = painting;
    const [ofOthers, pixels] = [checks.length, picture.pixels.slice()];
    painting.noteFit = ({ size, lines }) => {
      if (size === undefined) return;
      Object.assign(one, { size, ...(lines !== undefined && { lines }) });
      const isOfDigits = /\d/.test(parts?.join("") ?? text);
      if ("font" in element && isOfDigits) one.digitHeight = digitHeightOf(element.font, size, locale);
    };
    watch(painting, one, act);
    delete painting.noteFit;
    const drawn = changedArea(picture, pixels);
    if (drawn) one.drawn = drawn;
    for (const [at, check] of checks.entries()) if (at >= ofOthers) checks[at] = () => watch(painting, one, check);
  }

  return {
    step(painting, filled, act) {
      if (filled) return paintWatched(painting, filled, act);
      try {
        act();
      } catch (error) {
        // This is the fault of a price that is fitted before all elements are painted. Painting the price throws it again.
        if (!(error instanceof DrawingError)) throw error;
      }
    },
    elements: () => [...kept].sort(([one], [other]) => one - other).map(([, element]) => element),
    fault: () => faults[0],
  };
}

/** Returns the smallest area with all pixels that have changed. Undefined if no pixel has changed. */
function changedArea({ width, height, pixels }: Framebuffer, before: Uint8Array): Area | undefined {
  const area = { left: width, right: -1, top: height, bottom: -1 };
  for (let y = 0; y < height; y += 1) {
    const [from, to] = [y * width, (y + 1) * width];
    if (Buffer.compare(pixels.subarray(from, to), before.subarray(from, to)) === 0) continue;
    area.top = Math.min(area.top, y);
    area.bottom = y;
    for (let x = 0; x < width; x += 1) {
      if (pixels[from + x] === before[from + x]) continue;
      area.left = Math.min(area.left, x);
      area.right = Math.max(area.right, x);
    }
  }
  if (area.right < 0) return undefined;
  return { x: area.left, y: area.top, width: area.right - area.left + 1, height: area.bottom - area.top + 1 };
}

/** Returns the height of a face's digit 0 at a size, in pixels. Laws about prices refer to this height. */
function digitHeightOf(face: Face, size: number, locale: string): number {
  const inked: Parameters<typeof inkAreaOf>[0][number][] = [];
  const line = { text: "0", size, left: 0, baseline: 0, spacing: 0 };
  settingOf(face, line.text, locale).eachStamp(line, ({ runs }, x, y) => inked.push({ runs, x, y, color: 0 }));
  return inkAreaOf(inked).height;
}
