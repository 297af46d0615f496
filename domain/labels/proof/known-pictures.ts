import type { GlassEntry, GlassPicture } from "../../../schemas/glass.ts";
import { isUploaded } from "../../../schemas/image.ts";
import type { LabelState, Transmission } from "../../../schemas/label-state.ts";

/** A picture that a page showed, and when the page began to show it. */
export interface KnownPicture extends GlassPicture, Omit<Partial<GlassEntry>, keyof GlassPicture | "at" | "before"> {
  /** By the label server's clock, limited to the range that Shelfwire's clocks allow. */
  since: Date;
  /** When the picture was delivered, according to the label server. */
  deliveredAt: Date;
  /** The earliest and latest time at which it may have appeared, by Shelfwire's clocks; absent if unknown. */
  earliest?: Date;
  latest?: Date;
}

/** What is stored about a label's page: the entries around a time, and the label's state, which was read after the entries. */
export interface PageRecord {
  page: number;
  entries: readonly GlassEntry[];
  state: Pick<LabelState, "shown" | "sent" | "later"> | undefined;
}

/** Smaller transmission numbers come from releases that counted from 1 and are not times. */
const FIRST_TIME = 1e12;

/**
 * Returns when a transmission started, which its number encodes. Undefined if that time is impossible because a clock was set
 * back.
 */
export const begunAt = (number: number, receivedAt?: Date): Date | undefined =>
  number >= FIRST_TIME && (receivedAt === undefined || number <= receivedAt.getTime()) ? new Date(number) : undefined;

/**
 * Returns the pictures of a page in the order in which they were shown: the pictures in the log, and those that are known
 * although their entries have expired, namely the picture before an entry and the current one.
 */
export function knownPictures({ page, entries, state }: PageRecord): KnownPicture[] {
  // A label server that has forgotten a transmission delivers it again when it is repeated: the transmission then has several
  // entries.
  const found = entries.map(knownOf);
  const add = (one: GlassPicture & Pick<GlassEntry, "at" | "receivedAt">) => {
    if (!found.some(({ transmission }) => transmission === one.transmission)) found.push(knownOf(one));
  };
  for (const { before } of entries) if (before) add(before);
  const shown = state?.shown.find((one) => one.page === page);
  const sent = state?.sent.find(({ number }) => number === shown?.number);
  if (shown?.number !== undefined)
    add({
      ...(sent ? pictureOf(sent) : { image: shown.image, transmission: shown.number, items: [] }),
      at: shown.deliveredAt,
      ...(shown.receivedAt && { receivedAt: shown.receivedAt }),
    });
  return found.sort(
    (one, other) => one.since.getTime() - other.since.getTime() || one.transmission - other.transmission,
  );
}

/** Returns the picture of a transmission. */
export const pictureOf = (sent: Transmission): GlassPicture => ({
  image: sent.image,
  transmission: sent.number,
  items: sent.content?.items ?? [],
  ...(isUploaded(sent) && { uploaded: true as const }),
  ...(sent.fault !== undefined && { fault: sent.fault }),
});

function knownOf({
  at,
  before: _,
  ...entry
}: GlassPicture & Pick<GlassEntry, "at"> & Partial<GlassEntry>): KnownPicture {
  const { receivedAt: latest, showAt, transmission } = entry;
  const earliest = showAt ?? begunAt(transmission, latest);
  const notBefore = Math.max(at.getTime(), earliest?.getTime() ?? 0);
  return {
    ...entry,
    deliveredAt: at,
    since: new Date(Math.min(notBefore, latest?.getTime() ?? notBefore)),
    ...(earliest && { earliest }),
    ...(latest && { latest }),
  };
}
