import type { Framebuffer } from "./framebuffer.ts";

/** The first colour of a palette: a pixel on which a picture draws nothing. */
const BARE = 0;

/**
 * Overlays the pictures of a label's positions. Each picture draws its own area and leaves the other pixels bare. A picture that
 * draws on pixels of an earlier one is left out completely, and its index is added to `leftOut`: two prices on the same pixels
 * would be illegible.
 */
export function overlayPictures(pictures: readonly [Framebuffer, ...Framebuffer[]]): {
  picture: Framebuffer;
  leftOut: number[];
} {
  const [first, ...others] = pictures;
  const pixels = Uint8Array.from(first.pixels);
  const leftOut: number[] = [];
  for (const [index, above] of others.entries()) {
    if (above.pixels.length !== pixels.length || overlaps(pixels, above.pixels)) leftOut.push(index + 1);
    else lay(pixels, above.pixels);
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
