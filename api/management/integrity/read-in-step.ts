/** Reads records in the order of their keys, piece by piece. */
export function createReader<Found extends { _id: string }>(batches: AsyncIterable<Found[]>) {
  const iterator = readAhead(batches);
  let ahead: Found[] = [];
  let isOver = false;
  return {
    /** Returns the next records up to this key. */
    async takeThrough(key: string): Promise<Found[]> {
      const taken: Found[] = [];
      for (;;) {
        const behind = ahead.findIndex(({ _id }) => _id > key);
        taken.push(...ahead.splice(0, behind < 0 ? ahead.length : behind));
        if (behind >= 0 || isOver) return taken;
        const { done, value } = await iterator.next();
        isOver = done === true;
        ahead = value ?? [];
      }
    },
    close: async () => void (await iterator.return(undefined)),
  };
}

/** Yields a source's batches; the next batch is read while the consumer works on the current one. */
export async function* readAhead<Batch>(source: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  const iterator = source[Symbol.asyncIterator]();
  const read = () => {
    const next = iterator.next();
    // A failure surfaces only where the promise is awaited, perhaps later.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let next = read(); ; ) {
      const { done, value } = await next;
      if (done) return;
      next = read();
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
