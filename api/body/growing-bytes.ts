const NOTHING = Buffer.alloc(0);

/** Bytes that arrive in parts. */
export interface GrowingBytes {
  add(part: Buffer): void;
  /** All bytes added so far, valid until they are released. */
  whole(): Buffer;
  /** Releases the memory immediately, without waiting for garbage collection. The result of `whole` is empty afterwards. */
  release(): void;
}

/**
 * Collects at most `most` bytes in one contiguous buffer as they arrive, without keeping the parts. Reserved space takes
 * no memory until it is written to. A single part is returned unchanged.
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
