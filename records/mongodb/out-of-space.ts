import { MongoServerError } from "mongodb";
import { codesOf } from "./retryable-codes.ts";

const OUT_OF_DISK_SPACE = 14_031;
/** Of a hosted database, for whatever its plan does not allow; the message says what. */
const PLAN_ERROR = 8_000;

/**
 * Whether the database refused a write because it has no room left. What waits for room is done once there is some, so that
 * nothing counts as failed.
 */
export const isOutOfSpace = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError &&
  codesOf(error).some(
    (code) => code === OUT_OF_DISK_SPACE || (code === PLAN_ERROR && /space quota/i.test(error.message)),
  );

/** What an operator reads of it: the setting, the reason and the cure. */
export const outOfSpaceText = ({ message }: MongoServerError): string =>
  `MONGODB_URL: MongoDB is full: ${message}. Give it more space, or a larger plan`;
