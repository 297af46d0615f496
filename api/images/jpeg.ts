import { checkSize, ImageFault, type ImageSize } from "./image-fault.ts";

/** Baseline, extended and progressive frames. Our decoder does not read the others (lossless, arithmetic). */
const frames = new Set([0xc0, 0xc1, 0xc2]);
const otherFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
/** A progressive image has about ten scans; each costs the decoder a pass over all pixels. */
const MAX_SCANS = 40;

/** Throws an ImageFault unless a JPEG has one frame, 1 to MAX_SCANS scans and an end marker (ITU-T T.81, annex B). */
export function checkJpeg(file: Buffer): ImageSize {
  let size: ImageSize | undefined;
  let scans = 0;
  for (let at = 2; ; ) {
    if (file.readUInt8(at) !== 0xff) throw new ImageFault("is damaged");
    const marker = file.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END_OF_IMAGE) break;
    if (otherFrames.has(marker)) throw new ImageFault("is an unsupported kind of JPEG: send a baseline JPEG");
    if (frames.has(marker)) {
      if (size !== undefined) throw new ImageFault("is damaged: it has two frames");
      checkComponents(file, at + 9);
      size = checkSize(file.readUInt16BE(at + 7), file.readUInt16BE(at + 5));
    }
    const end = at + 2 + Math.max(2, file.readUInt16BE(at + 2));
    if (marker === START_OF_SCAN) scans += 1;
    if (scans > MAX_SCANS) throw new ImageFault(`has more than ${MAX_SCANS} scans`);
    at = marker === START_OF_SCAN ? endOfScan(file, end) : end;
  }
  if (size === undefined || scans === 0) throw new ImageFault("is damaged: it contains no pixels");
  return size;
}

/** Grey, three colours or four inks, each sampled 1 to 4 times; a decoder allocates everything that a frame declares. */
function checkComponents(file: Buffer, from: number): void {
  const components = file.readUInt8(from);
  if (components !== 1 && components !== 3 && components !== 4)
    throw new ImageFault(`has ${components} components: a JPEG must have 1, 3 or 4`);
  for (let index = 0; index < components; index += 1) {
    const sampling = file.readUInt8(from + 2 + 3 * index);
    const [across, down] = [sampling >> 4, sampling & 15];
    if (across < 1 || across > 4 || down < 1 || down > 4)
      throw new ImageFault(
        `is damaged: a component has the sampling factors ${across} x ${down}, which must be 1 to 4`,
      );
  }
}

/** Offset of the next marker after a scan; inside a scan 0xff is followed by 0, 0xff or a restart marker. */
function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file.readUInt8(at + 1);
    const belongs = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!belongs) return at;
  }
  throw new ImageFault("is truncated");
}
