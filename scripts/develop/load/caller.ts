import { setTimeout } from "node:timers/promises";
import { CallError } from "../../client.ts";

/** The result of a call. */
export interface Answer {
  /** The HTTP status, or 0 if there was no response. */
  status: number;
  /** The name of the problem type of a rejected call, or why there was no response. */
  problem?: string;
  body: unknown;
}

export interface Caller {
  /** Sends a call once. Never throws: for a call without a response, returns the status 0. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  /**
   * Returns the body of a response. Repeats the call while the installation is busy, and throws a CallError if the call is
   * rejected.
   */
  obtain<Body>(method: string, path: string, body?: unknown): Promise<Body>;
  /** Returns the content of a path, or undefined if the response is 404. Repeats and throws like `obtain`. */
  find<Body>(path: string): Promise<Body | undefined>;
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

  /** Returns the first response that does not say that the installation is busy, or the response to the last attempt. */
  async function settle(method: string, path: string, body?: unknown): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(method, path, body);
      if (!BUSY.includes(answer.status) || attempt === MAX_ATTEMPTS) return answer;
      await setTimeout(RETRY_INTERVAL_MS);
    }
  }

  async function obtain<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    return bodyOf<Body>(await settle(method, path, body), `${method} ${origin}${path}`);
  }

  return {
    send,
    obtain,
    async find<Body>(path: string) {
      const answer = await settle("GET", path);
      return answer.status === 404 ? undefined : bodyOf<Body>(answer, `GET ${origin}${path}`);
    },
  };
}

function bodyOf<Body>({ status, problem, body }: Answer, call: string): Body {
  if (status >= 200 && status < 300) return body as Body;
  throw new CallError(`${call}: ${[status || "", problem, detailOf(body)].join(" ").trim()}`);
}

/** Returns a response by its status and text. A proxy's text, or the text of a response without content, is not JSON. */
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

/** Returns why fetch failed. The reason is only in the cause of its error. */
const silenceOf = ({ name, message, cause }: Error): string =>
  (cause as { code?: string } | undefined)?.code ?? (name === "TimeoutError" ? "no response in time" : message);

function detailOf(body: unknown): string {
  const { detail, errors = [] } = (body ?? {}) as { detail?: string; errors?: { pointer: string; detail: string }[] };
  return [detail ?? "", ...errors.map((fault) => `${fault.pointer} ${fault.detail}`)].join("; ");
}
