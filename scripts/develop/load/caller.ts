import { setTimeout } from "node:timers/promises";
import { CallError } from "../../client.ts";

/** What became of a call. */
export interface Answer {
  /** The HTTP status; 0 if there was no answer. */
  status: number;
  /** Of a refusal: the name of its problem type, or why there was no answer. */
  problem?: string;
  body: unknown;
}

export interface Caller {
  /** Sends a call once. Never throws: a call without an answer has the status 0. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Returns the body of an answer; repeats the call while the installation is busy, and throws a CallError if it is refused. */
  obtain<Body>(method: string, path: string, body?: unknown): Promise<Body>;
}

const ANSWER_TIMEOUT_MS = 60_000;
const MAX_ATTEMPTS = 60;
const RETRY_INTERVAL_MS = 1_000;
const BUSY = [0, 429, 503];

/** Calls an installation with a token. */
export function createCaller(origin: string, token: string): Caller {
  async function send(method: string, path: string, body?: unknown): Promise<Answer> {
    try {
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      });
      return answerOf(answer.status, await answer.text());
    } catch (error) {
      return { status: 0, problem: silenceOf(error as Error), body: undefined };
    }
  }

  return {
    send,
    async obtain<Body>(method: string, path: string, body?: unknown) {
      for (let attempt = 1; ; attempt += 1) {
        const { status, problem, body: found } = await send(method, path, body);
        if (status >= 200 && status < 300) return found as Body;
        if (!BUSY.includes(status) || attempt === MAX_ATTEMPTS)
          throw new CallError(
            `${method} ${origin}${path}: ${[status || "", problem, detailOf(found)].join(" ").trim()}`,
          );
        await setTimeout(RETRY_INTERVAL_MS);
      }
    },
  };
}

/** An answer by its status and text; the text of a proxy or of a call without content is not JSON. */
export function answerOf(status: number, text: string): Answer {
  const body = jsonOf(text);
  if (status < 400) return { status, body };
  const { type } = (body ?? {}) as { type?: unknown };
  return {
    status,
    problem: typeof type === "string" ? type.slice(type.lastIndexOf("/") + 1) : "no problem document",
    body,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** fetch gives the reason for a failure only in the cause of its error. */
const silenceOf = ({ name, message, cause }: Error): string =>
  (cause as { code?: string } | undefined)?.code ?? (name === "TimeoutError" ? "no answer in time" : message);

function detailOf(body: unknown): string {
  const { detail, errors = [] } = (body ?? {}) as { detail?: string; errors?: { pointer: string; detail: string }[] };
  return [detail ?? "", ...errors.map((fault) => `${fault.pointer} ${fault.detail}`)].join("; ");
}
