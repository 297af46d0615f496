import { MongoServerError } from "mongodb";
import { ProblemError } from "../../../api/http/problem-error.ts";
import { isOutOfSpace, outOfSpaceText } from "../../../records/mongodb/out-of-space.ts";
import { SettingsError } from "../../../schemas/environment.ts";
import { CallError } from "../../client.ts";
import { Refusal } from "./command.ts";

/** What Redis and MongoDB refuse, by their settings, with the cure where they are full; undefined for other errors. */
function refusedByDatabase(error: Error): string | undefined {
  if (error.name === "ReplyError" && error.message.startsWith("OOM "))
    return "REDIS_URL: Redis is full. Give it more memory: redis-cli CONFIG SET maxmemory, or a larger plan";
  if (isOutOfSpace(error)) return outOfSpaceText(error);
  return error instanceof MongoServerError ? `MONGODB_URL: MongoDB refused it: ${error.message}` : undefined;
}

/** What was refused is said in a line, with a line for each fault; what went wrong otherwise with where it did. */
export function explain(error: unknown): string {
  if (error instanceof ProblemError)
    return [error.message, ...(error.extra.errors ?? []).map(({ pointer, detail }) => `  ${pointer} ${detail}`)].join(
      "\n",
    );
  if (error instanceof Refusal || error instanceof SettingsError || error instanceof RangeError) return error.message;
  // A file that cannot be read: the message names it.
  if (error instanceof CallError || (error instanceof Error && "syscall" in error)) return error.message;
  const refused = error instanceof Error && refusedByDatabase(error);
  if (refused) return refused;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
