import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";

const UNAVAILABLE = 503;
/** The errors of a connection that the server has closed. */
const CUT_OFF: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE"]);

/**
 * Starts a PATCH: the server has received its head and is waiting for its body. `finish` sends the body and returns the
 * request's id. Returns "unavailable" if the server responds with 503 because the database is too slow; in that case nothing was
 * changed. Returns "cut off" if the server has ended without a response, which it does if the call is finished too late.
 */
export async function beginCall(
  url: string,
  token: string,
  body: string,
): Promise<{ finish(): Promise<number | "unavailable" | "cut off"> }> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    expect: "100-continue",
  };
  const call = request(url, { method: "PATCH", headers });
  call.flushHeaders();
  await once(call, "continue");
  const outcome = outcomeOf(call);
  // The server may end before the body is sent; the outcome says so.
  call.on("error", () => {});
  return {
    finish() {
      call.end(body);
      return outcome;
    },
  };
}

async function outcomeOf(call: ClientRequest): Promise<number | "unavailable" | "cut off"> {
  try {
    const [answer] = (await once(call, "response")) as [IncomingMessage];
    if (answer.statusCode !== UNAVAILABLE) return ((await json(answer)) as { requestId: number }).requestId;
    answer.resume();
    return "unavailable";
  } catch (error) {
    if (CUT_OFF.has((error as NodeJS.ErrnoException).code)) return "cut off";
    throw error;
  }
}
