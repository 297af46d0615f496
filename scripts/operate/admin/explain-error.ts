import { ProblemError } from "../../../api/http/problem-error.ts";
import type { System } from "../../../queues/system.ts";
import { SettingsError } from "../../../schemas/environment.ts";
import { CallError } from "../../client.ts";
import { Refusal } from "./command.ts";

/**
 * Explains an error. A rejection takes one line, with a line for each fault. Any other error is printed with its stack.
 * `system` is given if the error may come from a database.
 */
export function explainError(error: unknown, system?: Pick<System, "databaseFault">): string {
  if (error instanceof ProblemError)
    return [error.message, ...(error.extra.errors ?? []).map(({ pointer, detail }) => `  ${pointer} ${detail}`)].join(
      "\n",
    );
  if (error instanceof Refusal || error instanceof SettingsError || error instanceof RangeError) return error.message;
  // A file that cannot be read. The message names it.
  if (error instanceof CallError || (error instanceof Error && "syscall" in error)) return error.message;
  const fault = system?.databaseFault(error);
  if (fault) return fault;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
