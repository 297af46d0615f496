import { Jimp } from "jimp";
import type { TagType } from "./tag-types.ts";

/** A picture in a tag's memory: for each pixel, the position of its colour among the tag's colours. */
export interface TagPicture {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** An emulated tag. */
export interface EmulatedTag {
  readonly mac: string;
  hardwareType: number;
  readonly type: TagType;
  /** Whether the tag never checks in. */
  isAsleep: boolean;
  batteryMv: number;
  /** In °C. */
  temperature: number;
  /** Pictures waiting for the tag, oldest first. */
  queue: TagPicture[];
  /** The pictures that the tag has shown, newest last. Kept so that tests can check the order. */
  shown: TagPicture[];
  lastSeen: number;
  updateCount: number;
  /** The last pattern of the tag's light. */
  flash?: string;
}

/** Converts a picture without dithering: each pixel becomes the nearest of the tag's colours. */
export async function convert(jpeg: Buffer, { colortable }: TagType): Promise<TagPicture> {
  const { width, height, data } = (await Jimp.read(jpeg)).bitmap;
  const values = Object.values(colortable);
  const pixels = new Uint8Array(width * height);
  for (let pixel = 0; pixel < pixels.length; pixel += 1) {
    let least = Number.POSITIVE_INFINITY;
    for (const [index, [red, green, blue]] of values.entries()) {
      const at = 4 * pixel;
      const distance =
        ((data[at] ?? 0) - red) ** 2 + ((data[at + 1] ?? 0) - green) ** 2 + ((data[at + 2] ?? 0) - blue) ** 2;
      if (distance >= least) continue;
      least = distance;
      pixels[pixel] = index;
    }
  }
  return { width, height, pixels };
}

export const isSamePicture = (one: TagPicture | undefined, other: TagPicture): boolean =>
  one?.width === other.width && one.height === other.height && Buffer.compare(one.pixels, other.pixels) === 0;

/** Returns a tag as the access point lists it. */
export const listed = (tag: EmulatedTag) => ({
  mac: tag.mac,
  lastseen: tag.lastSeen,
  pending: tag.queue.length,
  updatecount: tag.updateCount,
  hwType: tag.hardwareType,
  batteryMv: tag.batteryMv,
  temperature: tag.temperature,
  contentMode: 24,
  ver: 41,
});
