/**
 * If nothing fails on purpose, a busy machine must fail no call, so a call may wait this many milliseconds for a database. This
 * is less than the API's idle limit, after which a connection ends without a response.
 */
export const PATIENT_MS = 110_000;
