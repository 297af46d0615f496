/** A limit: what is limited, its value, and what happens beyond it. */
export type Bound = readonly [what: string, most: string, beyond: string];

export const INVALID = "400 `invalid-request`";
export const MALFORMED = "400 `malformed-body`";
export const TOO_LARGE = "413 `body-too-large`";
export const TOO_MANY_CALLS = "429 `too-many-requests`, `Retry-After`";
export const TOO_MUCH_WAITS = "429 `too-much-waiting`, `Retry-After`";
export const BUSY = "503 `busy`, `Retry-After`";
export const REMOVE_FIRST = "409 `conflict`: one must be removed first";
