import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import test from "ava";
import { Webhook } from "standardwebhooks";
import { hashPassword } from "../../api/access/login/passwords.ts";
import { Shelfwire, ShelfwireError, verifyWebhook } from "../../docs/typescript-client/index.ts";
import { apiUsers } from "../../records/kinds/tenants.ts";
import { apiUserKey } from "../../schemas/keys.ts";
import { obtainHttpx } from "../../scripts/develop/conform/obtain-python.ts";
import { images } from "../api/images/files.ts";
import { eventually } from "../harness/eventually.ts";
import { glassOf, labelFor } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";
import { unchecked } from "../harness/part-of.ts";

/** The client libraries of docs/ against the running product. */
const shelfwire = ownStack();
const run = promisify(execFile);
const USER = { user: "till", password: "correct horse: battery štäple" };
/** A busy machine may need longer for a request than a library waits by default. */
const RESULT_TIMEOUT_MS = 300_000;

test.serial.before(async () => {
  const user = { name: USER.user, tenant: "demo", stores: "*" as const, scope: "*" };
  const password = await hashPassword(USER.password);
  await shelfwire.system.commit.change(apiUsers, [apiUserKey(USER.user)], () => ({ ...user, password }), "bulk");
});

test("the TypeScript library performs the calls of a shop's full working day", async (t) => {
  const base = `${shelfwire.base.replace(/\/api.*/, "")}/`;
  const store = new Shelfwire({ store: base, ...USER, resultTimeoutMs: RESULT_TIMEOUT_MS });
  const barcode = labelFor("ts");
  const items = Array.from({ length: 25 }, (_, index) => ({ itemId: `ts ${index}`, itemName: "Juice", price: "1.99" }));
  t.is((await store.patchItems(items)).overallStatus, "SUCCESS");
  const links = [{ itemId: "ts 1" }];
  const linked = await store.patchLabels([
    { barcode, links },
    { barcode: "none", links },
  ]);
  t.deepEqual([linked.overallStatus, linked.errorCount], ["PARTIAL_SUCCESS", 1]);
  t.deepEqual(
    linked.rows.map(({ status }) => status),
    ["SUCCESS", "UNKNOWN"],
  );
  // The first picture of a stack can take longer on a busy machine.
  await eventually(
    "the label is linked and has its picture",
    async () => (await store.linkLabel({ barcode, itemId: "ts 2" }, 30_000)).status === "LINKED",
  );
  t.deepEqual(Buffer.from(await store.labelImage(barcode)), await glassOf(shelfwire, barcode));
  const listed = await Array.fromAsync(store.items("S", 10));
  const shown = await Array.fromAsync(store.labels({ itemIds: ["ts 2"], projection: "S" }, 1));
  t.deepEqual(
    shown.map((label) => label.barcode),
    [barcode],
  );
  t.is(listed.filter(({ itemId }) => itemId.startsWith("ts ")).length, 25);
  t.deepEqual(await Array.fromAsync(store.labels({ barcodes: [barcode], projection: "M" })), [
    await store.label(barcode, "M"),
  ]);
  t.is((await store.item("ts 2")).links?.[0]?.barcode, barcode);
  t.is(await store.flashLabel(barcode, { color: "#ff0000" }), "OK");
  t.deepEqual(await store.flashItem("ts 2"), [{ barcode, result: "OK" }]);
  t.is((await store.setPageImage("ts 2", 0, await images.PNG(20, 10))).overallStatus, "SUCCESS");
  t.is((await store.unlinkLabel(barcode)).overallStatus, "SUCCESS");
  t.is((await store.deleteItems(["ts 3"])).overallStatus, "SUCCESS");
  const refused = await t.throwsAsync(store.patchItems([{ itemId: "ts 1", price: unchecked(true) }]), {
    instanceOf: ShelfwireError,
  });
  t.like(refused?.problem.errors?.[0], { pointer: "/0/price", detail: "must be a string or null, not true" });
});

test("a write that fails temporarily is repeated with the same key and takes effect once; after a 429 the library waits", async (t) => {
  const keys = new Set<string>();
  let calls = 0;
  let lost = 0;
  const flaky: typeof fetch = async (input, init) => {
    calls += 1;
    keys.add(new Headers(init?.headers).get("idempotency-key") ?? "");
    const refusal = { type: "/problems/too-many-requests", title: "Too many", status: 429, detail: "Wait." };
    if (calls === 1) return Response.json(refusal, { status: 429, headers: { "retry-after": "0" } });
    const answer = await fetch(input, init);
    // The response to an accepted write is lost.
    if (calls === 2) {
      lost = ((await answer.json()) as { requestId: number }).requestId;
      throw new TypeError("fetch failed");
    }
    return answer;
  };
  const store = new Shelfwire({ store: shelfwire.base, token: await shelfwire.token(), fetch: flaky });
  const first = await store.call<{ requestId: number }>("PATCH", "/items", { body: [{ itemId: "once" }] });
  const second = await store.call<{ requestId: number }>("PATCH", "/items", { body: [{ itemId: "once" }] });
  t.is(calls, 4);
  t.is(keys.size, 2);
  t.is(first.requestId, lost);
  t.true(second.requestId > first.requestId);
});

/** Creates a store that answers each write with a number, reports each request as done, and keeps the writes that it receives. */
function doneStore() {
  const sent: string[][] = [];
  const answer: typeof fetch = async (_, init) => {
    if (init?.method !== "GET") sent.push(JSON.parse(String(init?.body)));
    const done = { status: "COMPLETED", overallStatus: "SUCCESS", itemErrorCount: 0, itemResults: [] };
    return Response.json(init?.method === "GET" ? done : { requestId: sent.length });
  };
  return { sent, store: new Shelfwire({ store: "http://a", token: "t", fetch: answer }) };
}

test("rows are split into requests by number and by bytes", async (t) => {
  const many = doneStore();
  await many.store.patchItems(Array.from({ length: 20_001 }, (_, index) => ({ itemId: String(index) })));
  t.deepEqual(
    many.sent.map((rows) => rows.length),
    [20_000, 1],
  );
  const large = doneStore();
  const properties = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [index, "ž".repeat(16_384)]));
  await large.store.patchItems(Array.from({ length: 17 }, (_, index) => ({ itemId: String(index), properties })));
  t.deepEqual(
    large.sent.map((rows) => rows.length),
    [15, 2],
  );
});

test("a truncated, missing or proxy response is retried; a proxy's refusal is reported", async (t) => {
  const answers = [
    () => new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError("terminated")) })),
    (signal: AbortSignal) =>
      new Promise<Response>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    () => new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "retry-after": "0" } }),
    () => Response.json({ value: { itemId: "1" } }),
    () => Response.json({ message: "no such host", type: "error" }, { status: 421 }),
  ];
  const send: typeof fetch = async (_, init) => (await answers.shift()?.(init?.signal as AbortSignal)) as Response;
  const store = new Shelfwire({ store: "http://a", token: "t", timeoutMs: 50, fetch: send });
  t.is((await store.item("1")).itemId, "1");
  const refused = await t.throwsAsync(store.item("1"), { instanceOf: ShelfwireError });
  t.like(refused?.problem, { status: 421, detail: '{"message":"no such host","type":"error"}' });
});

test("an ID that a path cannot carry is refused before it can name something else", async (t) => {
  const { sent, store } = doneStore();
  for (const id of ["", ".", ".."]) {
    await t.throwsAsync(async () => store.unlinkItem(id), { instanceOf: TypeError }, id);
    await t.throwsAsync(async () => store.item(id), { instanceOf: TypeError }, id);
  }
  t.deepEqual(sent, []);
});

const SECRET = `whsec_${Buffer.from("0123456789abcdefghijklmn").toString("base64")}`;
const AT = new Date("2026-03-01T08:00:00Z");
const BODY = '{"id": "1", "type": "link.v2"}';
const signed = {
  "webhook-id": "msg_1",
  "webhook-timestamp": String(AT.getTime() / 1000),
  "webhook-signature": new Webhook(SECRET).sign("msg_1", AT, BODY),
};

test("the library's webhook check accepts only what is currently signed", (t) => {
  t.is(verifyWebhook(SECRET, signed, BODY, AT.getTime())[0]?.type, "link.v2");
  t.is(verifyWebhook(SECRET, new Headers(signed), BODY, AT.getTime()).length, 1);
  t.throws(() => verifyWebhook(SECRET, signed, `${BODY} `, AT.getTime()));
  t.throws(() => verifyWebhook(SECRET, signed, BODY, AT.getTime() + 301_000));
  t.throws(() => verifyWebhook(SECRET, {}, BODY, AT.getTime()));
});

test("the Python library performs the same day", async (t) => {
  const folder = fileURLToPath(new URL("../../docs/python-client/", import.meta.url));
  const env = {
    ...process.env,
    STORE: shelfwire.base,
    API_USER: USER.user,
    PASSWORD: USER.password,
    RESULT_TIMEOUT: String(RESULT_TIMEOUT_MS / 1000),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const files = await mkdtemp(join(tmpdir(), "shelfwire-python-"));
  t.teardown(() => rm(files, { recursive: true }));
  const [picture, call] = [join(files, "picture.png"), join(files, "call.json")];
  await writeFile(picture, await images.PNG(20, 10));
  await writeFile(call, JSON.stringify({ secret: SECRET, headers: signed, body: BODY, at: AT.getTime() / 1000 }));
  const { stdout } = await run(obtainHttpx(), ["try_it.py", labelFor("py"), picture, call], {
    cwd: folder,
    env,
    timeout: 1_200_000,
  });
  t.is(
    stdout,
    `0
['SUCCESS', 'UNKNOWN']
LINKED
['py 0', 'py 1']
[True]
True b'PNG'
OK OK
400 The request is invalid: The body has 1 fault: /0/price must be a string or null, not true. [{'pointer': '/0/price', 'detail': 'must be a string or null, not true', 'notice': {'code': 'FIELD_TYPE', 'values': {'type': 'a string or null', 'value': 'true'}}}]
SUCCESS
SUCCESS SUCCESS
link.v2
False False False False
[20000, 1] [15, 2]
421 Misdirected Request 0
['', '.', '..']
/20000/price It has 1 fault: /20000/price must be a string. 20000 19999 True
20000 True
[0, 1, 1, 2]
0 No response: down
['A1', 'A2'] [None, '1-0']
`,
  );
});
