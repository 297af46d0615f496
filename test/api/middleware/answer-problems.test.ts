import { gzipSync } from "node:zlib";
import test from "ava";
import { faultAt } from "../../../schemas/problem.ts";
import { refusalNotice } from "../../../schemas/refusal-notice.ts";
import { eventually } from "../../harness/eventually.ts";
import { itemOutcomes, labelFor } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { numberOf, refused, untilTaken } from "../calls.ts";

const shelfwire = servedStack({ workers: ["item", "link"] });

const MIB = 2 ** 20;
const patchItems = (body: unknown, headers?: Record<string, string>) =>
  untilTaken(() => shelfwire.call("PATCH", "/items", body, headers));

/** Bodies that cannot be read as a request, with the status of their response. */
const unreadable: Record<string, { body: string; headers?: Record<string, string>; status: number }> = {
  "broken JSON": { body: '[{"itemId": "apple"', status: 400 },
  "JSON with trailing text": { body: "[] []", status: 400 },
  "a bare string": { body: '"apple"', status: 400 },
  "a bare number": { body: "5", status: 400 },
  null: { body: "null", status: 400 },
  "an object instead of a list": {
    body: '{"itemId": "apple"}',
    headers: { "content-type": "application/json", prefer: "handling=strict" },
    status: 400,
  },
  "an empty list": { body: "[]", status: 400 },
  "an empty body": { body: "", status: 400 },
  "plain text": { body: '[{"itemId": "apple"}]', headers: { "content-type": "text/plain" }, status: 415 },
  "a form": {
    body: "itemId=apple",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    status: 415,
  },
  XML: { body: "<item/>", headers: { "content-type": "application/xml" }, status: 415 },
  "an unknown encoding": { body: "[]", headers: { "content-encoding": "snappy" }, status: 415 },
};

for (const [what, { body, headers, status }] of Object.entries(unreadable)) {
  test(`a body that is ${what} returns ${status}`, async (t) => {
    await refused(t, await patchItems(body, headers), status);
  });
}

test("a JSON body may state its charset", async (t) => {
  const headers = { "content-type": "application/json; charset=utf-8" };
  t.is((await patchItems([{ itemId: "apple" }], headers)).status, 202);
});

test("a body over 32 MiB returns 413", async (t) => {
  await refused(t, await patchItems(`[${" ".repeat(32 * MIB)}]`), 413);
});

test("a small body that decompresses to over 32 MiB returns 413", async (t) => {
  const answer = await fetch(`${shelfwire.base}/items`, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${await shelfwire.token()}`,
      "content-type": "application/json",
      "content-encoding": "gzip",
    },
    body: gzipSync(`[${" ".repeat(32 * MIB)}]`),
  });
  await refused(t, answer, 413);
});

test("an unknown path returns 404", async (t) => {
  await refused(t, await shelfwire.call("GET", "/nothing"), 404);
  await refused(t, await fetch(`${shelfwire.origin}/nothing`), 404);
});

test("a wrong method returns 405 and lists the allowed ones", async (t) => {
  const answer = await shelfwire.call("PUT", "/items", []);
  t.is(answer.headers.get("allow"), "DELETE, GET, HEAD, OPTIONS, PATCH");
  await refused(t, answer, 405);
  const one = await shelfwire.call("POST", "/items/apple", {});
  t.is(one.headers.get("allow"), "DELETE, GET, HEAD, OPTIONS, PATCH");
  await refused(t, one, 405);
});

test("a problem document has a type, title, status, detail and instance, and each fault has a path and a reason", async (t) => {
  const headers = { "x-request-id": "till-7.42" };
  const answer = await patchItems([{ itemId: "apple", price: true }], headers);
  t.is(answer.headers.get("content-type"), "application/problem+json");
  t.deepEqual(await answer.json(), {
    type: "/problems/invalid-request",
    title: "The request is invalid",
    status: 400,
    detail: "The body has 1 fault: /0/price must be a string or null, not true.",
    instance: "/requests/till-7.42",
    errors: [faultAt("/0/price", refusalNotice("FIELD_TYPE", { type: "a string or null", value: "true" }))],
  });
});

test("the detail of a 400 names the first fault with its path and the number of other faults", async (t) => {
  const body = [{ itemId: "apple", price: true }, { itemId: "" }, { price: "1" }];
  const { detail, errors } = await refused(t, await patchItems(body), 400);
  t.is(errors?.length, 3);
  t.is(detail, "The body has 3 faults: /0/price must be a string or null, not true (and 2 more).");
  const none = await refused(t, await shelfwire.call("PATCH", "/items"), 400);
  t.is(none.detail, "The operation requires a body: it is missing.");
});

test("a caller's x-request-id is returned, with or without a problem", async (t) => {
  const headers = { "x-request-id": "till-7.42" };
  t.is((await shelfwire.call("GET", "/items", undefined, headers)).headers.get("x-request-id"), "till-7.42");
  t.is((await shelfwire.call("GET", "/nothing", undefined, headers)).headers.get("x-request-id"), "till-7.42");
});

test("without a valid x-request-id the response has a new one", async (t) => {
  const own = /^[0-9a-f-]{36}$/;
  t.regex((await shelfwire.call("GET", "/items")).headers.get("x-request-id") ?? "", own);
  for (const unsound of ["till 7", "x".repeat(129), "a/b"]) {
    const answer = await shelfwire.call("GET", "/items", undefined, { "x-request-id": unsound });
    t.regex(answer.headers.get("x-request-id") ?? "", own);
  }
});

test("no problem shows a stack trace", async (t) => {
  for (const answer of [await patchItems("["), await shelfwire.call("GET", "/nothing"), await patchItems([{}])]) {
    t.notRegex(await answer.text(), /\.ts|node_modules|\bat .*:\d+/);
  }
});

test.serial("a refused request changes nothing and uses up no number", async (t) => {
  const { call, token } = shelfwire;
  const writeApple = async () => numberOf(await call("PATCH", "/items", [{ itemId: "apple" }]));
  const reader = { authorization: `Bearer ${await token({ scope: "items:read labels:read" })}` };
  const stranger = { authorization: `Bearer ${await token({ tenant: "other" })}` };
  const barcode = labelFor("refused");
  const refuse = () => [
    call("PATCH", "/items", [{ itemId: "refused" }, { itemName: "without an id" }]),
    call("PATCH", "/items", [{ itemId: "refused" }], reader),
    call("PATCH", "/items", [{ itemId: "refused" }], stranger),
    call("PATCH", "/items", [{ itemId: "refused" }], { "content-type": "text/plain" }),
    call("PATCH", "/items/refused", { itemId: "another" }),
    call("DELETE", "/items/apple", undefined, reader),
    call("PATCH", "/labels", [{ barcode }, { barcode, links: [{}] }]),
    call("PATCH", "/labels", [{ barcode }], reader),
    call("POST", "/labels/link-single", { barcode, itemId: "nothing" }),
    call("POST", "/labels/link-single", { barcode: "D4", itemId: "apple" }),
    call("POST", "/labels/link-single?timeout=-1", { barcode, itemId: "apple" }),
  ];
  // A write that was rejected because the database was slow may have used up a number, so all calls are repeated.
  const { before, statuses, after } = await eventually("no call is refused with 503", async () => {
    const before = await writeApple();
    await itemOutcomes(shelfwire, before);
    const statuses = (await Promise.all(refuse())).map(({ status }) => status);
    return !statuses.includes(503) && { before, statuses, after: await writeApple() };
  });
  t.true(statuses.every((status) => status >= 400 && status < 500));
  t.is(after, before + 1);
  t.is((await call("GET", "/items/apple")).status, 200);
  t.is((await call("GET", "/items/refused")).status, 404);
  t.is((await call("GET", `/labels/${barcode}`)).status, 404);
});
