/**
 * Maximum number of texts waiting for a slow reader, and of their characters. Beyond it the tail ends; once reopened,
 * it continues after its last event.
 */
export const waitingOfTail = { texts: 100, characters: 2 ** 20 };

/** Texts waiting for a slow reader. */
export interface TextQueue {
  push(text: string): void;
  /** The next text; undefined once the queue has ended and is empty. Throws the error that it ended with. */
  next(): Promise<string | undefined>;
  /** Stops accepting texts; waiting ones are still returned, unless the queue ends with an error. */
  end(error?: Error): void;
}

/**
 * Creates a queue with a maximum number of texts and of characters in total. A longer text is accepted if the queue is
 * otherwise empty. A text for which there is no room is dropped, and `onFull` is called.
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
      failure ??= error;
      wake();
    },
  };
}
