import { request } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import Koa from "koa";
import { underPath } from "../../../api/middleware/base-path.ts";
import { clientDocument } from "../../../api/openapi/derived/client-document.ts";
import { documents } from "../../../api/openapi/serve-document.ts";
import { storedOpenApi } from "../../../scripts/develop/openapi.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { refused } from "../calls.ts";

const shelfwire = servedStack({ workers: [], settings: { BASE_DOMAIN: "labels.example.com" } });

interface Document {
  info: { version: string };
  servers: { url: string; variables: Record<string, unknown> }[];
  paths: Record<string, Record<string, { operationId: string; security: object[]; servers?: { url: string }[] }>>;
}

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${shelfwire.origin}${path}`, { headers });
const readDocument = async (): Promise<Document> => (await get("/api/openapi.json")).json() as Promise<Document>;

/** Reads the document as a caller that uses a different host name. */
function documentAt(headers: Record<string, string>): Promise<Document> {
  return new Promise((resolve, reject) => {
    const asked = request(`${shelfwire.origin}/api/openapi.json`, { headers }, async (answer) => {
      const chunks = await answer.toArray();
      resolve(JSON.parse(Buffer.concat(chunks).toString()) as Document);
    });
    asked.once("error", reject).end();
  });
}

test("the document is public and shows the package's version and the addresses where it is served", async (t) => {
  const answer = await get("/api/openapi.json");
  t.is(answer.status, 200);
  t.regex(answer.headers.get("content-type") ?? "", /^application\/json/);
  const { info, servers } = (await answer.json()) as Document;
  t.is(info.version, "0.2.0");
  t.is(servers[0]?.url, "/t/{tenantId}/s/{storeId}/api/public/core/v1");
});

test("the documents for client generators are derived from the document and served next to it", async (t) => {
  const whole = (await readDocument()) as unknown as Record<string, unknown>;
  for (const name of ["public", "management", "both"] as const)
    t.deepEqual(
      await (await get(`/api/openapi-${name}.json`)).json(),
      JSON.parse(JSON.stringify(clientDocument(whole, name))),
    );
});

test("the topics are served as the stored AsyncAPI document", async (t) => {
  const answer = await get("/api/asyncapi.json");
  t.is(answer.status, 200);
  t.deepEqual(await answer.json(), JSON.parse(await storedOpenApi("asyncapi.json")));
});

test("a caller with the current document receives 304", async (t) => {
  const etag = (await get("/api/openapi.json")).headers.get("etag") ?? "";
  const again = await get("/api/openapi.json", { "if-none-match": etag });
  t.is(again.status, 304);
  t.is(await again.text(), "");
  t.is((await get("/api/openapi.json", { "if-none-match": '"another"' })).status, 200);
});

test("the document is the same under every host name, including stores' hosts", async (t) => {
  const one = await documentAt({ host: "esl.example.com", "x-forwarded-proto": "https" });
  t.deepEqual(await documentAt({ host: "main.demo.labels.example.com" }), one);
  t.deepEqual(await documentAt({ host: 'evil"></script>' }), one);
});

test("every operation is served at its documented address, and requires the documented token", async (t) => {
  const { paths } = await readDocument();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, security, servers }] of Object.entries(methods)) {
      const base = servers ? new URL(servers[0]?.url.replace(/\/$/, "") ?? "", shelfwire.origin).href : shelfwire.base;
      const url = base.replace(/\/$/, "") + path.replaceAll(/\{\w+\}/g, "1");
      const { status } = await fetch(url, { method: method.toUpperCase() });
      t.is(status, security.length > 0 ? 401 : 200, `${operationId}: ${method} ${url}`);
    }
  }
});

test("the page may load only from its own origin", async (t) => {
  const answer = await get("/api/docs");
  t.is(answer.status, 200);
  t.regex(answer.headers.get("content-type") ?? "", /^text\/html/);
  const policy = answer.headers.get("content-security-policy") ?? "";
  t.true(policy.startsWith("default-src 'none'"));
  t.notRegex(policy, /https?:|\*|unsafe/);
  const page = await answer.text();
  t.notRegex(page, /(src|href)="(?!docs\/|openapi\.json)/);
});

test("every file that the page names is served, even under a proxy's path", async (t) => {
  const page = await (await get("/api/docs")).text();
  const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
  t.true(named.length >= 4);
  const addresses = ["/api/docs", "/shelfwire/api/docs"].flatMap((base) =>
    named.map((name) => new URL(name, `http://any.example${base}`).pathname),
  );
  t.true(addresses.includes("/shelfwire/api/openapi.json"));
  const app = new Koa();
  app.use(underPath("/shelfwire"));
  app.use(documents([], "/shelfwire").routes());
  const server = app.listen(0);
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const document = await fetch(`http://127.0.0.1:${port}/shelfwire/api/openapi.json`);
  t.is(((await document.json()) as Document).servers[0]?.url, "/shelfwire/t/{tenantId}/s/{storeId}/api/public/core/v1");
  for (const path of addresses) t.is((await fetch(`http://127.0.0.1:${port}${path}`)).status, 200, path);
  for (const path of addresses.filter((one) => !one.startsWith("/shelfwire"))) {
    const answer = await get(path);
    t.is(answer.status, 200, path);
    t.true((await answer.arrayBuffer()).byteLength > 100, path);
    t.is((await get(path, { "if-none-match": answer.headers.get("etag") ?? "" })).status, 304, path);
  }
});

test("no other file of the package is served", async (t) => {
  for (const path of [
    "/api/docs/index.html",
    "/api/docs/package.json",
    "/api/docs/..%2fpackage.json",
    "/api/docs/%2e%2e/x",
  ])
    await refused(t, await get(path), 404);
});

test("the document is read-only", async (t) => {
  const answer = await fetch(`${shelfwire.origin}/api/openapi.json`, { method: "POST" });
  t.is(answer.headers.get("allow"), "GET, HEAD, OPTIONS");
  await refused(t, answer, 405);
});
