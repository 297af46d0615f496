import type { LabelServer } from "../drivers/label-server.ts";

/** Places for calls under way that are no pictures: a label server that hangs takes few of those that all share. */
export interface OrderSlots {
  /**
   * Takes a place for a call to a label server; returns the function that releases it, undefined if it has to wait. One that
   * is alone has no others to leave places to, so that its orders keep the order of the queue.
   */
  take(server: LabelServer, isAlone?: boolean): (() => void) | undefined;
}

/** Half of the places of the queue: a label server that begins to hang leaves the other half. */
export const MAX_PER_SERVER = 8;
/** A label server whose last call was not answered is tried by one, and all of those together by a quarter of the places. */
export const MAX_OF_SILENT = 4;

export function createOrderSlots(): OrderSlots {
  const underWay = new Map<LabelServer, number>();
  let silent = 0;
  return {
    take(server, isAlone = false) {
      const count = underWay.get(server) ?? 0;
      const isSilent = server.failingSince() !== undefined;
      if (!isAlone && (isSilent ? count > 0 || silent >= MAX_OF_SILENT : count >= MAX_PER_SERVER)) return undefined;
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
