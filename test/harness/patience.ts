/**
 * If nothing fails on purpose, a busy machine must fail no call, so a call may wait this many milliseconds for a database. This
 * is less than the API's idle limit, after which a connection ends without a response.
 */
export const PATIENT_MS = 110_000;

/** How many seconds an order for a label may wait in tests: a paused thread must not make it late. */
export const ORDER_PATIENCE_S = 600;
