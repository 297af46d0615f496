const NOTHING = Buffer.alloc(0);

/** Bytes that arrive in parts. */
export interface GrowingBytes {
  add(part: Buffer): void;
  /** All that was added, for as long as it is not released. */
  whole(): Buffer;
  /** Returns the memory back at once, without a wait for the collector. What `whole` gave is empty then. */
  release(): void;
}

/**
 * Puts at most `most` bytes together as they arrive: they lie in one place from the start, and no part is kept beside it. Room
 * that was not written to takes no memory. A single part is given back as it is.
 */
export function createGrowingBytes(most: number): GrowingBytes {
  let first: Buffer | undefined;
  let room: ArrayBuffer | undefined;

  function put(part: Buffer, into: ArrayBuffer): void {
    const at = into.byteLength;
    into.resize(at + part.length);
    new Uint8Array(into).set(part, at);
  }

  return {
    add(part) {
      if (first === undefined) first = part;
      else {
        if (room === undefined) {
          room = new ArrayBuffer(0, { maxByteLength: most });
          put(first, room);
          first = NOTHING;
        }
        put(part, room);
      }
    },
    whole: () => (room === undefined ? (first ?? NOTHING) : Buffer.from(room)),
    release() {
      first = NOTHING;
      room?.resize(0);
    },
  };
}
