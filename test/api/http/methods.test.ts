import { request } from "node:http";
import { text } from "node:stream/consumers";
import test from "ava";
import { labelFor } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { refused, writeItems } from "../calls.ts";

const shelfwire = servedStack({ workers: ["item"] });
test.before(async () => {
  await writeItems(shelfwire, [{ itemId: "apple" }, { itemId: "a/b" }, { itemId: "sic" }]);
});

/** Paths with the methods that each has, including paths that need no token. */
const known: [path: string, allow: string][] = [
  ["/items", "DELETE, GET, HEAD, OPTIONS, PATCH"],
  ["/items/apple", "DELETE, GET, HEAD, OPTIONS, PATCH"],
  ["/labels/link-single", "GET, HEAD, OPTIONS, POST"],
  ["/items-result/1", "GET, HEAD, OPTIONS"],
];

for (const [path, allow] of known) {
  test(`OPTIONS ${path} lists the path's methods without a token`, async (t) => {
    const answer = await fetch(`${shelfwire.base}${path}`, { method: "OPTIONS" });
    t.is(answer.status, 204);
    t.is(answer.headers.get("allow"), allow);
    t.is(await answer.text(), "");
  });

  test(`any other method on ${path} returns 405 and lists the path's methods`, async (t) => {
    for (const method of ["PUT", "PROPFIND"]) {
      const answer = await fetch(`${shelfwire.base}${path}`, { method });
      t.is(answer.headers.get("allow"), allow);
      t.is((await refused(t, answer, 405)).type, "/problems/method-not-allowed");
    }
  });
}

for (const path of [
  "/nothing",
  "/items/apple/nothing",
  "/items/",
  "/items/apple/",
  "/Items",
  "//items",
  "/labels/a/b/c",
]) {
  test(`${path} returns 404 for every method`, async (t) => {
    for (const method of ["GET", "OPTIONS", "PATCH", "DELETE", "POST"]) {
      // Extra slashes are tolerated unless the caller forbids it.
      const answer = await shelfwire.call(method, path, undefined, { prefer: "handling=strict" });
      t.is((await refused(t, answer, 404)).type, "/problems/unknown-path", method);
      t.is(answer.headers.get("allow"), null);
    }
  });
}

test("a path outside the API returns 404 too", async (t) => {
  for (const path of [
    "/api",
    "/t/demo",
    "/t/demo/s/main/nothing",
    "/problems",
    "/problems/",
    "/t/demo/s/main/api/public/core/v2/items",
  ])
    t.is((await refused(t, await fetch(`${shelfwire.origin}${path}`), 404)).type, "/problems/unknown-path", path);
});

for (const path of ["/items", "/items/apple", "/labels", "/labels/models"]) {
  test(`HEAD ${path} returns the response of GET without the body`, async (t) => {
    const [get, head] = await Promise.all([shelfwire.call("GET", path), shelfwire.call("HEAD", path)]);
    t.is(head.status, 200);
    t.is(await head.text(), "");
    for (const name of ["content-type", "etag", "vary"]) t.is(head.headers.get(name), get.headers.get(name), name);
  });
}

test("HEAD of a missing resource returns the status of GET and no body", async (t) => {
  const answer = await shelfwire.call("HEAD", "/items/nothing");
  t.is(answer.status, 404);
  t.is(await answer.text(), "");
});

/** Sends a request with its path exactly as written, which `fetch` would normalise. */
const raw = (method: string, path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(shelfwire.origin);
    const call = request({ hostname, port, method, path, headers }, async (answer) =>
      resolve({ status: answer.statusCode ?? 0, body: await text(answer) }),
    );
    call.once("error", reject).end();
  });

const path = (rest: string) => `/t/demo/s/main/api/public/core/v1${rest}`;
const authorized = async () => ({ authorization: `Bearer ${await shelfwire.token()}` });

test("an ID may contain an encoded slash and is decoded once", async (t) => {
  const { body } = await raw("GET", path("/items/a%2Fb?projection=S"), await authorized());
  t.is((JSON.parse(body) as { value: { itemId: string } }).value.itemId, "a/b");
  t.is((await raw("GET", path("/items/a%252Fb"), await authorized())).status, 404);
});

test("an item whose ID is a literal segment elsewhere has its own path", async (t) => {
  t.is((await raw("GET", path("/items/sic"), await authorized())).status, 200);
});

test("dots in a path have no special meaning", async (t) => {
  for (const rest of ["/items/..", "/items/../labels", "/items/%2e%2e", "/items/%2e%2e%2f%2e%2e%2fmodels"])
    t.is((await raw("GET", path(rest), await authorized())).status, 404, rest);
});

test("control characters in an ID return 400 anywhere in the path", async (t) => {
  for (const bad of ["%00", "a%0d%0aSet-Cookie:%20a=b", "%1f", "%7f", "%C2%85"]) {
    for (const rest of [`/items/${bad}`, `/labels/${bad}`, `/labels/${bad}/image`])
      t.is((await raw("GET", path(rest), await authorized())).status, 400, rest);
  }
});

test("impossible tenant or store IDs return 403 or 404 and never become part of another key", async (t) => {
  for (const store of ["main%2Fitems", "..", "a%00b", "x".repeat(65), "main%20"]) {
    const { status } = await raw("GET", `/t/demo/s/${store}/api/public/core/v1/items`, await authorized());
    t.is(status, 404, store);
  }
  const elsewhere = await raw("GET", "/t/demo%2Fs%2Fmain/s/x/api/public/core/v1/items", await authorized());
  t.is(elsewhere.status, 403);
});

test("nothing that a caller sends becomes a separate header", async (t) => {
  const answer = await shelfwire.call("GET", `/items/${labelFor("x")}%0d%0aX-Evil:%201`, undefined, {
    "x-request-id": "a;b",
    origin: "https://evil.example",
  });
  await refused(t, answer, 400);
  t.is(answer.headers.get("x-evil"), null);
  t.is(answer.headers.get("access-control-allow-origin"), null);
});
