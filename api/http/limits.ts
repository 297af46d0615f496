const MiB = 2 ** 20;

/** The bounds of what a caller may send, checked before any work. docs/integrators.md#limits lists them. */
export const limits = {
  body: {
    /** Of a JSON body, also once it is unpacked. */
    maxBytes: 32 * MiB,
    /** Levels of nesting in a JSON body. */
    maxDepth: 64,
  },
  /** Of the reports of a label server. */
  reports: { maxBytes: 4 * MiB },
  /** Of an uploaded image. */
  upload: {
    maxBytes: 8 * MiB,
    /** The whole form must be here in this time. */
    timeoutMs: 120_000,
    /** Pixels of a side, read from the header before the image is decoded. */
    maxSide: 4096,
  },
};
