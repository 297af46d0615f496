import { setTimeout } from "node:timers/promises";
import { type Call, resultPath } from "./scenario.ts";

const UNAVAILABLE = 503;
const MAX_ATTEMPTS = 120;
const RETRY_INTERVAL_MS = 1_000;

/** Makes calls to an API with a token, and collects the addresses of the accepted requests' results. */
export function callsWith(origin: string, token: string): { call: Call; results: string[] } {
  const results: string[] = [];
  const call: Call = async (method, path, body, headers) => {
    const isForm = body instanceof FormData;
    const send = () =>
      fetch(`${origin}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(!isForm && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      });
    let answer = await send();
    // A busy machine may delay the database by seconds. A call that receives this response has changed nothing.
    for (let attempt = 1; answer.status === UNAVAILABLE && attempt < MAX_ATTEMPTS; attempt += 1) {
      await answer.text();
      await setTimeout(RETRY_INTERVAL_MS);
      answer = await send();
    }
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    const parsed = text === "" ? undefined : JSON.parse(text);
    if (answer.status === 202) results.push(resultPath(path, parsed.requestId));
    return parsed;
  };
  return { call, results };
}
