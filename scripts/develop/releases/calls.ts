import { type Call, resultPath } from "./scenario.ts";

/** Makes calls to an API with a token, and collects the addresses of the accepted requests' results. */
export function callsWith(origin: string, token: string): { call: Call; results: string[] } {
  const results: string[] = [];
  const call: Call = async (method, path, body, headers) => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(!isForm && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    const parsed = text === "" ? undefined : JSON.parse(text);
    if (answer.status === 202) results.push(resultPath(path, parsed.requestId));
    return parsed;
  };
  return { call, results };
}
