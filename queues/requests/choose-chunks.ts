import type { QueueName } from "../topology.ts";

/** A chunk in the journal, or a chunk whose job is in Redis. */
export interface PlacedChunk {
  queue: QueueName;
  store: string;
  number: number;
}

/**
 * Bulk chunks of one tenant that a queue holds at the same time: eight batches of the item worker, so that several
 * processes have work while the next chunks come.
 */
export const MAX_CHUNKS_OF_TENANT = 16;
/** Of these, the chunks of one store: the other half is for its other stores. */
export const MAX_CHUNKS_OF_STORE = 8;

/**
 * Chooses the waiting chunks of a tenant that are enqueued now: as many as its queues and stores have room for, with
 * its stores taking turns. `waiting` contains a list per store, in the order of the turns and with the chunks in order.
 * A number smaller than all of its store's in Redis always enters, since these may be waiting for it.
 */
export function chooseChunks<Chunk extends PlacedChunk>(
  waiting: readonly (readonly Chunk[])[],
  present: readonly PlacedChunk[],
): Chunk[] {
  const chosen: Chunk[] = [];
  const held: PlacedChunk[] = [...present];
  const hasRoom = ({ queue, store, number }: Chunk): boolean => {
    const ofStore = held.filter((chunk) => chunk.store === store);
    if (ofStore.every((chunk) => number < chunk.number) && ofStore.length > 0) return true;
    const ofQueue = held.filter((chunk) => chunk.queue === queue);
    return ofQueue.length < MAX_CHUNKS_OF_TENANT && ofStore.length < MAX_CHUNKS_OF_STORE;
  };
  const rounds = Math.max(0, ...waiting.map((chunks) => chunks.length));
  const stopped = new Set<number>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, chunks] of waiting.entries()) {
      const chunk = chunks[round];
      if (chunk === undefined || stopped.has(index)) continue;
      // A store's chunks enter in order: if there is no room for one, none after it enters.
      if (!hasRoom(chunk)) stopped.add(index);
      else {
        chosen.push(chunk);
        held.push(chunk);
      }
    }
  }
  return chosen;
}

/**
 * Which of the chunks that interactive requests wait for are enqueued now, regardless of the tenant's other jobs in Redis: as
 * many of each store as it has room for. Those that Redis has already are raised there (queues/requests/promote-next.ts).
 */
export function chooseAwaited<Chunk extends Omit<PlacedChunk, "queue">>(
  awaited: readonly Chunk[],
  present: readonly PlacedChunk[],
): Chunk[] {
  return [...Map.groupBy(awaited, ({ store }) => store)].flatMap(([store, chunks]) => {
    const held = present.filter((chunk) => chunk.store === store);
    const room = Math.max(0, MAX_CHUNKS_OF_STORE - held.length);
    return chunks.filter(({ number }, index) => index < room || held.every((chunk) => number < chunk.number));
  });
}
