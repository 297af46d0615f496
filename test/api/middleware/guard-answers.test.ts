import test from "ava";
import { servedStack } from "../../harness/served-stack.ts";
import { writeItems } from "../calls.ts";

const shelfwire = servedStack({ workers: ["item"], settings: { CORS_ORIGINS: "*" } });

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${shelfwire.origin}${path}`, { headers });
const cachingOf = (answer: Response) => answer.headers.get("cache-control");
const guardOf = (answer: Response) => answer.headers.get("x-content-type-options");

test("API responses are never stored, and neither are refusals and preflights", async (t) => {
  for (const answer of [
    await shelfwire.call("GET", "/items"),
    await shelfwire.call("PATCH", "/items", [{ itemId: "apple" }]),
    await shelfwire.call("PATCH", "/items", "{"),
    await get("/nothing"),
    await get("/healthz"),
    await fetch(`${shelfwire.base}/items`),
    await fetch(`${shelfwire.base}/items`, {
      method: "OPTIONS",
      headers: { origin: "https://shop.example", "access-control-request-method": "GET" },
    }),
  ]) {
    t.is(cachingOf(answer), "private, no-store", `${answer.status} ${answer.url}`);
    t.is(guardOf(answer), "nosniff", answer.url);
  }
});

test("only the caller may store a response with a tag, and must revalidate it", async (t) => {
  await writeItems(shelfwire, [{ itemId: "tagged" }]);
  const answer = await shelfwire.call("GET", "/items/tagged");
  t.is(cachingOf(answer), "private, no-cache");
  const again = await shelfwire.call("GET", "/items/tagged", undefined, {
    "if-none-match": answer.headers.get("etag") ?? "",
  });
  t.is(again.status, 304);
  t.is(cachingOf(again), "private, no-cache");
});

test("the document and its page contain nothing about a tenant: any cache may store and revalidate them", async (t) => {
  for (const path of ["/api/openapi.json", "/api/docs", "/api/docs/page.js"]) {
    const answer = await get(path);
    t.is(cachingOf(answer), "no-cache", path);
    t.is(guardOf(answer), "nosniff", path);
  }
});
