import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import Router from "@koa/router";
import { type Packers, staticAnswer } from "../http/answers/static-answer.ts";
import { ownOriginPolicy } from "../http/own-origin-policy.ts";
import type { Route } from "../http/route.ts";
import { READABLE, script } from "./accessible-page.ts";
import { asyncApiDocument } from "./derived/asyncapi-document.ts";
import { type ClientInterface, clientDocument } from "./derived/client-document.ts";
import { openApiDocument } from "./document.ts";

const require = createRequire(import.meta.url);
const { version } = require("../../package.json") as { version: string };

/** The page's assets, all served from the package, so that the browser loads nothing from another host. */
const assets: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

/** The page may load its own assets and call the API of its own origin. */
const POLICY = ownOriginPolicy();

/** Addresses are relative to the page's own, so that they are correct under any path of a proxy. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shelfwire: the interface</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<main id="interface"></main>
<noscript>This page displays <a href="openapi.json">openapi.json</a> and requires JavaScript.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>
</body>
</html>
`;

/**
 * Serves the OpenAPI document, its parts for client generators, the topics as an AsyncAPI document, and a page that
 * displays the OpenAPI document. No authentication is required, since they contain no tenant's data. The document is
 * created once; its server addresses are relative, so that it is the same under every host name. They start with
 * `basePath`, the path under which a proxy serves this process.
 */
export function documents(
  routes: readonly Route[],
  basePath: string,
  makeDocument = openApiDocument,
  packers?: Packers,
): Router {
  const readDocument = async () => `${JSON.stringify(makeDocument(routes, version, basePath))}\n`;
  const readFor = (of: ClientInterface) => async () =>
    `${JSON.stringify(clientDocument(makeDocument(routes, version, basePath), of))}\n`;
  const headers = { "content-security-policy": POLICY, "referrer-policy": "no-referrer" };
  const router = new Router();
  const serve = (path: string, read: () => Promise<string | Buffer>, type: string, headers = {}) =>
    router.get(path, staticAnswer({ read, type, headers }, packers));
  serve("/api/openapi.json", readDocument, "application/json");
  for (const name of ["public", "management", "both"] as const)
    serve(`/api/openapi-${name}.json`, readFor(name), "application/json");
  const readTopics = async () => `${JSON.stringify(asyncApiDocument(makeDocument(routes, version, basePath)))}\n`;
  serve("/api/asyncapi.json", readTopics, "application/json");
  serve("/api/docs", async () => page, "text/html; charset=utf-8", headers);
  serve("/api/docs/page.css", async () => READABLE, "text/css; charset=utf-8", headers);
  serve("/api/docs/page.js", async () => script, "text/javascript; charset=utf-8", headers);
  for (const [name, type] of Object.entries(assets))
    serve(`/api/docs/${name}`, () => readFile(require.resolve(`swagger-ui-dist/${name}`)), type, headers);
  return router;
}
