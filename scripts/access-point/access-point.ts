import { createRandom } from "./random.ts";
import { convert, type EmulatedTag, isSamePicture, listed, type TagPicture } from "./tag.ts";
import { tagTypes } from "./tag-types.ts";

/** How an emulated access point and its tags behave. Times are in seconds of the access point's own clock. */
export interface Behaviour {
  seed: number;
  /** Length of a second in milliseconds: 1000 for real time, less to emulate a day in a minute. */
  secondMs: number;
  /** How long tags sleep between check-ins. */
  sleep: number;
  /** How long after a restart the access point accepts no pictures. */
  boot: number;
  /** Share of failed transfers to tags. */
  loss: number;
  /** Share of messages that are sent twice, and of messages that are not sent. */
  duplicates: number;
  lostMessages: number;
}

export const usualBehaviour: Behaviour = {
  ...{ seed: 1, secondMs: 1000, sleep: 40, boot: 10, loss: 0, duplicates: 0, lostMessages: 0 },
};

/** A picture that arrives sooner than this after another picture finds no memory and is lost silently. */
const CONVERSION_SECONDS = 0.8;
const TRANSFER_SECONDS = 3;

/** The status and text of a response. */
type Answer = [status: number, text: string];

/**
 * Emulates an OpenEPaperLink access point with its tags, as far as its interface shows them. It is as unreliable as a real access
 * point. Written from a description of the interface: it contains none of the project's code.
 */
export function createAccessPoint(
  behaviour: Behaviour,
  send: (message: object) => void,
  onUpload: (tag: EmulatedTag, picture: TagPicture) => void = () => {},
) {
  const { secondMs, sleep, boot, loss, duplicates, lostMessages } = behaviour;
  const random = createRandom(behaviour.seed);
  const tags = new Map<string, EmulatedTag>();
  const coming = new Set<{ at: number; timer: NodeJS.Timeout; run(): void }>();
  const began = performance.now();
  const totals = {
    ...{ uploads: 0, lostInBursts: 0, overlaps: 0, timeouts: 0, transfers: 0, reboots: 0 },
    /** Number of pictures that waited for tags and were dropped. */
    dropped: 0,
  };
  /** For each upload under way, returns whether its caller has gone, because the upload of a killed caller has ended. */
  const underWay = new Set<() => boolean>();
  let lastUploadAt = Number.NEGATIVE_INFINITY;
  let bootedAt = 0;
  let life = 0;

  const clock = () => (performance.now() - began) / secondMs;

  function after(seconds: number, run: () => void): void {
    const happen = () => {
      if (coming.delete(event)) run();
    };
    const event = { at: clock() + seconds, timer: setTimeout(happen, seconds * secondMs).unref(), run: happen };
    coming.add(event);
  }

  /**
   * Runs everything that is due by the access point's clock. That clock's seconds may be so short that timers are late on a
   * busy machine. A caller would then see less than should have happened since an upload.
   */
  function settle(): void {
    const now = clock();
    const due = [...coming].filter(({ at }) => at <= now).sort((one, other) => one.at - other.at);
    for (const { run } of due) run();
  }

  function say(message: object): void {
    if (random() < lostMessages) return;
    send(message);
    if (random() < duplicates) send(message);
  }

  function wake(tag: EmulatedTag): void {
    // Tags from one box do not wake at the same instant.
    after(sleep * (0.75 + random() / 2), () => wake(tag));
    if (tag.isAsleep || !isRunning()) return;
    tag.lastSeen = Math.floor(Date.now() / 1000);
    say({ tags: [listed(tag)] });
    if (tag.queue.length > 0) after(TRANSFER_SECONDS, transfer.bind(undefined, tag, life));
  }

  function drop(tag: EmulatedTag): void {
    totals.dropped += tag.queue.length;
    tag.queue = [];
  }

  function transfer(tag: EmulatedTag, begunIn: number): void {
    const [picture] = tag.queue;
    if (begunIn !== life || picture === undefined) return;
    if (random() < loss) {
      totals.timeouts += 1;
      drop(tag);
      say({ errMsg: `< ${tag.mac} xfer timeout` });
      return;
    }
    totals.transfers += 1;
    tag.queue.shift();
    tag.shown.push(picture);
    say({ logMsg: `${tag.mac} reports xfer complete` });
    tag.updateCount += 1;
    say({ tags: [listed(tag)] });
  }

  const isRunning = () => clock() >= bootedAt;

  async function take(tag: EmulatedTag, jpeg: Buffer): Promise<Answer> {
    const isBurst = clock() - lastUploadAt < CONVERSION_SECONDS;
    lastUploadAt = clock();
    totals.uploads += 1;
    const uploadedIn = life;
    const picture = await convert(jpeg, tag.type);
    onUpload(tag, picture);
    if (isBurst) totals.lostInBursts += 1;
    else after(CONVERSION_SECONDS / 2, () => uploadedIn === life && enqueue(tag, picture));
    lastUploadAt = clock();
    return [200, "Ok, saved"];
  }

  function enqueue(tag: EmulatedTag, picture: Awaited<ReturnType<typeof convert>>): void {
    if (isSamePicture(tag.queue.at(-1) ?? tag.shown.at(-1), picture)) {
      say({ logMsg: "new image is the same as current image. not updating tag." });
      return;
    }
    tag.queue.push(picture);
    say({ tags: [listed(tag)] });
  }

  return {
    tags,
    totals,
    isRunning,
    settle,

    /** Adds a tag, which checks in for the first time, unless it is asleep permanently. */
    add(mac: string, hardwareType: number, { isAsleep = false } = {}): EmulatedTag {
      const type = tagTypes.get(hardwareType);
      if (type === undefined) throw new Error(`there is no tag type ${hardwareType.toString(16)}`);
      const tag: EmulatedTag = {
        ...{
          mac,
          hardwareType,
          type,
          isAsleep,
          batteryMv: 2900,
          temperature: 21,
          queue: [],
          shown: [],
          updateCount: 0,
        },
        lastSeen: Math.floor(Date.now() / 1000),
      };
      tags.set(mac, tag);
      after(sleep * random(), () => wake(tag));
      return tag;
    },

    async upload(mac: string, jpeg: Buffer, isGone: () => boolean = () => false): Promise<Answer> {
      if (!isRunning()) return [409, "come back later"];
      const tag = tags.get(mac);
      if (tag === undefined) return [400, "mac not found"];
      if ([...underWay].some((isOtherGone) => !isOtherGone())) totals.overlaps += 1;
      underWay.add(isGone);
      try {
        return await take(tag, jpeg);
      } finally {
        underWay.delete(isGone);
      }
    },

    /** Reboots: discards pictures waiting for tags, and accepts none for a while. The caller must then close the sockets. */
    reboot(): void {
      say({ errMsg: "REBOOTING" });
      totals.reboots += 1;
      life += 1;
      bootedAt = clock() + boot;
      for (const tag of tags.values()) drop(tag);
    },

    close(): void {
      for (const { timer } of coming) clearTimeout(timer);
      coming.clear();
    },
  };
}

/** Returns the form in which addresses are compared: 16 digits. */
export const comparable = (mac: string): string => mac.toUpperCase().padStart(16, "0");
