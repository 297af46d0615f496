import { type Setting, seconds } from "./setting.ts";

/** How long people stay logged in to the pages. */
export const sessions = {
  SESSION_IDLE: {
    schema: seconds,
    initial: 28_800,
    means: "Number of seconds without a call after which a session of the pages ends",
  },
  SESSION_LIFETIME: {
    schema: seconds,
    initial: 604_800,
    means:
      "Number of seconds after which a session of the pages ends in any case; a session that began with a token ends with the token",
  },
} as const satisfies Record<string, Setting>;
