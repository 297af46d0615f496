import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Call {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * How the front answers a call in the label server's place: "held" calls are passed on when they are released, and a call that
 * "hangs up" ends without a response.
 */
type Reply = { status: number; headers?: Record<string, string> } | "held" | "hangs up" | undefined;

/** A proxy between Shelfwire and its label server: it sees every call, and may answer it. */
export interface LabelServerFront {
  url: string;
  calls: readonly Call[];
  /**
   * The calls since the first `from` calls, without repetitions. If a busy machine delays the response by seconds, the same
   * order arrives again, with the same key.
   */
  orders(from?: number): Call[];
  /** Number of held calls whose callers have hung up since all calls were last released. */
  abandoned(): number;
  /** Sets the function that decides each call from now on. */
  answer(decide: (call: Call) => Reply): void;
  /** Releases the call that has been held longest. */
  releaseOne(): void;
  /** Passes on held calls and later ones. */
  release(): void;
  close(): Promise<void>;
}

export async function openFront(labelServerUrl: string): Promise<LabelServerFront> {
  const calls: Call[] = [];
  let decide: (call: Call) => Reply = () => undefined;
  const held: (() => void)[] = [];
  let abandoned = 0;

  const keyOf = ({ headers }: Call) => headers["idempotency-key"];
  const isFirst = (call: Call, index: number) =>
    keyOf(call) === undefined || calls.findIndex((earlier) => keyOf(earlier) === keyOf(call)) === index;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method = "", url = "", headers } = request;
    const call = { method, path: url, headers, body: Buffer.concat(parts) };
    calls.push(call);
    const reply = decide(call);
    if (typeof reply === "object") {
      response.writeHead(reply.status, reply.headers).end();
      return;
    }
    if (reply === "hangs up") {
      request.socket.destroy();
      return;
    }
    if (reply === "held") {
      const abandon = () => {
        abandoned += 1;
      };
      response.once("close", abandon);
      await new Promise<void>((go) => held.push(go));
      response.off("close", abandon);
    }
    const { connection: _, "content-length": __, ...rest } = headers as Record<string, string>;
    const answer = await fetch(`${labelServerUrl}${url}`, { method, headers: rest, body: call.body });
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  }

  const server = createServer((request, response) => {
    // If the caller or the label server has gone, for example at the end of a test, the call ends without a response.
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    orders: (from = 0) => calls.filter((call, index) => index >= from && isFirst(call, index)),
    abandoned: () => abandoned,
    answer(next) {
      decide = next;
    },
    releaseOne: () => held.shift()?.(),
    release() {
      decide = () => undefined;
      abandoned = 0;
      for (const go of held.splice(0)) go();
    },
    async close() {
      for (const go of held.splice(0)) go();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
