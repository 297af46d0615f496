import { type Flash, type FlashColor, type FlashRequest, flashColors } from "../../schemas/flash.ts";
import type { LabelType } from "../../schemas/tenant.ts";

/** How long a segment label can flash, in seconds (specification, Limits). */
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
 * The colour that a label can light up in which is nearest to `#rrggbb` or `rgb(r,g,b)`, by squared distance; of two that
 * are as near, the first in the specification's order.
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

/** A duration as a label of this display can flash: segment labels round up (specification, Limits). */
export const roundFlashDuration = (seconds: number, display: LabelType["display"]): number =>
  display === "matrix" ? seconds : (segmentSeconds.find((one) => one >= seconds) ?? seconds);

/** What a label's server is told, with everything that the call leaves open. */
export const flashFor = ({ duration, color, flashType }: FlashRequest, display: LabelType["display"]): Flash => ({
  duration: roundFlashDuration(duration ?? 4, display),
  color: color ? nearestColor(color) : "GREEN",
  flashType: flashType ?? 50,
});
