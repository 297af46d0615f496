import type { ChildBounds } from "../../runtime/thread/child.ts";

/**
 * Limits of one file. The largest upload that is accepted, 4096 x 4096 pixels, takes several seconds of processor time
 * and, as a CMYK JPEG, 800 MB. The worker's own process takes up to 200 MB in addition.
 */
export const decodingBounds: ChildBounds = {
  processorMs: 20_000,
  timeoutMs: 30_000,
  idleMs: 5_000,
  memoryMb: 512,
  wasmMb: 256,
  residentMb: 900,
};
