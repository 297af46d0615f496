import type { Urgency } from "../../../schemas/urgency.ts";
import {
  capacityOf,
  type EndedCall,
  firstPace,
  type LearntPace,
  learntOf,
  MAX_TRANSMISSIONS,
  MAX_WAIT_MS,
  paceAfter,
  paceWhileAway,
  perSecondOf,
  restOf,
} from "../air/pace.ts";
import { createOrder } from "../air/picture-order.ts";
import type { Answer, LabelServer, PageToSend } from "../drivers/label-server.ts";

/** A transmission on its way to a label server. */
export interface PageOfLabel {
  /** The label's key. */
  key: string;
  page: PageToSend;
}

/**
 * The connection to one label server: as many concurrent calls as its responses allow, and the transmissions that wait for a
 * call. Each label server has its own lane, so a label server that hangs delays neither the others nor concurrent writes.
 */
export interface Lane {
  /**
   * Returns how many more transmissions may be started now: none while the label server is unavailable or rests. Interactive
   * transmissions have additional room, and overtake all other transmissions.
   */
  room(urgency: Urgency): number;
  /** Whether a transmission to this label is waiting or being sent. */
  has(key: string): boolean;
  /** Sends pages in the background: pages with high priority before others, small pages before large ones. */
  add(pages: readonly PageOfLabel[]): void;
  /**
   * Returns how many calls per second the label server accepts, judging by its last responses, and how many calls may run now.
   */
  rate(): { perSecond: number; concurrency: number };
  /** Returns what the label server's responses have shown; undefined before the first response. */
  learnt(): LearntPace | undefined;
  /** Passes waiting transmissions, and any added later, to `onUnsent`, and waits for the calls in progress. */
  close(): Promise<void>;
}

/**
 * The number of transmissions that all lanes of a process hold: above a limit, each lane holds only what is about to be sent.
 */
export interface Held {
  transmissions: number;
}

interface LaneOptions {
  labelServer: Pick<LabelServer, "sendPage" | "isAway">;
  /** Maximum number of concurrent calls. */
  concurrency: number;
  held: Held;
  /** Milliseconds. */
  clock(): number;
  /** Returns a number that is at least 0 and less than 1. */
  random(): number;
  /** Calls `wake` after this many milliseconds. */
  wakeAfter(milliseconds: number, wake: () => void): void;
  /** Called with each response; must not throw. */
  onAnswer(sent: PageOfLabel, answer: Answer): void;
  /** Called when a full lane has room again. */
  onRoom(): void;
  /** Called with transmissions that a closed lane does not send; must not throw. */
  onUnsent(pages: readonly PageOfLabel[]): void;
}

const AWAY_WAIT_MS = 3_000;
/** The pictures of this many transmissions fit into a process's memory. */
export const MAX_HELD = 10_000;

export function createLane(options: LaneOptions): Lane {
  const { labelServer, concurrency, held, clock, random, wakeAfter, onAnswer, onRoom, onUnsent } = options;
  const waiting = createOrder<PageOfLabel>({ isUrgent: ({ page }) => page.priority === "high", sizeOf });
  /** The number of each label's newest transmission that waits or is being sent. */
  const keys = new Map<string, number>();
  /**
   * By label, transmissions that wait for the call of the label's previous transmission, whose report may arrive before the
   * call's response. If that call has not started yet, only the newer transmission is sent.
   */
  const behind = new Map<string, PageOfLabel>();
  const calls = new Set<Promise<void>>();
  let pace = firstPace(concurrency);
  let wasFull = false;
  let isClosed = false;
  /** The reason why the label server rests. */
  let restReason: { reason?: string } = {};
  let isWaking = false;

  async function call(sent: PageOfLabel): Promise<void> {
    // The circuit may have opened while this transmission waited. It is postponed, which does not count as an attempt.
    if (labelServer.isAway()) {
      pace = paceWhileAway(pace);
      return onAnswer(sent, { kind: "later", afterMs: AWAY_WAIT_MS });
    }
    const begunAt = clock();
    const answer = await labelServer.sendPage(sent.page);
    pace = paceAfter(pace, { begunAt, endedAt: clock(), share: random(), ...outcomeOf(answer) }, concurrency);
    if (labelServer.isAway()) pace = paceWhileAway(pace);
    if ("reason" in answer && answer.reason !== undefined) restReason = { reason: answer.reason };
    onAnswer(sent, answer);
  }

  function hold(key: string, number: number): void {
    if (!keys.has(key)) held.transmissions += 1;
    keys.set(key, number);
  }

  function release(key: string): void {
    if (keys.delete(key)) held.transmissions -= 1;
  }

  function endCall(key: string): void {
    const follows = behind.get(key);
    behind.delete(key);
    if (follows) waiting.addFirst(follows);
    else release(key);
  }

  /** Takes the next transmission; if its label has a newer transmission by now, takes that one instead. */
  function takeNext(): PageOfLabel | undefined {
    const next = waiting.take();
    const newer = next && behind.get(next.key);
    if (newer) behind.delete(newer.key);
    return newer ?? next;
  }

  function postponeWaiting(answer: Answer): void {
    for (let sent = takeNext(); sent !== undefined; sent = takeNext()) {
      release(sent.key);
      onAnswer(sent, answer);
    }
  }

  /**
   * Starts a rest. Unless it is short, waiting transmissions are postponed, so that the newest pictures are sent afterwards.
   */
  function rest(restMs: number): void {
    wasFull = true;
    if (restMs > MAX_WAIT_MS) postponeWaiting({ kind: "later", afterMs: restMs, ...restReason });
    if (isWaking) return;
    isWaking = true;
    wakeAfter(restMs, () => {
      isWaking = false;
      fill();
    });
  }

  function begin(): void {
    while (calls.size < Math.floor(pace.limit)) {
      const next = takeNext();
      if (next === undefined) break;
      const running = call(next).finally(() => {
        calls.delete(running);
        endCall(next.key);
        fill();
      });
      calls.add(running);
    }
  }

  function fill(): void {
    if (isClosed) return;
    const restMs = restOf(pace, clock());
    if (restMs > 0) {
      rest(restMs);
      return;
    }
    begin();
    wasFull ||= keys.size >= capacityOf(pace);
    if (!wasFull || keys.size > capacityOf(pace) / 2) return;
    wasFull = false;
    onRoom();
  }

  function limitOf(urgency: Urgency): number {
    const capacity = capacityOf(pace);
    if (held.transmissions >= MAX_HELD) return Math.min(capacity, Math.floor(pace.limit));
    const isHealthy = pace.failures === 0;
    return urgency === "interactive" && isHealthy ? capacity + MAX_TRANSMISSIONS : capacity;
  }

  return {
    room(urgency) {
      if (isClosed || labelServer.isAway() || restOf(pace, clock()) > 0) return 0;
      return Math.max(0, limitOf(urgency) - keys.size);
    },
    has: (key) => keys.has(key),
    rate: () => ({ perSecond: perSecondOf(pace), concurrency: Math.floor(pace.limit) }),
    learnt: () => learntOf(pace, concurrency, clock()),

    add(pages) {
      if (isClosed) return onUnsent(pages);
      for (const sent of pages) {
        const { key, page } = sent;
        const newest = keys.get(key);
        if (newest !== undefined && newest >= page.number) continue;
        hold(key, page.number);
        if (newest === undefined) waiting.add(sent);
        else behind.set(key, sent);
      }
      fill();
    },

    async close() {
      isClosed = true;
      // If a label has two transmissions, the newer comes last, because it is the one in the label's state.
      const unsent = [...waiting.takeAll(), ...behind.values()];
      behind.clear();
      for (const { key } of unsent) release(key);
      if (unsent.length > 0) onUnsent(unsent);
      await Promise.all(calls);
    },
  };
}

const sizeOf = ({ page: { content } }: PageOfLabel): number =>
  "png" in content ? content.png.byteLength : content.text.length;

/** Returns what a response shows about its label server's pace. */
function outcomeOf(answer: Answer): Pick<EndedCall, "outcome" | "restMs"> {
  if (answer.kind !== "later") return { outcome: "taken" };
  return { outcome: answer.server ?? "neither", restMs: answer.restMs };
}
