import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { ExecutionContext } from "ava";
import { historyNotice, reasonBy } from "../../../schemas/history-notice.ts";
import { httpLabelServer } from "../../../workers/transmitter/drivers/http.ts";
import type { Answer, OnCall, PageToSend } from "../../../workers/transmitter/drivers/label-server.ts";
import { STUCK_AFTER_MS } from "../../harness/eventually.ts";
import { KEEP_ALIVE_MS } from "../../harness/patience.ts";

/** No call times out, even if the thread that runs the label server and the driver is blocked. */
const times = { timeoutMs: STUCK_AFTER_MS, totalMs: STUCK_AFTER_MS };
const patient = { pages: { ...times, retryAfterMs: 3_000 }, orders: { ...times, retryAfterMs: 1_000 } };

export interface Call {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** How a label server answers a call; "hangs up" closes the connection without a response. */
export type Reply = { status: number; headers?: Record<string, string>; body?: string } | "hangs up";

export const SECRET = "secret of the tests";

interface Options {
  path?: string;
  clock?: () => number;
  onCall?: OnCall;
  secrets?: [string, ...string[]];
}

/** Starts a real HTTP server on a free port that sends these responses, and a driver for it. Both end with the test. */
export async function serve(
  t: ExecutionContext,
  reply: (call: Call) => Reply,
  { path = "", clock = () => 0, onCall, secrets = [SECRET] }: Options = {},
) {
  const calls: Call[] = [];
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    const call = { method, path: url, headers, body: Buffer.concat(chunks) };
    calls.push(call);
    const said = reply(call);
    if (said === "hangs up") request.socket.destroy();
    else response.writeHead(said.status, said.headers).end(said.body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}${path}`;
  const driver = httpLabelServer(url, secrets, 2, clock, onCall, { ...patient, random: () => 0 });
  const stop = () => new Promise<void>((closed) => server.close(() => closed()).closeAllConnections());
  t.teardown(async () => {
    await driver.close();
    await stop();
  });
  return { url, calls, driver, stop };
}

export const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]);

export const page: PageToSend = {
  store: "t/demo/s/main",
  barcode: "A4123456789012345",
  page: 0,
  number: 7,
  content: { png },
  priority: "normal",
  transceivers: [],
};

/** The driver's answer to a final status. */
export const refused = (status: number): Answer => ({
  kind: "refused",
  ...reasonBy(historyNotice("SERVER_ANSWERED", { status })),
});
