import type { Context, Middleware } from "koa";
import type { Logger } from "pino";
import { mongoOutageOf, outageTexts } from "../../queues/outage.ts";
import { TurnsFullError } from "../../runtime/thread/owner-turns.ts";
import { ThreadError } from "../../runtime/thread/thread.ts";
import type { Fault, Problem } from "../../schemas/problem.ts";
import { ProblemError } from "../http/problem-error.ts";
import { problems } from "../http/problem-kinds.ts";
import { bodyTooLarge } from "./read-json.ts";

const RETRY_AFTER = { "retry-after": "5" };

/** Turns every error into a problem document (RFC 9457), never with a stack trace. No other code responds to errors. */
export function answerProblems(log: Logger, onUnavailable: (error: Error) => void): Middleware {
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      const problem = problemOf(error);
      if (problem.problem === "internal-error") log.error({ error }, "a request failed");
      if (mongoOutageOf(error) !== undefined) onUnavailable(error as Error);
      answer(context, problem, error as Error);
    }
  };
}

function answer(context: Context, refusal: ProblemError, error: Error): void {
  const { problem, message, extra, notice } = refusal;
  const { status, title } = problems[problem];
  context.status = status;
  context.set({ ...extra.headers });
  const showProblemsAsPages = context.state.problemPage as ((problem: ProblemError, error: Error) => void) | undefined;
  if (showProblemsAsPages) {
    showProblemsAsPages(refusal, error);
    return;
  }
  const body: Problem = {
    type: `/problems/${problem}`,
    title,
    status,
    detail: withFirstFault(message, extra.errors ?? []),
    instance: `/requests/${context.state.callId}`,
    ...(extra.errors && { errors: [...extra.errors] }),
    ...(notice && { notice }),
  };
  context.type = "application/problem+json";
  context.body = JSON.stringify(body);
}

/** Names the first fault and the number of others, for clients that show or log only the detail. */
function withFirstFault(message: string, [first, ...more]: readonly Fault[]): string {
  if (first === undefined) return message;
  const fault = `${first.pointer || "it"} ${first.detail}`;
  return `${message.replace(/\.$/, "")}: ${fault}${more.length === 0 ? "" : ` (and ${more.length} more)`}.`;
}

/** Maps library errors to Shelfwire's. */
function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const { status, limit, code, type } = error as { status?: number; limit?: number; code?: string; type?: string };
  // Must precede the check for an outage, because an aborted request has the code of a broken connection (ECONNABORTED).
  if (type === "request.aborted") return new ProblemError("malformed-body", "The body ended prematurely.");
  const outage = mongoOutageOf(error);
  if (outage !== undefined) {
    return new ProblemError("unavailable", `${outageTexts[outage]} Nothing was changed; send the request again.`, {
      headers: RETRY_AFTER,
      outage,
    });
  }
  if (error instanceof TurnsFullError) {
    return error.isOfOwner
      ? new ProblemError(
          "too-much-waiting",
          "Too many checks and trials of the tenant are waiting. Send the request again.",
          {
            headers: RETRY_AFTER,
          },
        )
      : new ProblemError("busy", "Too many checks and trials are waiting. Send the request again.", {
          headers: RETRY_AFTER,
        });
  }
  if (error instanceof ThreadError)
    return new ProblemError("busy", `The request was aborted: ${error.message}. Nothing was changed.`, {
      headers: RETRY_AFTER,
    });
  if (status === 413) return bodyTooLarge(limit ?? 0);
  if (code?.startsWith("Z_") || code?.startsWith("ERR__ERROR"))
    return new ProblemError("malformed-body", "The body cannot be decompressed.");
  if (status === 415)
    return new ProblemError("unsupported-media-type", "The body's charset or encoding is not supported.");
  if (status === 400) return new ProblemError("malformed-body", `The body cannot be read: ${(error as Error).message}`);
  return new ProblemError("internal-error", "An internal fault occurred; it is logged under the id of the request.");
}
