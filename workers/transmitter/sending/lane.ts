import type { Urgency } from "../../../schemas/urgency.ts";
import type { Answer, LabelServer, PageToSend } from "../drivers/label-server.ts";

/** A transmission on its way to a label server. */
export interface PageOfLabel {
  /** The label's key. */
  key: string;
  page: PageToSend;
}

/**
 * The connection to one label server: a bounded number of concurrent calls, and the transmissions that wait for one.
 * Each label server has its own lane, so a hanging one delays neither the others nor concurrent writes.
 */
export interface Lane {
  /**
   * How many further transmissions may be started now: none while the label server is unavailable. Interactive ones
   * have room in addition to all others, which they overtake.
   */
  room(urgency: Urgency): number;
  /** Whether a transmission of this label waits or is being sent. */
  has(key: string): boolean;
  /** Sends these in the background, those of high priority before others. */
  add(pages: readonly PageOfLabel[]): void;
  /** Passes waiting transmissions, and those added from now on, to `onUnsent`, and waits for the calls in progress. */
  close(): Promise<void>;
}

interface LaneOptions {
  labelServer: Pick<LabelServer, "sendPage" | "isAway">;
  /** Maximum number of concurrent calls. */
  concurrency: number;
  /** Milliseconds. */
  clock(): number;
  /** Called with each answer; it must not throw. */
  onAnswer(sent: PageOfLabel, answer: Answer): void;
  /** Called when a lane that was full has room again. */
  onRoom(): void;
  /** Called with transmissions that a closed lane does not send; it must not throw. */
  onUnsent(pages: readonly PageOfLabel[]): void;
}

/** More than the label server takes in this time is not begun, so that nothing waits until its retry is due. */
const MAX_WAIT_MS = 5_000;
const MAX_TRANSMISSIONS = 2_000;
const AWAY_WAIT_MS = 3_000;
/** Weight of the latest call in the mean duration of calls. */
const NEWEST_WEIGHT = 0.1;

export function createLane({ labelServer, concurrency, clock, onAnswer, onRoom, onUnsent }: LaneOptions): Lane {
  const urgent: PageOfLabel[] = [];
  const others: PageOfLabel[] = [];
  /** The number of the newest transmission of each label that waits or is being sent. */
  const keys = new Map<string, number>();
  /**
   * By label, transmissions that wait until the call for the label's last one ends: its report may arrive before the
   * answer.
   */
  const behind = new Map<string, PageOfLabel>();
  const calls = new Set<Promise<void>>();
  let meanMs = 0;
  let wasFull = false;
  let isClosed = false;

  const capacity = (): number =>
    Math.min(MAX_TRANSMISSIONS, Math.max(concurrency, Math.floor((concurrency * MAX_WAIT_MS) / meanMs)));

  async function call(sent: PageOfLabel): Promise<void> {
    // The circuit may have opened while this one waited. It is postponed, and does not count as an attempt.
    if (labelServer.isAway()) return onAnswer(sent, { kind: "later", afterMs: AWAY_WAIT_MS });
    const begunAt = clock();
    const answer = await labelServer.sendPage(sent.page);
    meanMs += (clock() - begunAt - meanMs) * NEWEST_WEIGHT;
    onAnswer(sent, answer);
  }

  function endCall(key: string): void {
    const follows = behind.get(key);
    behind.delete(key);
    if (follows) queueOf(follows).unshift(follows);
    else keys.delete(key);
  }

  const queueOf = ({ page: { priority } }: PageOfLabel) => (priority === "high" ? urgent : others);

  function fill(): void {
    while (calls.size < concurrency && !isClosed) {
      const next = urgent.shift() ?? others.shift();
      if (next === undefined) break;
      const running = call(next).finally(() => {
        calls.delete(running);
        endCall(next.key);
        fill();
      });
      calls.add(running);
    }
    wasFull ||= keys.size >= capacity();
    if (!wasFull || keys.size > capacity() / 2 || isClosed) return;
    wasFull = false;
    onRoom();
  }

  return {
    room(urgency) {
      if (isClosed || labelServer.isAway()) return 0;
      const limit = urgency === "interactive" ? 2 * MAX_TRANSMISSIONS : capacity();
      return Math.max(0, limit - keys.size);
    },
    has: (key) => keys.has(key),

    add(pages) {
      if (isClosed) return onUnsent(pages);
      for (const sent of pages) {
        const { key, page } = sent;
        const newest = keys.get(key);
        if (newest !== undefined && newest >= page.number) continue;
        keys.set(key, page.number);
        if (newest === undefined) queueOf(sent).push(sent);
        else behind.set(key, sent);
      }
      fill();
    },

    async close() {
      isClosed = true;
      // If a label has two of them, the newest is last, which is the one in its state.
      const waiting = [...urgent.splice(0), ...others.splice(0), ...behind.values()];
      behind.clear();
      for (const { key } of waiting) keys.delete(key);
      if (waiting.length > 0) onUnsent(waiting);
      await Promise.all(calls);
    },
  };
}
