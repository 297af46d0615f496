import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import Koa from "koa";
import { pino } from "pino";
import { Type } from "typebox";
import { createBodyBudget } from "../../api/body/body-budget.ts";
import { bodyLimits } from "../../api/body/body-limits.ts";
import { type Route, route } from "../../api/http/route.ts";
import { answerProblems } from "../../api/middleware/answer-problems.ts";
import { mountRoutes, type OwnerWorld } from "../../api/mount.ts";
import { valuesOf } from "../../api/query/check-query.ts";
import { scopes } from "../../schemas/token.ts";
import { partOf } from "../harness/part-of.ts";

/** Returns an operation that responds with its ID and the call that it received. */
const operation = (method: Route["method"], path: string, more: Partial<Route> = {}): Route => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  return {
    ...route({
      method,
      path,
      operationId: path,
      summary: path,
      scope: "items:read",
      params: Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))),
      answers: { 200: Type.Any() },
      handle: async ({ params, body }) => ({ status: 200, body: { path, params, body: body ?? "none" } }),
    }),
    ...more,
  };
};

/** Mounts operations as the API does, with a permit for every scope and store. */
async function serve(routes: readonly Route[], differs: Partial<OwnerWorld> = {}) {
  const permit = { caller: "token", tenant: "demo", stores: "*", scopes: new Set<string>(scopes) } as const;
  const router = mountRoutes(routes, {
    identify: async () => permit,
    findStore: async () => partOf({ _id: "t/demo/s/main" }),
    readRemoval: async () => undefined,
    findTenant: async () => partOf({ _id: "t/demo" }),
    ...differs,
    rateLimits: {},
    bodies: createBodyBudget(bodyLimits.inWork),
    countUpload: async () => {},
    noteCall: (_, perform) => perform(),
    idempotency: { currentRun: () => undefined, once: (_, perform) => perform() },
  });
  const app = new Koa();
  app.use(answerProblems(pino({ level: "silent" }), () => {}));
  app.use(router.routes());
  const server = createServer(app.callback()).listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    call: async (method: string, path: string, init: RequestInit = {}) => {
      const url = `http://127.0.0.1:${port}/t/demo/s/main/api/public/core/v1${path}`;
      const answer = await fetch(url, { method, headers: { authorization: "Bearer token" }, ...init });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
    close: () => server.close(),
  };
}

for (const [removal, detail] of [
  [undefined, 'The store "main" of the tenant "demo" does not exist.'],
  [
    new Date("2026-12-22T23:51:22.977Z"),
    'The tenant "demo" is being removed; the operator can restore it until 2026-12-22T23:51:22.977Z.',
  ],
] as const)
  test(`a missing store returns: ${detail}`, async (t) => {
    const world = { findStore: async () => undefined, readRemoval: async () => removal };
    const { call, close } = await serve([operation("GET", "/labels/models")], world);
    t.teardown(close);
    const { status, body } = await call("GET", "/labels/models");
    t.like({ status, ...body }, { status: 404, type: "/problems/unknown-store", detail });
  });

const addresses = [
  ["GET", "/labels/:barcode"],
  ["GET", "/labels/:barcode/image"],
  ["POST", "/labels/:barcode/flash"],
  ["DELETE", "/items/:itemId/links"],
  ["GET", "/labels/models"],
  ["GET", "/labels/models/:type"],
  ["POST", "/labels/refresh/:modelName"],
  ["DELETE", "/items/sic/:sic"],
] as const;

for (const [order, listed] of [
  ["as listed", addresses],
  ["in reverse", addresses.toReversed()],
] as const) {
  test(`a literal segment wins over a parameter: operations ${order}`, async (t) => {
    const { call, close } = await serve(listed.map(([method, path]) => operation(method, path)));
    t.teardown(close);
    for (const [method, path, expected, params] of [
      ["GET", "/labels/models", "/labels/models", {}],
      ["GET", "/labels/models/image", "/labels/models/:type", { type: "image" }],
      ["GET", "/labels/D4/image", "/labels/:barcode/image", { barcode: "D4" }],
      ["POST", "/labels/refresh/flash", "/labels/refresh/:modelName", { modelName: "flash" }],
      ["POST", "/labels/D4/flash", "/labels/:barcode/flash", { barcode: "D4" }],
      ["DELETE", "/items/sic/links", "/items/sic/:sic", { sic: "links" }],
      ["DELETE", "/items/4711/links", "/items/:itemId/links", { itemId: "4711" }],
    ] as const) {
      t.deepEqual((await call(method, path)).body, { path: expected, params, body: "none" }, path);
    }
  });
}

test("parameters are decoded once, and may contain a slash", async (t) => {
  const { call, close } = await serve([operation("GET", "/items/:itemId")]);
  t.teardown(close);
  for (const [written, itemId] of [
    ["a%2Fb", "a/b"],
    ["%252F", "%2F"],
    ["%25zz", "%zz"],
    ["caf%C3%A9", "café"],
    ["a+b", "a+b"],
    ["%73ic", "sic"],
  ] as const) {
    const { body } = await call("GET", `/items/${written}`);
    t.deepEqual(body.params, { itemId }, written);
  }
});

test("an optional body may be absent, empty or present; a required body must be present", async (t) => {
  const body = Type.Object({ color: Type.String() });
  const { call, close } = await serve([
    operation("POST", "/optional", { body, isBodyOptional: true }),
    operation("POST", "/needed", { body }),
  ]);
  t.teardown(close);
  const headers = { authorization: "Bearer token", "content-type": "application/json" };
  for (const path of ["/optional", "/needed"]) {
    t.deepEqual((await call("POST", path, { headers, body: '{"color": "RED"}' })).body.body, { color: "RED" });
    t.is((await call("POST", path, { headers, body: "{}" })).status, 400);
    const strict = { ...headers, prefer: "handling=strict" };
    t.is((await call("POST", path, { headers: strict, body: "null" })).status, 400);
  }
  t.is((await call("POST", "/needed", { headers, body: "null" })).status, 400);
  t.is((await call("POST", "/optional", { headers, body: "null" })).body.body, "none");
  for (const init of [{}, { headers }, { headers, body: "" }, { headers, body: " \n" }]) {
    t.is((await call("POST", "/optional", init)).body.body, "none");
    t.is((await call("POST", "/needed", init)).status, 400);
  }
});

test("an operation without a body accepts none, whatever the caller sends", async (t) => {
  const { call, close } = await serve([operation("DELETE", "/items/:itemId")]);
  t.teardown(close);
  const headers = { authorization: "Bearer token" };
  for (const type of ["application/json", "text/plain"]) {
    const init = { headers: { ...headers, "content-type": type }, body: "anything" };
    t.is((await call("DELETE", "/items/4711", init)).status, 200, type);
  }
});

test("two operations at one address prevent start-up", async (t) => {
  await t.throwsAsync(serve([operation("GET", "/items/:itemId"), operation("GET", "/items/:id")]), {
    message: "GET /items/:id is defined twice",
  });
});

test("a parameter without a schema prevents start-up", async (t) => {
  await t.throwsAsync(serve([operation("GET", "/items/:itemId", { params: Type.Object({}) })]), {
    message: "GET /items/:itemId has no schema for :itemId",
  });
});

test("a comma separates the values of a list in a query, and an escaped comma is part of a value", (t) => {
  t.deepEqual(valuesOf("a,b"), ["a", "b"]);
  t.deepEqual(valuesOf("Shelf\\, small,Peg"), ["Shelf, small", "Peg"]);
  t.deepEqual(valuesOf("back\\slash"), ["back\\slash"]);
  t.deepEqual(valuesOf("a,"), ["a", ""]);
});
