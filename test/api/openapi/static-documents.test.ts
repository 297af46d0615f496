import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import test from "ava";
import Koa from "koa";
import { zlibPackers } from "../../../api/http/answers/static-answer.ts";
import { compress } from "../../../api/middleware/compress.ts";
import { openApiDocument } from "../../../api/openapi/document.ts";
import { documents } from "../../../api/openapi/serve-document.ts";

const PATHS = ["/api/openapi.json", "/api/docs/swagger-ui.css", "/api/docs/swagger-ui-bundle.js"];

const done = { made: 0, br: 0, gzip: 0 };
const makeDocument: typeof openApiDocument = (...order) => {
  done.made += 1;
  return openApiDocument(...order);
};
const packers = {
  br: (bytes: Buffer) => {
    done.br += 1;
    return zlibPackers.br(bytes);
  },
  gzip: (bytes: Buffer) => {
    done.gzip += 1;
    return zlibPackers.gzip(bytes);
  },
};

let port: number;
test.before((t) => {
  const app = new Koa();
  app.use(compress());
  app.use(documents([], "", makeDocument, packers).routes());
  const server = createServer(app.callback()).listen(0);
  port = (server.address() as AddressInfo).port;
  t.context = server;
});
test.after.always((t) => {
  const server = t.context as ReturnType<typeof createServer>;
  server.closeAllConnections();
  server.close();
});

/** Returns the response as sent, which `fetch` would decompress. */
const ask = (path: string, headers: Record<string, string>) =>
  new Promise<IncomingMessage & { bytes: Buffer }>((resolve, reject) => {
    get({ port, path, headers, agent: false }, async (answer) =>
      resolve(Object.assign(answer, { bytes: await buffer(answer) })),
    ).on("error", reject);
  });

test.serial(
  "the document is built once and compressed once per encoding, however many hosts request it concurrently",
  async (t) => {
    const hosts = Array.from({ length: 40 }, (_, index) => `store-${index}.example.com`);
    await Promise.all(hosts.map((host) => ask("/api/openapi.json", { host, "accept-encoding": "gzip" })));
    for (const host of hosts) await ask("/api/openapi.json", { host, "accept-encoding": "br" });
    t.deepEqual(done, { made: 1, br: 1, gzip: 1 });
  },
);

for (const path of PATHS) {
  test.serial(`${path} is compressed once per encoding; each form has its own strong tag and a 304`, async (t) => {
    const tags = new Set<string>();
    let plain: Buffer | undefined;
    for (const [encoding, unpack] of [
      ["identity", (bytes: Buffer) => bytes],
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const before = { ...done };
      const headers = { "accept-encoding": encoding };
      const first = await ask(path, headers);
      t.is(first.headers["content-encoding"], encoding === "identity" ? undefined : encoding);
      plain ??= first.bytes;
      // Compared without `deepEqual`, which takes seconds for megabytes.
      t.true(unpack(first.bytes).equals(plain), encoding);
      t.is(first.headers.vary, "Accept-Encoding");
      const { etag = "" } = first.headers;
      t.regex(etag, /^"[\w-]{43}"$/);
      tags.add(etag);
      const again = await ask(path, { ...headers, "if-none-match": etag });
      t.is(again.statusCode, 304);
      t.is(again.bytes.length, 0);
      await ask(path, headers);
      t.true(done.br + done.gzip <= before.br + before.gzip + 1);
    }
    t.is(tags.size, 3);
  });
}

test.serial("a picture is not compressed", async (t) => {
  const { headers } = await ask("/api/docs/favicon-32x32.png", { "accept-encoding": "br" });
  t.is(headers["content-encoding"], undefined);
});
