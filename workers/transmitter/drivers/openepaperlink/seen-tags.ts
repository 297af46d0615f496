import { LRUCache } from "lru-cache";
import type { SeenTag } from "../../../../schemas/unknown-tag.ts";
import { batteryOf, type Tag } from "./messages.ts";

/** Maximum number of tags that are kept. An access point lists at most 256, but new tags take the places of removed ones. */
export const MAX_TAGS = 1_000;
const MS_PER_SECOND = 1000;

/** Keeps the tags that an access point has listed; if there are too many, keeps only the latest. */
export function keepSeenTags() {
  const tags = new LRUCache<string, SeenTag>({ max: MAX_TAGS });
  return {
    note: (tag: Tag): void => void tags.set(tag.mac, seenTag(tag)),
    list: (): SeenTag[] => [...tags.values()].sort((one, other) => (one.device < other.device ? -1 : 1)),
  };
}

function seenTag(tag: Tag): SeenTag {
  const { mac, hardwareType, lastSeen, batteryMillivolts } = tag;
  const battery = batteryOf(tag);
  return {
    device: mac,
    hardwareType: hardwareTypeText(hardwareType),
    ...(lastSeen > 0 && { lastSeen: lastSeen * MS_PER_SECOND }),
    ...(battery !== undefined && { battery }),
    ...(batteryMillivolts !== undefined && { batteryMillivolts }),
  };
}

/** Returns a tag's hardware number as the catalogue writes it. */
export const hardwareTypeText = (hardwareType: number): string =>
  hardwareType.toString(16).toUpperCase().padStart(2, "0");
