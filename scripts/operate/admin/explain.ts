import { MongoServerError } from "mongodb";
import { ProblemError } from "../../../api/http/problem-error.ts";
import { SettingsError } from "../../../schemas/environment.ts";
import { CallError } from "../../client.ts";
import { Refusal } from "./command.ts";

/** The code of MongoDB where its disk is full. */
const OUT_OF_DISK_SPACE = 14_031;

/** What Redis and MongoDB refuse, by their settings, with the cure where they are full; undefined for other errors. */
function refusedByDatabase(error: Error): string | undefined {
  if (error.name === "ReplyError" && error.message.startsWith("OOM "))
    return "REDIS_URL: Redis is full. Give it more memory: redis-cli CONFIG SET maxmemory, or a larger plan";
  if (!(error instanceof MongoServerError)) return undefined;
  const isFull = error.code === OUT_OF_DISK_SPACE || /space quota|disk/i.test(error.message);
  return `MONGODB_URL: MongoDB refused it: ${error.message}${isFull ? ". Give it more space, or a larger plan" : ""}`;
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
