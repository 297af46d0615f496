import { createHash } from "node:crypto";
import test from "ava";
import { callNotice } from "../../../../schemas/call-notice.ts";
import type { Answer, OnCall, PageToSend } from "../../../../workers/transmitter/drivers/label-server.ts";
import { page, png as picture, type Reply, refused, SECRET, serve } from "../serve.ts";

const accept = (): Reply => ({ status: 202, body: '{"transmissionId":1}' });

test("a page is sent unchanged to its label and page number", async (t) => {
  const { calls, driver } = await serve(t, accept);
  t.deepEqual(await driver.sendPage(page), { kind: "accepted" });
  t.is(calls.length, 1);
  t.like(calls[0], { method: "PUT", path: "/labels/A4123456789012345/pages/0" });
  t.deepEqual(calls[0]?.body, Buffer.from(picture));
});

test("the label server's address may have a path", async (t) => {
  for (const path of ["/esl", "/esl/"]) {
    const { calls, driver } = await serve(t, accept, { path });
    await driver.sendPage(page);
    t.is(calls[0]?.path, "/esl/labels/A4123456789012345/pages/0");
  }
});

test("a barcode stays one path segment, whatever it contains", async (t) => {
  const { calls, driver } = await serve(t, accept);
  await driver.sendPage({ ...page, barcode: "../a b?c" });
  t.is(calls[0]?.path, "/labels/..%2Fa%20b%3Fc/pages/0");
});

const headers: [rule: string, fields: Partial<PageToSend>, header: string, value: string | undefined][] = [
  ["the call is authorized by the shared secret", {}, "authorization", `Bearer ${SECRET}`],
  ["the page is a PNG", {}, "content-type", "image/png"],
  ["the key consists of the barcode, the page and the number", { page: 2 }, "idempotency-key", "A4123456789012345-2-7"],
  ["another transmission has a different key", { number: 8 }, "idempotency-key", "A4123456789012345-0-8"],
  ["an urgent page has high priority", { priority: "high" }, "priority", "high"],
  ["a full refresh has a header", { isFull: true }, "refresh", "full"],
  ["any other page has no such header", {}, "refresh", undefined],
  ["any other page has normal priority", { priority: "normal" }, "priority", "normal"],
  ["the store is sent, since reports name it", {}, "store", "t/demo/s/main"],
  ["the transceivers are sent", { transceivers: ["12", "7"] }, "transceiver", "12, 7"],
  ["an ID that a header cannot contain is percent-encoded", { transceivers: ["č1"] }, "transceiver", "%C4%8D1"],
  ["without a transceiver the header is absent", { transceivers: [] }, "transceiver", undefined],
];
for (const [rule, fields, header, value] of headers) {
  test(`${rule} (${header})`, async (t) => {
    const { calls, driver } = await serve(t, accept);
    await driver.sendPage({ ...page, ...fields });
    t.is(calls[0]?.headers[header], value);
  });
}

test("the digest covers the bytes that are sent (RFC 9530)", async (t) => {
  const { calls, driver } = await serve(t, accept);
  for (const png of [picture, new Uint8Array(100_000).fill(7), new Uint8Array([1])]) {
    await driver.sendPage({ ...page, content: { png } });
    const call = calls.at(-1);
    const sha256 = createHash("sha256")
      .update(call?.body ?? "")
      .digest("base64");
    t.is(call?.headers["repr-digest"], `sha-256=:${sha256}:`);
  }
});

test("a segment label receives its text instead of a picture, with the same headers", async (t) => {
  const { calls, driver } = await serve(t, accept);
  t.deepEqual(await driver.sendPage({ ...page, content: { text: "    1,99" } }), { kind: "accepted" });
  const [call] = calls;
  t.like(call, { method: "PUT", path: "/labels/A4123456789012345/segments" });
  t.deepEqual(JSON.parse(String(call?.body)), { text: "    1,99" });
  const sha256 = createHash("sha256")
    .update(call?.body ?? "")
    .digest("base64");
  t.like(call?.headers, {
    "content-type": "application/json",
    "idempotency-key": "A4123456789012345-0-7",
    "repr-digest": `sha-256=:${sha256}:`,
    priority: "normal",
    store: "t/demo/s/main",
  });
});

test("a page that is sent again has the same key", async (t) => {
  const { calls, driver } = await serve(t, () => ({ status: calls.length === 1 ? 503 : 202 }));
  t.like(await driver.sendPage(page), { kind: "later" });
  t.like(await driver.sendPage(page), { kind: "accepted" });
  const keys = calls.map((call) => call.headers["idempotency-key"]);
  t.is(keys[0], keys[1]);
});

const answers: [rule: string, reply: Reply, answer: Answer][] = [
  ["202 means accepted", accept(), { kind: "accepted" }],
  ["409 means retry later", { status: 409 }, { kind: "later", afterMs: 3000, reason: "the label server answered 409" }],
  [
    "429 means retry later, with fewer calls",
    { status: 429 },
    { kind: "later", afterMs: 3000, reason: "the label server answered 429", server: "busy" },
  ],
  [
    "503 means retry later, with fewer calls",
    { status: 503 },
    { kind: "later", afterMs: 3000, reason: "the label server answered 503", server: "busy" },
  ],
  [
    "504 means retry later, with fewer calls, but never with none",
    { status: 504, headers: { "retry-after": "4" } },
    { kind: "later", afterMs: 4000, reason: "the label server answered 504", server: "busy" },
  ],
  ["500 means retry later", { status: 500 }, { kind: "later", afterMs: 3000, reason: "the label server answered 500" }],
  [
    "409 means retry later, after the given delay",
    { status: 409, headers: { "retry-after": "1" } },
    { kind: "later", afterMs: 1000, reason: "the label server answered 409" },
  ],
  [
    "429 means retry later, after the given delay",
    { status: 429, headers: { "retry-after": "17" } },
    { kind: "later", afterMs: 17_000, reason: "the label server answered 429", server: "busy", restMs: 17_000 },
  ],
  [
    "503 means retry later, after the given delay",
    { status: 503, headers: { "retry-after": "120" } },
    { kind: "later", afterMs: 120_000, reason: "the label server answered 503", server: "busy", restMs: 120_000 },
  ],
  [
    "the picture is sent again after five minutes, even if a longer delay is requested",
    { status: 503, headers: { "retry-after": "86400" } },
    {
      ...{ kind: "later", afterMs: 300_000, reason: "the label server answered 503", server: "busy" },
      restMs: 86_400_000,
    },
  ],
  [
    "a delay that is neither a number nor a date is ignored",
    { status: 503, headers: { "retry-after": "soon" } },
    { kind: "later", afterMs: 3000, reason: "the label server answered 503", server: "busy" },
  ],
  [
    "a delay of zero is ignored",
    { status: 503, headers: { "retry-after": "0" } },
    { kind: "later", afterMs: 3000, reason: "the label server answered 503", server: "busy" },
  ],
  [
    "400 means refused, without the label server's text, since tenants read the reason",
    { status: 400, body: "not a PNG" },
    refused(400),
  ],
  ["404 means refused", { status: 404, body: "who?" }, refused(404)],
  ["413 means refused, even with a delay for a retry", { status: 413, headers: { "retry-after": "1" } }, refused(413)],
  [
    "a connection closed without a response means retry later",
    "hangs up",
    { kind: "later", afterMs: 3000, reason: "the label server did not answer: UND_ERR_SOCKET", server: "silent" },
  ],
];
for (const [rule, reply, answer] of answers) {
  test(rule, async (t) => {
    const { driver } = await serve(t, () => reply);
    t.deepEqual(await driver.sendPage(page), answer);
  });
}

test("each call is reported with its kind, result and duration", async (t) => {
  const told: Parameters<OnCall>[] = [];
  let now = 0;
  const replies: Reply[] = [{ status: 202 }, { status: 503 }, { status: 400 }, "hangs up", { status: 202 }];
  const reply = () => {
    now += 7;
    return replies.shift() ?? { status: 202 };
  };
  const { driver } = await serve(t, reply, { clock: () => now, onCall: (...call) => void told.push(call) });
  for (let count = 0; count < 4; count += 1) await driver.sendPage(page);
  await driver.sendOrder({ ...page, order: "flash", body: {} });
  t.deepEqual(told, [
    ["page", "accepted", 7],
    ["page", "busy", 7],
    ["page", "refused", 7],
    ["page", "none", 7],
    ["flash", "accepted", 7],
  ]);
});

test("a label server's last response and last failure are recorded, each with its time", async (t) => {
  let now = 0;
  const replies: Reply[] = [{ status: 202 }, "hangs up", { status: 503 }, { status: 202 }];
  const reply = () => {
    now += 7;
    return replies.shift() ?? { status: 202 };
  };
  const { driver } = await serve(t, reply, { clock: () => now });
  t.deepEqual(driver.lastCalls(), {});
  await driver.sendPage(page);
  t.deepEqual(driver.lastCalls(), { answeredAt: 7 });
  await driver.sendPage(page);
  const { answeredAt, failure } = driver.lastCalls();
  t.deepEqual([answeredAt, failure?.at], [7, 14]);
  t.regex(failure?.reason ?? "", /did not answer/);
  await driver.sendOrder({ ...page, order: "flash", body: {} });
  const notice = callNotice("SERVER_ANSWERED", { status: 503 });
  const busy = { at: 21, reason: "the label server answered 503", notice, detail: "" };
  t.deepEqual(driver.lastCalls(), { answeredAt: 21, failure: busy });
  await driver.sendPage(page);
  t.deepEqual(driver.lastCalls(), { answeredAt: 28, failure: busy });
});

test("a page caused by a traced call is sent in its trace", async (t) => {
  const { calls, driver } = await serve(t, accept);
  await driver.sendPage({ ...page, cause: { call: "a", trace: "00-1-2-01" } });
  await driver.sendPage({ ...page, cause: { call: "a" } });
  t.deepEqual(
    calls.map((call) => call.headers.traceparent),
    ["00-1-2-01", undefined],
  );
});
