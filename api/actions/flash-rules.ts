import { type Flash, type FlashColor, type FlashRequest, flashColors } from "../../schemas/flash.ts";
import type { LabelType } from "../../schemas/label-type.ts";

/**
 * The durations for which a segment label can flash, in seconds (docs/integrators/labels.md#flashing-pages-and-other-actions).
 */
const segmentSeconds = [0, 4, 8, 30, 60, 300, 900, 1800];

const shades: Readonly<Record<FlashColor, readonly [red: number, green: number, blue: number]>> = {
  GREEN: [0, 255, 0],
  RED: [255, 0, 0],
  BLUE: [0, 0, 255],
  CYAN: [0, 255, 255],
  MAGENTA: [255, 0, 255],
  YELLOW: [255, 255, 0],
  WHITE: [255, 255, 255],
};

/**
 * The flash colour nearest to `#rrggbb` or `rgb(r,g,b)`, by squared distance. If two are equally near, the first in
 * `flashColors` is used.
 */
export function nearestColor(color: string): FlashColor {
  const given = componentsOf(color);
  const distance = (name: FlashColor) =>
    shades[name].reduce((sum, component, index) => sum + (component - (given[index] ?? 0)) ** 2, 0);
  return flashColors.reduce((nearest, name) => (distance(name) < distance(nearest) ? name : nearest));
}

const componentsOf = (color: string): number[] =>
  color.startsWith("#")
    ? [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
    : (color.match(/\d+/g) ?? []).map(Number);

/** How long a label with this display flashes, in seconds; a segment label rounds up to the next of its durations. */
export const roundFlashDuration = (seconds: number, display: LabelType["display"]): number =>
  display === "matrix" ? seconds : (segmentSeconds.find((step) => step >= seconds) ?? seconds);

/** The order for the label server, with defaults for the fields that the call leaves out. */
export const flashFor = ({ duration, color, flashType }: FlashRequest, display: LabelType["display"]): Flash => ({
  duration: roundFlashDuration(duration ?? 4, display),
  color: color ? nearestColor(color) : "GREEN",
  flashType: flashType ?? 50,
});
