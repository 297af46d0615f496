import { setTimeout } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { labelKey } from "../../../../schemas/keys.ts";
import type { LabelReport } from "../../../../schemas/label-report.ts";
import type { AccessPoint } from "./access-point.ts";
import { batteryOf, type Message, type Tag } from "./messages.ts";
import { hardwareTypeText, keepSeenTags } from "./seen-tags.ts";
import { outcomeOf, type Upload } from "./uploads.ts";

interface FollowOptions {
  accessPoint: Pick<AccessPoint, "readTag" | "readTags">;
  report(report: LabelReport): void;
  now(): Date;
  clock(): number;
  /** Time after an upload by which the access point lists the upload as waiting, unless the upload has been dropped. */
  listedAfterMs: number;
}

/** The label of a tag, according to its last picture or order. */
type Label = Pick<Upload, "store" | "barcode">;

const MAX_LABELS = 100_000;
/** After this time, only the transmitter's retries take care of an upload. */
const RECENT_MS = 60_000;
/** Interval at which a tag's check-ins are reported; tags check in every 40 seconds. */
const CHECK_IN_INTERVAL_MS = 600_000;

/** Tracks uploads until tags show them or access points drop them, and reports the results and the tags' check-ins. */
export function followUploads({ accessPoint, report, now, clock, listedAfterMs }: FollowOptions) {
  const uploads = new Map<string, Upload>();
  const labels = new LRUCache<string, Label>({ max: MAX_LABELS });
  /** The last tag of each label. A tag that was replaced may still have power, and must not report for the label. */
  const tagOf = new LRUCache<string, string>({ max: MAX_LABELS });
  const checkIns = new LRUCache<string, { at: number; lastSeen: number; battery: string | undefined }>({
    max: MAX_LABELS,
  });
  const seen = keepSeenTags();
  let isAnswered = true;

  function end(mac: string, kind: "acknowledged" | "failed", tag?: Tag, reason?: string): void {
    const upload = uploads.get(mac);
    if (upload === undefined) return;
    uploads.delete(mac);
    const { store, barcode, page, number } = upload;
    const of = { store, barcode, kind, at: now().toISOString(), transmission: number, page } as const;
    report({ ...of, ...(reason !== undefined && { reason }), ...(tag && factsOf(tag)) });
  }

  /** Acknowledges an upload if the tag shows it. */
  function note(tag: Tag): void {
    seen.note(tag);
    const upload = uploads.get(tag.mac);
    if (upload && outcomeOf(upload, tag) === "shown") end(tag.mac, "acknowledged", tag);
    checkIn(tag);
  }

  function checkIn(tag: Tag): void {
    const label = labels.get(tag.mac);
    const before = checkIns.get(tag.mac);
    const battery = batteryOf(tag);
    const isDue = before === undefined || clock() - before.at >= CHECK_IN_INTERVAL_MS || battery !== before.battery;
    if (label === undefined || tag.lastSeen === 0 || tag.lastSeen === before?.lastSeen || !isDue) return;
    checkIns.set(tag.mac, { at: clock(), lastSeen: tag.lastSeen, battery });
    report({ ...label, kind: "check-in", at: now().toISOString(), ...factsOf(tag) });
  }

  const age = ({ uploadedAt = clock() }: Upload) => clock() - uploadedAt;
  /** Whether an upload must be listed by now. During the call, no matter how long it takes, nothing is listed. */
  const isListed = (upload: Upload) => upload.uploadedAt !== undefined && age(upload) >= listedAfterMs;

  async function complete(mac: string): Promise<void> {
    if (!uploads.has(mac)) return;
    const tag = await accessPoint.readTag(mac);
    if (tag) note(tag);
  }

  /**
   * Handles the message that a picture is unchanged, which does not name the tag. It concerns the only upload that is neither
   * listed as waiting nor shown. If there are several such uploads, some were lost, but nobody knows which, so all are sent
   * again.
   */
  async function unchanged(): Promise<void> {
    if (isAnswered) return;
    isAnswered = true;
    const recent = [...uploads].filter(([, upload]) => age(upload) <= RECENT_MS);
    await setTimeout(listedAfterMs);
    const candidates: Tag[] = [];
    for (const [mac, upload] of recent) {
      while (uploads.get(mac) === upload && !isListed(upload)) await setTimeout(listedAfterMs);
      if (uploads.get(mac) !== upload) continue;
      const tag = await accessPoint.readTag(mac);
      if (tag && uploads.get(mac) === upload && outcomeOf(upload, tag) === "lost") candidates.push(tag);
    }
    const [only, ...others] = candidates;
    if (only && others.length === 0) return end(only.mac, "acknowledged", only);
    for (const tag of candidates) end(tag.mac, "failed", tag, "the access point dropped one of several pictures");
  }

  /** Checks uploads after a gap in the messages: pictures that the access point no longer holds are sent again. */
  async function lookAgain(): Promise<void> {
    for (const tag of await accessPoint.readTags()) {
      const upload = uploads.get(tag.mac);
      note(tag);
      if (upload && isListed(upload) && outcomeOf(upload, tag) === "lost")
        end(tag.mac, "failed", tag, "the access point no longer holds the picture");
    }
  }

  function reboot(): void {
    for (const mac of [...uploads.keys()]) end(mac, "failed", undefined, "the access point restarted");
  }

  return {
    find: (mac: string) => uploads.get(mac),
    /** Records that an upload starts; it replaces the tag's previous upload. */
    begin(mac: string, upload: Upload): void {
      uploads.set(mac, upload);
      isAnswered = false;
    },
    /** Records that the access point accepted an upload. */
    accept(mac: string, upload: Upload): void {
      if (uploads.get(mac) === upload) uploads.set(mac, Object.assign(upload, { uploadedAt: clock() }));
    },
    /** Records that the access point did not accept an upload. */
    forget(mac: string, upload: Upload): void {
      if (uploads.get(mac) === upload) uploads.delete(mac);
    },
    /** Records to which label a tag belongs. */
    know(mac: string, { store, barcode }: Label): void {
      const key = labelKey(store, barcode);
      const former = tagOf.get(key) ?? mac;
      const label = labels.get(former);
      if (former !== mac && label && labelKey(label.store, label.barcode) === key) labels.delete(former);
      labels.set(mac, { store, barcode });
      tagOf.set(key, mac);
    },
    note,
    seenTags: seen.list,
    lookAgain,
    async take(message: Message): Promise<void> {
      if (message.kind === "tags") for (const tag of message.tags) note(tag);
      else if (message.kind === "complete") await complete(message.mac);
      else if (message.kind === "unchanged") await unchanged();
      else if (message.kind === "rebooting") reboot();
      else end(message.mac, "failed", undefined, "the tag did not take the picture in time");
    },
  };
}

const factsOf = (tag: Tag): Pick<LabelReport, "battery" | "batteryMillivolts" | "hardwareRevision" | "sensors"> => {
  const battery = batteryOf(tag);
  const type = hardwareTypeText(tag.hardwareType);
  return {
    ...(battery !== undefined && { battery }),
    ...(tag.batteryMillivolts !== undefined && { batteryMillivolts: tag.batteryMillivolts }),
    hardwareRevision: tag.firmware === undefined ? type : `${type} ${tag.firmware}`,
    ...(tag.temperature !== undefined && { sensors: { temperature: tag.temperature } }),
  };
};
