import type { Rgb } from "../../../../schemas/color.ts";
import type { Flash, FlashColor } from "../../../../schemas/flash.ts";

const rgb: Readonly<Record<FlashColor, Rgb>> = {
  GREEN: [0, 255, 0],
  RED: [255, 0, 0],
  BLUE: [0, 0, 255],
  CYAN: [0, 255, 255],
  MAGENTA: [255, 0, 255],
  YELLOW: [255, 255, 0],
  WHITE: [255, 255, 255],
};

const OFF = 0;
const FLASH = 1;
const MAX_BRIGHTNESS = 15;
const STRONGEST = 50;
const ONCE = 1;
/** Speed at which a flash and its pause last about a second. */
const SPEED = 2;
const PAUSE = 8;
const MAX_REPEATS = 256;

/**
 * Returns the pattern of a flash as 24 hexadecimal digits: brightness and mode; three groups of a colour, a speed with a count,
 * and a pause; the repetitions after the first; and a spare byte. A flash is repeated about once a second.
 */
export function ledPattern({ duration, color, flashType }: Flash): string {
  if (duration === 0) return Buffer.from([OFF, ...Array(11).fill(0)]).toString("hex");
  const brightness = Math.round((MAX_BRIGHTNESS * flashType) / STRONGEST);
  const flash = [rgb332(rgb[color]), (SPEED << 4) | ONCE, PAUSE];
  const none = [0, 0, 0];
  const repeats = Math.min(duration, MAX_REPEATS) - 1;
  return Buffer.from([(brightness << 4) | FLASH, ...flash, ...none, ...none, repeats, 0]).toString("hex");
}

/** Converts a colour to three bits each of red and green, and two of blue. */
const rgb332 = ([red, green, blue]: Rgb): number => (red & 0xe0) | ((green & 0xe0) >> 3) | (blue >> 6);
