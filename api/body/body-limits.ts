const KiB = 2 ** 10;
const MiB = 2 ** 20;

/**
 * Limits on callers' bodies, checked before any work is done (docs/integrators/calls.md#limits). Each operation's
 * schema has its own limits for lists. `api/middleware/read-json.ts` and `read-upload.ts` refuse larger bodies.
 */
export const bodyLimits = {
  json: {
    /** Maximum size of a JSON body after decompression. */
    maxBytes: 32 * MiB,
    /** Levels of nesting in a JSON body. */
    maxDepth: 64,
    /** Values in a JSON body: each string, number, list and object counts. */
    maxValues: 1_000_000,
    /** Elements of one list. Shorter lists are checked against their operation's own bound. */
    maxElements: 100_000,
    /** Fields of one object. */
    maxFields: 1_000,
    /** Bytes of one string or number as written. */
    maxTextBytes: 64 * KiB,
    /** Values and bytes of a row, or of a body that is not a list; either is parsed in one piece. */
    maxRowValues: 200_000,
    maxRowBytes: 8 * MiB,
  },
  /** Total size of all bodies in a process, decompressed, including the memory of their values. */
  inWork: {
    total: 96 * MiB,
    /** One tenant's share: one body of the maximum size, or many small ones. */
    share: 48 * MiB,
    /** Memory of a parsed value in addition to its bytes. */
    bytesPerValue: 16,
  },
  /** Maximum size of a form on the pages. The login form has its own limit, since it may carry a token. */
  pageForm: { maxBytes: 4 * KiB },
  loginForm: { maxBytes: 16 * KiB },
  /** Maximum size of a label server's reports. */
  reports: { maxBytes: 4 * MiB },
  /** Maximum size of an uploaded image. */
  upload: {
    maxBytes: 8 * MiB,
    /** Time limit for receiving the whole form. */
    timeoutMs: 120_000,
    /** Bytes that a tenant may upload: per second, and in a burst after a pause. */
    rate: { perSecond: 4 * MiB, burst: 256 * MiB },
    /** Maximum width and height in pixels, read from the header before the image is decoded. */
    maxSide: 4096,
    /** A tenant's uploads waiting to be drawn, and their pixels: sixteen of the largest size, or many small ones. */
    maxWaiting: 1000,
    maxPixelsWaiting: 16 * 4096 * 4096,
  },
};
