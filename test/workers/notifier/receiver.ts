import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A call that a receiver received. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of events on this machine; `answer` returns each call's status, and `headers` are the responses' headers. */
export async function openReceiver(
  answer: (received: Received) => number | Promise<number> = () => 204,
  headers: Record<string, string> = {},
) {
  const calls: Received[] = [];
  const server = createServer(async (request, response) => {
    const received = { headers: request.headers, body: await text(request) };
    calls.push(received);
    const status = await answer(received);
    response.writeHead(status, status === 302 ? { location: "/elsewhere" } : headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/events`,
    port,
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
