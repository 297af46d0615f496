import { type Pack, text } from "../desk.ts";
import { type Counted, countedText, countLabels } from "./counts.ts";

/** A pause in typing after which labels are counted again. */
const PAUSE_MS = 400;
/** After a count that failed, as when the server is busy; each further one waits twice as long, up to the last. */
const RETRY_MS = { first: 2_000, last: 60_000 };

interface Counting {
  /** The rules as they are now. */
  pack(): Pack;
  say(said: string): void;
  /** Called with what a count found, unless a newer one has begun. */
  take(counted: Counted): Promise<void>;
}

/**
 * Checks and counts the rules as they are now, until it succeeds; a newer count ends an older one. Returns a function that begins
 * it after a pause: it is called with each change.
 */
export function createCounting({ pack, say, take }: Counting): () => void {
  let counting: AbortController | undefined;
  let due: number | undefined;
  let retryMs = RETRY_MS.first;

  async function count(): Promise<void> {
    counting?.abort();
    counting = new AbortController();
    const found = await countLabels(pack(), counting.signal).catch((error: Error) => error);
    if (found instanceof Error) {
      if (found.name !== "AbortError") countAgain();
      return;
    }
    say(countedText(found));
    await take(found);
  }

  function countAgain(): void {
    say(text("rules.countFailed"));
    countIn(retryMs);
    retryMs = Math.min(2 * retryMs, RETRY_MS.last);
  }

  function countIn(milliseconds: number): void {
    window.clearTimeout(due);
    due = window.setTimeout(() => void count(), milliseconds);
  }

  return () => {
    say(text("rules.counting"));
    retryMs = RETRY_MS.first;
    countIn(PAUSE_MS);
  };
}
