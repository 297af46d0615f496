/** Texts that wait for a slow reader. */
export interface TextQueue {
  push(text: string): void;
  /** The next text; undefined once the queue has ended and is empty. Throws the error that it ended with. */
  next(): Promise<string | undefined>;
  /** No more texts come; those that wait are given still, unless it ends with an error. */
  end(error?: Error): void;
}

/**
 * A queue of at most so many texts, with at most so many characters together; a longer text is taken alone. With one more it
 * calls `onFull` and takes no further ones.
 */
export function createTextQueue(most: { texts: number; characters: number }, onFull: () => void): TextQueue {
  const waiting: string[] = [];
  let characters = 0;
  let isEnded = false;
  let failure: Error | undefined;
  let wake = () => {};

  return {
    push(text) {
      if (isEnded) return;
      const isFull = waiting.length >= most.texts || characters + text.length > most.characters;
      if (waiting.length > 0 && isFull) return onFull();
      waiting.push(text);
      characters += text.length;
      wake();
    },
    async next() {
      while (waiting.length === 0 && !isEnded)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (failure) throw failure;
      const text = waiting.shift();
      characters -= text?.length ?? 0;
      return text;
    },
    end(error) {
      isEnded = true;
      failure = error;
      wake();
    },
  };
}
