import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";

/** Time limits for a connection in milliseconds, so that a slow caller cannot occupy the server. */
export interface ServerLimits {
  /** Until a request's headers are complete. */
  headers: number;
  /** Until a whole request with its body is complete. */
  request: number;
  /** Without a byte in either direction; longer than any operation takes to respond. */
  idle: number;
  /**
   * Between two requests; longer than load balancers keep a connection, since they would otherwise send on a connection
   * that is closing.
   */
  keepAlive: number;
  /** For draining the rest of a request body after the response has been sent. */
  drain: number;
  /** Between two checks of `headers` and `request`. */
  checkInterval: number;
}

export const serverLimits: ServerLimits = {
  headers: 20_000,
  request: 120_000,
  idle: 120_000,
  keepAlive: 95_000,
  drain: 2_000,
  checkInterval: 5_000,
};

/**
 * Size of the request line, whose query may contain thousands of barcodes, and of the headers, which `checkHeaders`
 * limits further.
 */
export const MAX_HEAD_BYTES = 256 * 2 ** 10;
/** Maximum number of headers; a call with more is rejected before the rest is read. */
export const MAX_HEADER_COUNT = 1_000;

/** Opens an HTTP server whose connections have time limits. Node's parser itself rejects malformed framing. */
export function openServer(listener: RequestListener, limits: ServerLimits): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: limits.headers,
      requestTimeout: limits.request,
      keepAliveTimeout: limits.keepAlive,
      connectionsCheckingInterval: limits.checkInterval,
    },
    (request, response) => {
      response.once("finish", () => drainRequest(request, limits.drain));
      listener(request, response);
    },
  );
  server.maxHeadersCount = MAX_HEADER_COUNT;
  server.setTimeout(limits.idle);
  return server;
}

/**
 * Discards the rest of a body after the response has been sent, because many clients read an early refusal only after
 * sending the whole body. The connection is closed once the time is up, so that a large body is not read to its end.
 */
function drainRequest(request: IncomingMessage, timeoutMs: number): void {
  if (request.complete) return;
  request.unpipe();
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), timeoutMs);
  request.once("close", () => clearTimeout(timer));
}
