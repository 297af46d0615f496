import type { LabelServer } from "../drivers/label-server.ts";

/** Places for calls under way that are no pictures: a label server that hangs takes few of those that all share. */
export interface OrderSlots {
  /** Takes a place for a call to a label server; returns the function that releases it, undefined if it has to wait. */
  take(server: LabelServer): (() => void) | undefined;
}

/** Half of the places of the queue: a label server that begins to hang leaves the other half. */
export const MAX_PER_SERVER = 8;
/** A label server whose last call was not answered is tried by one, and all of those together by a quarter of the places. */
export const MAX_OF_SILENT = 4;

/** A label server without an order for this long needs no places left to it. */
const IDLE_MS = 60_000;

/**
 * With one label server that has orders there is no other to protect, and its orders keep the order of the queue. `clock`
 * returns milliseconds.
 */
export function createOrderSlots(clock: () => number): OrderSlots {
  const underWay = new Map<LabelServer, number>();
  const usedAt = new Map<LabelServer, number>();
  let silent = 0;

  /** Notes that a label server has an order; returns whether it is the only one that has any. */
  function noteUse(server: LabelServer): boolean {
    usedAt.set(server, clock());
    for (const [other, at] of usedAt) if (clock() - at > IDLE_MS) usedAt.delete(other);
    return usedAt.size === 1;
  }

  return {
    take(server) {
      const isAlone = noteUse(server);
      const count = underWay.get(server) ?? 0;
      const isSilent = server.failingSince() !== undefined;
      const isFull = isSilent ? count > 0 || silent >= MAX_OF_SILENT : count >= MAX_PER_SERVER;
      if (isFull && !isAlone) return undefined;
      underWay.set(server, count + 1);
      if (isSilent) silent += 1;
      return () => {
        const left = (underWay.get(server) ?? 1) - 1;
        if (left > 0) underWay.set(server, left);
        else underWay.delete(server);
        if (isSilent) silent -= 1;
      };
    },
  };
}
