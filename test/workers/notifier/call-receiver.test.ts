import { createHmac } from "node:crypto";
import type { lookup } from "node:dns";
import test, { type ExecutionContext } from "ava";
import { parsePrivateReceivers } from "../../../domain/webhooks/public-address.ts";
import { callNotice, callText } from "../../../schemas/call-notice.ts";
import { openReceivers } from "../../../workers/notifier/call-receiver.ts";
import { PATIENT_MS } from "../../harness/patience.ts";
import { openReceiver, type Received } from "./receiver.ts";

const KEY = Buffer.from("0123456789abcdefghijklmn");
const NOW = new Date("2026-03-01T08:00:00.500Z");
/** Nothing listens on this port. The port of a closed server may belong to another process a moment later. */
const CLOSED_PORT = 1;
const call = {
  secret: `whsec_${KEY.toString("base64")}`,
  id: "t/demo/one",
  body: '{"id":1}',
  type: "application/json",
};

async function open(
  t: ExecutionContext,
  answer?: (received: Received) => number,
  allowed = "127.0.0.1:*",
  headers?: Record<string, string>,
) {
  const receiver = await openReceiver(answer, headers);
  const receivers = openReceivers({ allowed: parsePrivateReceivers(allowed), now: () => NOW, timeoutMs: PATIENT_MS });
  t.teardown(async () => {
    await receivers.close();
    await receiver.close();
  });
  return { receiver, send: (url = receiver.url) => receivers.call({ ...call, url }) };
}

test("a call is signed as Standard Webhooks requires: HMAC-SHA256 of ID, time in seconds and body", async (t) => {
  const { receiver, send } = await open(t);
  t.deepEqual(await send(), { kind: "delivered" });
  const [{ headers, body } = { headers: {}, body: "" }] = receiver.calls;
  t.is(body, call.body);
  t.is(headers["webhook-id"], call.id);
  t.is(headers["webhook-timestamp"], "1772352000");
  const expected = createHmac("sha256", KEY).update(`${call.id}.1772352000.${call.body}`).digest("base64");
  t.is(headers["webhook-signature"], `v1,${expected}`);
});

test("410 means that the receiver no longer accepts events", async (t) => {
  const { send } = await open(t, () => 410);
  t.deepEqual(await send(), { kind: "gone" });
});

for (const status of [302, 400, 404, 500, 503]) {
  test(`${status} is a failure, and no other address is called`, async (t) => {
    const { receiver, send } = await open(t, () => status);
    t.deepEqual(await send(), { kind: "failed", notice: callNotice("RECEIVER_ANSWERED", { status }) });
    t.is(receiver.calls.length, 1);
  });
}

test("after a failure, the wait is as long as the receiver requests with Retry-After", async (t) => {
  const { send } = await open(t, () => 503, undefined, { "retry-after": "120" });
  t.deepEqual(await send(), {
    kind: "failed",
    notice: callNotice("RECEIVER_ANSWERED", { status: 503 }),
    retryAfterMs: 120_000,
  });
});

test("an unreachable receiver is a failure, not an error", async (t) => {
  const { send } = await open(t);
  t.is((await send(`http://127.0.0.1:${CLOSED_PORT}/events`)).kind, "failed");
});

test("a tenant's view of a failed call omits the resolved addresses, which are logged", async (t) => {
  const { resolve } = answering("127.0.0.1");
  const allowed = parsePrivateReceivers("shop.example:*");
  const receivers = openReceivers({ allowed, now: () => NOW, timeoutMs: PATIENT_MS, resolve });
  t.teardown(receivers.close);
  t.deepEqual(await receivers.call({ ...call, url: `http://shop.example:${CLOSED_PORT}/events` }), {
    kind: "failed",
    notice: callNotice("RECEIVER_SILENT", { fault: "ECONNREFUSED" }),
    detail: `connect ECONNREFUSED 127.0.0.1:${CLOSED_PORT}`,
  });
});

test("an address of this machine is not called in any notation", async (t) => {
  const { receiver, send } = await open(t, undefined, "");
  for (const host of ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]", "localhost"]) {
    const answer = await send(`http://${host}:${receiver.port}/events`);
    t.is(answer.kind, "failed", host);
    t.regex(answer.kind === "failed" ? callText(answer.notice) : "", /public/, host);
  }
  t.is(receiver.calls.length, 0);
});

/** A resolver that returns these addresses in turn, like an attacker's name server. */
function answering(...addresses: string[]) {
  let asked = 0;
  const resolve = ((_name: string, _options: object, callback: (error: null, found: object[]) => void) => {
    const address = addresses[Math.min(asked, addresses.length - 1)] ?? "";
    asked += 1;
    callback(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
  }) as unknown as typeof lookup;
  return { resolve, asked: () => asked };
}

const namesOfOthers: [string, string][] = [
  ["loopback", "127.0.0.1"],
  ["the link", "169.254.169.254"],
  ["a private network", "10.0.0.7"],
  ["a private network in IPv6", "fd00::7"],
  ["loopback as mapped IPv6", "::ffff:127.0.0.1"],
];
for (const [what, address] of namesOfOthers) {
  test(`a name that resolves to ${what} is not called`, async (t) => {
    const { receiver } = await open(t);
    const { resolve } = answering(address);
    const receivers = openReceivers({
      allowed: parsePrivateReceivers(""),
      now: () => NOW,
      timeoutMs: PATIENT_MS,
      resolve,
    });
    t.teardown(receivers.close);
    const answer = await receivers.call({ ...call, url: `http://shop.example:${receiver.port}/events` });
    t.deepEqual(answer, {
      kind: "failed",
      notice: callNotice("RECEIVER_PRIVATE", {}),
      detail: `shop.example resolves to ${address}, which is not public`,
    });
    t.is(receiver.calls.length, 0);
  });
}

test("a name is resolved once for each connection, which is then made to the checked address", async (t) => {
  const { receiver } = await open(t);
  // 192.0.2.1 is not public either. A public address without a server shows that the connection was attempted.
  const { resolve, asked } = answering("127.0.0.1", "8.8.8.8");
  const receivers = openReceivers({
    allowed: parsePrivateReceivers(""),
    now: () => NOW,
    timeoutMs: PATIENT_MS,
    resolve,
  });
  t.teardown(receivers.close);
  const answer = await receivers.call({ ...call, url: `http://shop.example:${receiver.port}/events` });
  t.is(answer.kind, "failed");
  t.is(asked(), 1);
  t.is(receiver.calls.length, 0);
});

test("a name is called only on the ports that the operator lists for it", async (t) => {
  const { receiver } = await open(t);
  for (const [list, kind] of [
    [`shop.example:${receiver.port}`, "delivered"],
    ["shop.example:*", "delivered"],
    [`127.0.0.0/8:${receiver.port}`, "delivered"],
    ["shop.example:1", "failed"],
    [`other.example:${receiver.port}`, "failed"],
    ["10.0.0.0/8:*", "failed"],
  ] as const) {
    const { resolve } = answering("127.0.0.1");
    const receivers = openReceivers({
      allowed: parsePrivateReceivers(list),
      now: () => NOW,
      timeoutMs: PATIENT_MS,
      resolve,
    });
    t.teardown(receivers.close);
    const answer = await receivers.call({ ...call, url: `http://shop.example:${receiver.port}/events` });
    t.is(answer.kind, kind, list);
  }
  t.is(receiver.calls.length, 3);
});
