import test from "ava";
import { openShelfwire, type Shelfwire } from "../../harness/shelfwire.ts";

const LISTED = "https://shop.example";
const OTHER = "https://other.example";

let closed: Shelfwire;
let listed: Shelfwire;
let open: Shelfwire;
test.before(async () => {
  closed = await openShelfwire({ workers: [] });
  listed = await openShelfwire({ workers: [], settings: { CORS_ORIGINS: `${LISTED}, http://localhost:3000` } });
  open = await openShelfwire({ workers: [], settings: { CORS_ORIGINS: "*", RATE_LIMIT: "1000" } });
});
test.after.always(() => Promise.all([closed, listed, open].map((one) => one.close())));

const get = ({ call }: Shelfwire, origin: string, path = "/items") => call("GET", path, undefined, { origin });
const preflight = ({ base }: Shelfwire, origin: string) =>
  fetch(`${base}/items`, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "authorization, content-type, idempotency-key",
    },
  });
const allowed = (answer: Response) => answer.headers.get("access-control-allow-origin");

test("without the setting no page of another origin can read a response", async (t) => {
  t.is(allowed(await get(closed, LISTED)), null);
  const answer = await preflight(closed, LISTED);
  t.is(answer.status, 204);
  t.is(allowed(answer), null);
});

test("a listed origin can read responses, and another origin cannot", async (t) => {
  for (const origin of [LISTED, "http://localhost:3000"]) {
    const answer = await get(listed, origin);
    t.is(allowed(answer), origin);
    t.true(answer.headers.get("vary")?.includes("Origin"));
  }
  for (const origin of [OTHER, `${LISTED}.evil.example`, "null", "https://SHOP.example", `${LISTED}:8443`])
    t.is(allowed(await get(listed, origin)), null, origin);
});

test("with * every origin can read responses", async (t) => {
  t.is(allowed(await get(open, OTHER)), "*");
});

test("a preflight lists methods and headers for an allowed origin and nothing for others", async (t) => {
  const answer = await preflight(listed, LISTED);
  t.is(answer.status, 204);
  t.is(allowed(answer), LISTED);
  for (const method of ["PATCH", "PUT", "DELETE"])
    t.true(answer.headers.get("access-control-allow-methods")?.includes(method));
  t.is(answer.headers.get("access-control-allow-headers"), "authorization, content-type, idempotency-key");
  t.is(allowed(await preflight(listed, OTHER)), null);
});

test("a page can read the headers for rate limits, ETags and request IDs", async (t) => {
  const answer = await get(open, OTHER);
  const exposed = answer.headers.get("access-control-expose-headers")?.split(",") ?? [];
  for (const name of [
    "ratelimit",
    "ratelimit-policy",
    "ratelimit-limit",
    "ratelimit-remaining",
    "ratelimit-reset",
    "retry-after",
    "etag",
    "x-request-id",
    "x-trace-id",
    "link",
    "idempotency-replayed",
  ])
    t.true(exposed.includes(name), name);
});

test("a page can read problems too", async (t) => {
  t.is(allowed(await get(listed, LISTED, "/items/nothing")), LISTED);
  const unauthenticated = await fetch(`${listed.base}/items`, { headers: { origin: LISTED } });
  t.is(unauthenticated.status, 401);
  t.is(allowed(unauthenticated), LISTED);
});
