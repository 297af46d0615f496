import { hash } from "node:crypto";
import { readPicture } from "../../../../drawing/pixels/read-picture.ts";
import { usualBehaviour } from "../../../access-point/access-point.ts";
import { serveAccessPoint } from "../../../access-point/serve.ts";
import type { EmulatedTag, TagPicture } from "../../../access-point/tag.ts";
import type { AirOptions, AirUnderChaos } from "./air-under-chaos.ts";
import { createTally } from "./tally.ts";

/** A tag with 296 x 128 pixels in white, black and red. */
const TAG_TYPE = 0x01;
const FIRST_MAC = 0x0000_0218_d6c5_3b19n;
const MAC_DIGITS = 16;
const SECOND_MS = 20;
const LEAST_SLEEP = 20;
/** Tags that wake more often keep the access point busy with their messages. */
const TAGS_PER_SECOND = 4;
const LOOK_MS = 100;

/** Opens an emulated OpenEPaperLink access point, as unreliable as a real one. */
export async function openAccessPointAir({ seed, barcodes }: AirOptions): Promise<AirUnderChaos> {
  const tally = createTally();
  const barcodeOf = new Map<string, string>();
  const sleep = Math.max(LEAST_SLEEP, barcodes.length / TAGS_PER_SECOND);
  const behaviour = {
    ...usualBehaviour,
    seed,
    secondMs: SECOND_MS,
    sleep,
    loss: 0.2,
    duplicates: 0.2,
    lostMessages: 0.2,
  };
  const accessPoint = await serveAccessPoint(behaviour, 0, "127.0.0.1", (tag, picture) =>
    tally.sent(barcodeOf.get(tag.mac) ?? "", digestOfTag(tag, picture)),
  );
  const deviceOf = (index: number) => (FIRST_MAC + BigInt(index)).toString(16).toUpperCase().padStart(MAC_DIGITS, "0");
  for (const [index, barcode] of barcodes.entries()) {
    barcodeOf.set(deviceOf(index), barcode);
    accessPoint.add(deviceOf(index), TAG_TYPE);
  }
  /** Records what tags have shown. Keeps only the last picture, because the pictures of a whole list would fill the memory. */
  const look = () => {
    for (const tag of accessPoint.tags.values()) {
      for (const picture of tag.shown) tally.shows(barcodeOf.get(tag.mac) ?? "", digestOfTag(tag, picture));
      tag.shown.splice(0, tag.shown.length - 1);
    }
  };
  const looking = setInterval(look, LOOK_MS);
  const { totals } = accessPoint;
  return {
    server: { url: accessPoint.url, driver: "openepaperlink", uploadIntervalMs: SECOND_MS },
    deviceOf,
    tally,
    digestOf(png) {
      const { palette, pixels } = readPicture(Buffer.from(png));
      return digestOf(Array.from(pixels, (pixel) => palette[pixel] ?? "none"));
    },
    faults: [
      { what: "the access point's websocket drops", happen: async () => accessPoint.dropSockets() },
      { what: "the access point restarts and forgets", happen: async () => accessPoint.reboot() },
    ],
    lost: () => totals.dropped + totals.lostInBursts,
    violations: () =>
      totals.overlaps === 0 ? [] : [`${totals.overlaps} uploads to the access point overlapped others`],
    async close() {
      clearInterval(looking);
      await accessPoint.close();
    },
  };
}

/** Digests are kept because the access point's process, whose seconds are short, checks each picture many times. */
const digests = new WeakMap<TagPicture, string>();

function digestOfTag({ type }: EmulatedTag, picture: TagPicture): string {
  const names = Object.keys(type.colortable);
  const digest = digests.get(picture) ?? digestOf(Array.from(picture.pixels, (pixel) => names[pixel] ?? "none"));
  digests.set(picture, digest);
  return digest;
}

const digestOf = (colors: readonly string[]): string => hash("sha256", colors.join(" "));
