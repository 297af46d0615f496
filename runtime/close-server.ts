import type { Server, ServerResponse } from "node:http";

const POLL_INTERVAL_MS = 100;

/**
 * Ends a server: it takes no connection any more, answers the calls under way, and ends each connection with its answer.
 * Node alone ends idle connections only, and one that is kept busy is never idle.
 */
export async function closeServer(server: Server): Promise<void> {
  server.prependListener("request", (_, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  // Those of calls under way, whose answers may have promised to keep them.
  const polling = setInterval(() => server.closeIdleConnections(), POLL_INTERVAL_MS);
  await closed;
  clearInterval(polling);
}
