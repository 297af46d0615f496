/** Texts that wait for a slow reader. */
export interface TextQueue {
  push(text: string): void;
  /** The next text; undefined once the queue has ended and is empty. Throws the error that it ended with. */
  next(): Promise<string | undefined>;
  /** No more texts come; those that wait are given still, unless it ends with an error. */
  end(error?: Error): void;
}

/** A queue of at most `maxWaiting` texts: with one more it calls `onFull` and takes no further ones. */
export function createTextQueue(maxWaiting: number, onFull: () => void): TextQueue {
  const waiting: string[] = [];
  let isEnded = false;
  let failure: Error | undefined;
  let wake = () => {};

  return {
    push(text) {
      if (isEnded) return;
      if (waiting.length >= maxWaiting) return onFull();
      waiting.push(text);
      wake();
    },
    async next() {
      while (waiting.length === 0 && !isEnded)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (failure) throw failure;
      return waiting.shift();
    },
    end(error) {
      isEnded = true;
      failure = error;
      wake();
    },
  };
}
