/** The states by which pages count labels, most urgent first. */
export const states = ["ERROR", "OFFLINE", "PENDING", "UNKNOWN", "OK", "NEW"] as const;
export type ShownState = (typeof states)[number];

/**
 * For each cause of what a label shows, the state that the shop's staff see. A label waiting for something that will not
 * resolve by itself needs help, even if its picture is only being sent.
 */
export const stateOfCause = {
  STAGE_FAILS: "ERROR",
  REDIS_AWAY: "ERROR",
  REDIS_FULL: "ERROR",
  PROCESS_MISSING: "ERROR",
  GATEWAY_OFFLINE: "ERROR",
  LABEL_SERVER_AWAY: "ERROR",
  LABEL_SERVER_DENIES: "ERROR",
  LABEL_OFFLINE: "OFFLINE",
  GIVEN_UP: "ERROR",
  REQUEST_WAITS: "PENDING",
  STAGE_WAITS: "PENDING",
  ON_ITS_WAY: "PENDING",
  PICTURE_FAULT: "ERROR",
  LINK_SWITCHED_OFF: "NEW",
  ITEM_MISSING: "NEW",
  NOT_LINKED: "NEW",
  LABEL_QUIET: "UNKNOWN",
  UP_TO_DATE: "OK",
} as const satisfies Record<string, ShownState>;
export type ShownCause = keyof typeof stateOfCause;

const behind: readonly ShownCause[] = [
  "STAGE_FAILS",
  "REDIS_AWAY",
  "REDIS_FULL",
  "PROCESS_MISSING",
  "GATEWAY_OFFLINE",
  "LABEL_SERVER_AWAY",
  "LABEL_SERVER_DENIES",
  "GIVEN_UP",
  "REQUEST_WAITS",
  "STAGE_WAITS",
  "ON_ITS_WAY",
];

/** Whether a label with this cause may show a picture older than the newest. */
export const isBehind = (cause: ShownCause): boolean => behind.includes(cause);
