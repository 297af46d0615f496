import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";

/** How long callers may take, in milliseconds: one that is slow on purpose must not hold what others need. */
export interface ServerLimits {
  /** For a request's headers. */
  headers: number;
  /** For a whole request, its body too. */
  request: number;
  /** During which nothing moves in either direction; longer than any operation thinks. */
  idle: number;
  /** To send what is left of a body whose call is answered already. */
  rest: number;
  /** How often the first two are looked at. */
  lookEvery: number;
}

export const serverLimits: ServerLimits = {
  headers: 20_000,
  request: 120_000,
  idle: 120_000,
  rest: 2_000,
  lookEvery: 5_000,
};

/** The address is among them, and a filter may name some thousand barcodes. */
const HEADERS_BYTES = 256 * 2 ** 10;

/** An HTTP server whose connections are bounded in time. What is odd about a request's framing, Node refuses itself. */
export function openServer(listener: RequestListener, limits: ServerLimits): Server {
  const server = createServer(
    {
      maxHeaderSize: HEADERS_BYTES,
      headersTimeout: limits.headers,
      requestTimeout: limits.request,
      connectionsCheckingInterval: limits.lookEvery,
    },
    (request, response) => {
      response.once("finish", () => readAway(request, limits.rest));
      listener(request, response);
    },
  );
  server.setTimeout(limits.idle);
  return server;
}

/**
 * A caller hears of a refusal only if what it still sends is read; nobody has to read gigabytes for it, though: after a
 * moment the connection is ended.
 */
function readAway(request: IncomingMessage, milliseconds: number): void {
  if (request.complete) return;
  request.unpipe();
  request.resume();
  const late = setTimeout(() => request.socket.destroy(), milliseconds);
  request.once("close", () => clearTimeout(late));
}
