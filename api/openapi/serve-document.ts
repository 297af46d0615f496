import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import Router from "@koa/router";
import type { Context, Middleware } from "koa";
import { LRUCache } from "lru-cache";
import { entityTag, isKnown } from "../http/entity-tag.ts";
import type { Route } from "../http/route.ts";
import { openApiDocument } from "./document.ts";

const require = createRequire(import.meta.url);
const { version } = require("../../package.json") as { version: string };

/** What the page needs, all from the package: nothing is asked of another host. */
const assets: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

/** The page may use what it came with, and call the API that it came from. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shelfwire: the interface</title>
<link rel="icon" href="/api/docs/favicon-32x32.png">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="interface"></div>
<noscript>This page draws <a href="/api/openapi.json">openapi.json</a> with JavaScript.</noscript>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/page.js"></script>
</body>
</html>
`;

/** Without a validator's badge: that would be asked of another host. */
const script = `SwaggerUIBundle({
  url: "/api/openapi.json",
  domNode: document.getElementById("interface"),
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayOperationId: true,
  validatorUrl: null,
});
`;

const SAID = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;
const ORIGINS = 100;

/** The OpenAPI document, and a page that shows it. Both are for everybody: what they tell is no secret. */
export function documents(routes: readonly Route[]): Router {
  /** Made when it is first asked for; once for each name that callers know this Shelfwire by. */
  const made = new LRUCache<string, { text: string; tag: string }>({ max: ORIGINS });
  const documentAt = (origin: string | undefined) => {
    const key = origin ?? "";
    const known = made.get(key);
    if (known !== undefined) return known;
    const text = `${JSON.stringify(openApiDocument(routes, version, origin))}\n`;
    const document = { text, tag: entityTag(text) };
    made.set(key, document);
    return document;
  };

  const serveDocument: Middleware = async (context) => {
    const { text, tag } = documentAt(originOf(context));
    answer(context, text, "application/json", tag);
  };

  const router = new Router();
  router.get("/api/openapi.json", serveDocument as never);
  router.get("/api/docs", serve(async () => page, "text/html; charset=utf-8") as never);
  router.get("/api/docs/page.js", serve(async () => script, "text/javascript; charset=utf-8") as never);
  for (const [name, type] of Object.entries(assets)) {
    const read = () => readFile(require.resolve(`swagger-ui-dist/${name}`));
    router.get(`/api/docs/${name}`, serve(read, type) as never);
  }
  return router;
}

/** Serves what does not change while the process lives; it is read when it is first asked for, and kept. */
function serve(read: () => Promise<string | Buffer>, type: string): Middleware {
  let kept: Promise<{ body: string | Buffer; tag: string }> | undefined;
  return async (context) => {
    kept ??= read().then((body) => ({ body, tag: entityTag(body) }));
    const { body, tag } = await kept;
    context.set({ "content-security-policy": POLICY, "referrer-policy": "no-referrer" });
    answer(context, body, type, tag);
  };
}

function answer(context: Context, body: string | Buffer, type: string, tag: string): void {
  context.status = 200;
  context.set({ etag: tag, "cache-control": "no-cache", "x-content-type-options": "nosniff" });
  // Koa's own `fresh` says no where the caller sends `Cache-Control: no-cache` as well, as fetch does.
  if (isKnown(context.get("if-none-match"), tag)) {
    context.status = 304;
    return;
  }
  context.type = type;
  context.body = body;
}

/** The address that the caller used, as far as the request tells; a platform's router says when it was https. */
function originOf(context: Context): string | undefined {
  const isSecure = context.secure || context.get("x-forwarded-proto").split(",", 1)[0]?.trim() === "https";
  const { host } = context;
  return SAID.test(host) ? `${isSecure ? "https" : "http"}://${host}` : undefined;
}
