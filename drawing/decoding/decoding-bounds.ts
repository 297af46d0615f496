import type { ChildBounds } from "../../runtime/thread/child.ts";

/**
 * Limits for one file. The largest accepted upload, 4096 x 4096 pixels, takes several seconds of processor time and, as a
 * CMYK JPEG, 800 MB. The worker's own process takes up to 200 MB in addition.
 */
export const decodingBounds: ChildBounds = {
  processorMs: 20_000,
  timeoutMs: 30_000,
  idleMs: 5_000,
  memoryMb: 512,
  wasmMb: 256,
  residentMb: 900,
};

/**
 * Limits for a design's file that the API decodes itself, for a preview or to count what a replacement makes worse. The
 * costliest accepted file takes 275 MB as a JPEG of 2048 x 2048 pixels and 395 MB as an SVG. The API and its child together
 * need at most 1.1 GB, most of it for a few seconds.
 */
export const previewDecodingBounds: ChildBounds = {
  ...decodingBounds,
  processorMs: 10_000,
  memoryMb: 256,
  residentMb: 500,
};
