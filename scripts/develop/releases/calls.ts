import { repeatUnavailable } from "../../repeat-unavailable.ts";
import { type Call, resultPath } from "./scenario.ts";

const MAX_ATTEMPTS = 120;

/** Makes calls to an API with a token, and collects the addresses of the accepted requests' results. */
export function callsWith(origin: string, token: string): { call: Call; results: string[] } {
  const results: string[] = [];
  const call: Call = async (method, path, body, headers) => {
    const isForm = body instanceof FormData;
    const send = async () => {
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(!isForm && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      });
      return { ok: answer.ok, status: answer.status, text: await answer.text() };
    };
    const { ok, status, text } = await repeatUnavailable(send, MAX_ATTEMPTS);
    if (!ok) throw new Error(`${method} ${path}: ${status} ${text}`);
    const parsed = text === "" ? undefined : JSON.parse(text);
    if (status === 202) results.push(resultPath(path, parsed.requestId));
    return parsed;
  };
  return { call, results };
}
