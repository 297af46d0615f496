import { type Area, clip, copyOf, type Framebuffer } from "../pixels/framebuffer.ts";

/**
 * Maximum share of the paper between letters that a later element may paint in the letters' colour. A line paints less; a box
 * would hide the letters.
 */
const MAX_INKED_PART = 0.1;

/**
 * Watches letters that were just drawn in an area. The returned function reports whether later elements have painted the paper
 * between the letters in the letters' colour: all the ink is then still there, but the letters cannot be read.
 */
export function watchOwnColor(picture: Framebuffer, area: Area, color: number): () => boolean {
  const inside = clip(area, picture);
  const before = copyOf(picture, inside);
  return () => {
    const now = copyOf(picture, inside);
    let [paper, inked] = [0, 0];
    for (let index = 0; index < before.length; index += 1) {
      if (before[index] === color) continue;
      paper += 1;
      if (now[index] === color) inked += 1;
    }
    return inked > paper * MAX_INKED_PART;
  };
}
