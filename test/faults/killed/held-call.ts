import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";

const UNAVAILABLE = 503;

/**
 * Starts a PATCH: the server has received its head and is waiting for its body. `finish` sends the body and returns the
 * request's id. Returns undefined if the server responds with 503 because the database is too slow; in that case nothing was
 * changed.
 */
export async function beginCall(
  url: string,
  token: string,
  body: string,
): Promise<{ finish(): Promise<number | undefined> }> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    expect: "100-continue",
  };
  const call = request(url, { method: "PATCH", headers });
  call.flushHeaders();
  await once(call, "continue");
  return {
    async finish() {
      call.end(body);
      const [answer] = (await once(call, "response")) as [IncomingMessage];
      if (answer.statusCode === UNAVAILABLE) return void answer.resume();
      return ((await json(answer)) as { requestId: number }).requestId;
    },
  };
}
