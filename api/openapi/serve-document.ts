import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import Router from "@koa/router";
import type { Context, Middleware } from "koa";
import { LRUCache } from "lru-cache";
import { entityTag } from "../http/entity-tag.ts";
import type { Route } from "../http/route.ts";
import { sendTagged } from "../http/write-answer.ts";
import { openApiDocument } from "./document.ts";

const require = createRequire(import.meta.url);
const { version } = require("../../package.json") as { version: string };

/** Assets of the page, all served from the package: the browser loads nothing from another host. */
const assets: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

/** The page may load its own assets and call the API of its own origin. */
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

/** `validatorUrl: null`: the validator's badge would be loaded from another host. */
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

const HOST_PATTERN = /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i;
const MAX_CACHED_ORIGINS = 100;

/** Serves the OpenAPI document and a page that shows it, without authentication: they hold no data of a tenant. */
export function documents(routes: readonly Route[]): Router {
  /** Documents by origin, each made at its first request. */
  const documentsByOrigin = new LRUCache<string, { text: string; tag: string }>({ max: MAX_CACHED_ORIGINS });
  const documentAt = (origin: string | undefined) => {
    const key = origin ?? "";
    const known = documentsByOrigin.get(key);
    if (known !== undefined) return known;
    const text = `${JSON.stringify(openApiDocument(routes, version, origin))}\n`;
    const document = { text, tag: entityTag(text) };
    documentsByOrigin.set(key, document);
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

/** Serves content that does not change while the process lives; it is read at the first request and cached. */
function serve(read: () => Promise<string | Buffer>, type: string): Middleware {
  let cached: Promise<{ body: string | Buffer; tag: string }> | undefined;
  return async (context) => {
    cached ??= read().then((body) => ({ body, tag: entityTag(body) }));
    const { body, tag } = await cached;
    context.set({ "content-security-policy": POLICY, "referrer-policy": "no-referrer" });
    answer(context, body, type, tag);
  };
}

function answer(context: Context, body: string | Buffer, type: string, tag: string): void {
  context.set("x-content-type-options", "nosniff");
  sendTagged(context, { status: 200, headers: {}, type, body }, tag);
}

/** The origin that the caller used, from Host and X-Forwarded-Proto; undefined where Host is not a plain host name. */
function originOf(context: Context): string | undefined {
  const isSecure = context.secure || context.get("x-forwarded-proto").split(",", 1)[0]?.trim() === "https";
  const { host } = context;
  return HOST_PATTERN.test(host) ? `${isSecure ? "https" : "http"}://${host}` : undefined;
}
