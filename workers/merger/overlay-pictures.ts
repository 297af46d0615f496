import type { Framebuffer } from "../renderer/pixels/framebuffer.ts";

/** A pixel where a picture shows the bare label: the first colour of its palette. */
const BARE = 0;

/**
 * Lays the pictures of a label's positions over each other. Each draws its own place and leaves the rest of the label
 * bare; one that draws where an earlier one has drawn is left out as a whole, and its place among the pictures is told:
 * two texts on each other would be a price that nobody can read, or half of one item beside half of another.
 */
export function overlayPictures(pictures: readonly [Framebuffer, ...Framebuffer[]]): {
  picture: Framebuffer;
  leftOut: number[];
} {
  const [first, ...others] = pictures;
  const pixels = Uint8Array.from(first.pixels);
  const leftOut: number[] = [];
  for (const [index, other] of others.entries()) {
    if (other.pixels.length !== pixels.length || overlaps(pixels, other.pixels)) leftOut.push(index + 1);
    else lay(pixels, other.pixels);
  }
  return { picture: { ...first, pixels }, leftOut };
}

function overlaps(below: Uint8Array, above: Uint8Array): boolean {
  for (let pixel = 0; pixel < below.length; pixel += 1) {
    if (below[pixel] !== BARE && above[pixel] !== BARE) return true;
  }
  return false;
}

function lay(below: Uint8Array, above: Uint8Array): void {
  for (let pixel = 0; pixel < below.length; pixel += 1) {
    if (above[pixel] !== BARE) below[pixel] = above[pixel] as number;
  }
}
