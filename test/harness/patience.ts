/**
 * If nothing fails on purpose, a busy machine must fail no call, so a call may wait this many milliseconds for a database. This
 * is less than the API's idle limit, after which a connection ends without a response.
 */
export const PATIENT_MS = 110_000;

/** How many seconds an order for a label may wait in tests: a paused thread must not make it late. */
export const ORDER_PATIENCE_S = 600;

/**
 * How long a test's server keeps an idle connection open: a call that is written to a connection at the moment when its server
 * closes it fails.
 */
export const KEEP_ALIVE_MS = 600_000;

/** Loaded into a command before its entry (`--import`), so that the command waits for databases of a busy machine. */
export const REACH_PATIENTLY = new URL("./processes/reach-patiently.ts", import.meta.url).href;
