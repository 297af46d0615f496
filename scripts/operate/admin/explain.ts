import { ProblemError } from "../../../api/http/problem-error.ts";
import { SettingsError } from "../../../schemas/environment.ts";
import { CallError } from "../../client.ts";
import { Refusal } from "./command.ts";

/** What was refused is said in a line, with a line for each fault; what went wrong otherwise with where it did. */
export function explain(error: unknown): string {
  if (error instanceof ProblemError)
    return [error.message, ...(error.extra.errors ?? []).map(({ pointer, detail }) => `  ${pointer} ${detail}`)].join(
      "\n",
    );
  if (error instanceof Refusal || error instanceof SettingsError || error instanceof RangeError) return error.message;
  // A file that cannot be read: the message names it.
  if (error instanceof CallError || (error instanceof Error && "syscall" in error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
