import type { Server, ServerResponse } from "node:http";

const POLL_INTERVAL_MS = 100;

/**
 * Closes a server: it accepts no new connections, completes the calls in progress, and closes each connection after its response.
 * Node itself closes only idle connections, and a connection in steady use is never idle.
 */
export async function closeServer(server: Server): Promise<void> {
  server.prependListener("request", (_, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  // Closes the connections of calls in progress once they are idle: their responses may have promised to keep them open.
  const polling = setInterval(() => server.closeIdleConnections(), POLL_INTERVAL_MS);
  await closed;
  clearInterval(polling);
}
