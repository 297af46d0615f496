import type { LabelServer } from "../drivers/label-server.ts";

/** Slots for calls that do not send pictures, so that a label server that hangs occupies only a few of the shared slots. */
export interface OrderSlots {
  /**
   * Takes a slot for a call to a label server; returns the function that releases it, or undefined if the call has to wait.
   */
  take(server: LabelServer): (() => void) | undefined;
}

/** Half of the queue's slots, so that a label server that begins to hang leaves the other half free. */
export const MAX_PER_SERVER = 8;
/**
 * A label server that did not respond to its last call gets one call at a time, and all such label servers together get a
 * quarter of the slots.
 */
export const MAX_OF_SILENT = 4;

/** No slots need to be left free for a label server that has had no order for this long. */
const IDLE_MS = 60_000;

/**
 * Creates the slots. If only one label server has orders, there is no limit: no other label server needs protection, and its
 * orders are sent in queue order. `clock` returns milliseconds.
 */
export function createOrderSlots(clock: () => number): OrderSlots {
  const underWay = new Map<LabelServer, number>();
  const usedAt = new Map<LabelServer, number>();
  let silent = 0;

  /** Records that a label server has an order; returns whether it is the only label server with orders. */
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
