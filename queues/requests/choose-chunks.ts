import type { ChunkWindow } from "../tenant-windows.ts";
import type { QueueName } from "../topology.ts";

/** A chunk in the journal, or a chunk whose job is in Redis. */
export interface PlacedChunk {
  queue: QueueName;
  store: string;
  number: number;
}

/**
 * Chooses which of a tenant's waiting chunks to enqueue now: as many as its queues and stores have room for, with its stores
 * taking turns. `waiting` contains a list per store, in the order of the turns and with the chunks in order. A chunk whose number
 * is smaller than all of its store's numbers in Redis is always chosen, since the store's chunks in Redis may be waiting for it.
 */
export function chooseChunks<Chunk extends PlacedChunk>(
  waiting: readonly (readonly Chunk[])[],
  present: readonly PlacedChunk[],
  windowOf: (queue: QueueName) => ChunkWindow,
): Chunk[] {
  const chosen: Chunk[] = [];
  const ofQueue = new Map<QueueName, number>();
  const ofStore = new Map<string, { count: number; smallest: number }>();
  const hold = ({ queue, store, number }: PlacedChunk) => {
    const { count = 0, smallest = number } = ofStore.get(store) ?? {};
    ofStore.set(store, { count: count + 1, smallest: Math.min(smallest, number) });
    ofQueue.set(queue, (ofQueue.get(queue) ?? 0) + 1);
  };
  const hasRoom = ({ queue, store, number }: Chunk): boolean => {
    const { count = 0, smallest = Number.NEGATIVE_INFINITY } = ofStore.get(store) ?? {};
    if (number < smallest) return true;
    const window = windowOf(queue);
    return (ofQueue.get(queue) ?? 0) < window.ofTenant && count < window.ofStore;
  };
  present.forEach(hold);
  const rounds = Math.max(0, ...waiting.map((chunks) => chunks.length));
  const stopped = new Set<number>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, chunks] of waiting.entries()) {
      const chunk = chunks[round];
      if (chunk === undefined || stopped.has(index)) continue;
      // A store's chunks are chosen in order: if there is no room for a chunk, no later chunk is chosen either.
      if (!hasRoom(chunk)) stopped.add(index);
      else {
        chosen.push(chunk);
        hold(chunk);
      }
    }
  }
  return chosen;
}

/**
 * Of the chunks for which interactive requests are waiting, chooses those to enqueue now, regardless of the tenant's other jobs
 * in Redis: as many from each store as it has room for. Chunks that are already in Redis get a higher priority there
 * (queues/requests/promote-next.ts).
 */
export function chooseAwaited<Chunk extends Omit<PlacedChunk, "queue">>(
  awaited: readonly Chunk[],
  present: readonly PlacedChunk[],
  { ofStore }: Pick<ChunkWindow, "ofStore">,
): Chunk[] {
  return [...Map.groupBy(awaited, ({ store }) => store)].flatMap(([store, chunks]) => {
    const held = present.filter((chunk) => chunk.store === store);
    const room = Math.max(0, ofStore - held.length);
    return chunks.filter(({ number }, index) => index < room || held.every((chunk) => number < chunk.number));
  });
}
