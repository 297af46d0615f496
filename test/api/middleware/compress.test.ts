import { randomBytes } from "node:crypto";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import test, { type ExecutionContext } from "ava";
import Koa, { type Middleware } from "koa";
import { compress } from "../../../api/middleware/compress.ts";
import { eventually } from "../../harness/eventually.ts";

/** Starts a server that responds with this body; returns its address. */
function serve(t: ExecutionContext, answer: Middleware): string {
  const app = new Koa();
  app.silent = true;
  app.use(compress());
  app.use(answer);
  const server = createServer(app.callback()).listen(0);
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Returns the response as sent, which `fetch` would decompress. */
const ask = (url: string, encodings?: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { ...(encodings !== undefined && { "accept-encoding": encodings }) } }, resolve).on(
      "error",
      reject,
    );
  });

const LONG = JSON.stringify(Array.from({ length: 500 }, (_, index) => ({ itemId: `item-${index}` })));
const json =
  (text: string | Buffer | Readable, more: Record<string, string> = {}): Middleware =>
  (context) => {
    context.type = "application/json";
    context.set(more);
    context.body = text;
  };
const list = () => Readable.from([LONG.slice(0, 3_000), LONG.slice(3_000)]);

for (const [accepted, encoding] of [
  ["gzip", "gzip"],
  ["br", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["br;q=0.1, gzip", "gzip"],
  ["*", "gzip"],
  ["deflate", undefined],
  ["zstd", undefined],
  ["identity", undefined],
  ["gzip;q=0", undefined],
  ["snappy", undefined],
  ["*;q=0", undefined],
  ["identity;q=0", undefined],
  [undefined, undefined],
] as const) {
  for (const [kind, make] of [
    ["text", () => LONG],
    ["list", list],
  ] as const) {
    test(`a caller that accepts ${accepted} receives a long ${kind} as ${encoding ?? "it is"}`, async (t) => {
      const answer = await ask(
        serve(t, (context, next) => json(make())(context, next)),
        accepted,
      );
      t.is(answer.statusCode, 200);
      t.is(answer.headers["content-encoding"], encoding);
      t.is(answer.headers.vary, "Accept-Encoding");
      const bytes = await buffer(answer);
      const plain = encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes;
      t.is(plain.toString(), LONG);
    });
  }
}

test("tiny responses and pictures are not compressed", async (t) => {
  const tiny = await ask(serve(t, json('{"requestId":1}')), "gzip");
  t.is(tiny.headers["content-encoding"], undefined);
  t.is(tiny.headers["content-length"], "15");
  const picture: Middleware = (context) => {
    context.type = "image/png";
    context.body = randomBytes(5_000);
  };
  t.is((await ask(serve(t, picture), "gzip")).headers["content-encoding"], undefined);
});

test("the tag of a compressed response is weak", async (t) => {
  const url = serve(t, json(LONG, { etag: '"abc"' }));
  t.is((await ask(url, "gzip")).headers.etag, 'W/"abc"');
  t.is((await ask(url)).headers.etag, '"abc"');
});

test("a list that fails midway ends the response, compressed or not", async (t) => {
  async function* broken() {
    yield LONG;
    throw new Error("the database is gone");
  }
  for (const accepted of ["gzip", "br", undefined]) {
    const url = serve(t, (context, next) => json(Readable.from(broken()))(context, next));
    await t.throwsAsync(ask(url, accepted).then(buffer), { code: "ECONNRESET" });
  }
});

test("a list is compressed no faster than it is read, and ends when the reader disconnects", async (t) => {
  const page = randomBytes(2 ** 20).toString("base64");
  const pages = 400;
  let made = 0;
  let isOver = false;
  async function* endless() {
    try {
      for (; made < pages; made += 1) yield page;
    } finally {
      isOver = true;
    }
  }
  const answer = await ask(
    serve(t, (context, next) => json(Readable.from(endless()))(context, next)),
    "gzip",
  );
  answer.pause();
  let last = -1;
  await eventually("no more of the list is made", async () => {
    const isStill = made === last;
    last = made;
    return isStill && made > 0;
  });
  t.true(made < pages / 4, `${made} pages were made for a caller that reads none`);
  answer.destroy();
  t.true(await eventually("the list has ended", async () => isOver));
});
