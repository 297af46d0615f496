import test from "ava";
import { Shelfwire, ShelfwireError } from "../../docs/typescript-client/index.ts";

test("if rows need several requests, faults and outcomes name the caller's rows, and the same key continues the call", async (t) => {
  const keys: string[] = [];
  let isDown = true;
  const answer: typeof fetch = async (address, init) => {
    const { pathname } = new URL(String(address));
    if (init?.method === "GET") {
      const itemResults = Array.from({ length: pathname.endsWith("/1") ? 20_000 : 1 }, () => ({
        status: "SUCCESS",
        errors: [],
      }));
      return Response.json({ status: "COMPLETED", overallStatus: "SUCCESS", itemErrorCount: 0, itemResults });
    }
    const key = new Headers(init?.headers).get("idempotency-key") ?? "";
    keys.push(key);
    if (key.endsWith(".0")) return Response.json({ requestId: 1 });
    const errors = [{ pointer: "/0/price", detail: "must be a string" }];
    const refusal = {
      type: "/problems/invalid-request",
      title: "Invalid",
      status: 400,
      detail: "It has 1 fault: /0/price must be a string.",
      errors,
    };
    const headers = { "content-type": "application/problem+json" };
    return isDown ? Response.json(refusal, { status: 400, headers }) : Response.json({ requestId: 2 });
  };
  const store = new Shelfwire({ store: "http://a", token: "t", fetch: answer });
  const rows = Array.from({ length: 20_001 }, (_, index) => ({ itemId: String(index) }));
  const error = await t.throwsAsync(store.patchItems(rows), { instanceOf: ShelfwireError });
  t.deepEqual(error?.problem.errors, [{ pointer: "/20000/price", detail: "must be a string" }]);
  t.is(error?.problem.detail, "It has 1 fault: /20000/price must be a string.");
  t.is(error?.applied.length, 20_000);
  t.is(error?.applied[19_999]?.row, 19_999);
  t.is(error?.notSent, 20_000);
  isDown = false;
  const result = await store.patchItems(rows, { key: error?.key ?? "" });
  t.is(result.rows[20_000]?.row, 20_000);
  t.deepEqual(keys, [`${error?.key}.0`, `${error?.key}.1`, `${error?.key}.0`, `${error?.key}.1`]);
});

test("each outcome of a call on labels names the row to which its link belongs", async (t) => {
  const results = Array.from({ length: 4 }, () => ({ status: "SUCCESS", errors: [] }));
  const answer: typeof fetch = async (_, init) =>
    Response.json(
      init?.method === "GET" ? { status: "COMPLETED", overallStatus: "SUCCESS", results } : { requestId: 1 },
    );
  const store = new Shelfwire({ store: "http://a", token: "t", fetch: answer });
  const { rows } = await store.patchLabels([
    { barcode: "a", plLocation: "aisle 1" },
    { barcode: "b", links: [{ itemId: "1" }, { itemId: "2", displayPosition: 1 }] },
    { barcode: "c", links: [] },
  ]);
  t.deepEqual(
    rows.map(({ row }) => row),
    [0, 1, 1, 2],
  );
});

test("a call without a response fails with the library's own error once the caller's patience has run out", async (t) => {
  const send: typeof fetch = async () => {
    throw new TypeError("fetch failed");
  };
  const store = new Shelfwire({ store: "http://a", token: "t", patienceMs: 0, fetch: send });
  const error = await t.throwsAsync(store.item("1"), { instanceOf: ShelfwireError });
  t.like(error?.problem, { status: 0, title: "No response", detail: "fetch failed" });
});

test("a tail names labels that change, and continues after the last change if it is interrupted", async (t) => {
  const asked: (string | null)[] = [];
  const send: typeof fetch = async (_, init) => {
    asked.push(new Headers(init?.headers).get("last-event-id"));
    const event = `: hello\n\nid: ${asked.length}-0\nevent: label\ndata: {"storeId":"main","barcode":"A${asked.length}"}\n\n`;
    return new Response(event, { headers: { "content-type": "text/event-stream" } });
  };
  const store = new Shelfwire({ store: "http://a", token: "t", fetch: send });
  const seen: string[] = [];
  for await (const barcode of store.tail()) {
    seen.push(barcode);
    if (seen.length === 2) break;
  }
  t.deepEqual(seen, ["A1", "A2"]);
  t.deepEqual(asked, [null, "1-0"]);
});
