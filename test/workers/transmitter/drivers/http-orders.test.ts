import test from "ava";
import type { Answer, OrderToSend } from "../../../../workers/transmitter/drivers/label-server.ts";
import { page, type Reply, refused, SECRET, serve } from "../serve.ts";

const order: OrderToSend = {
  store: "t/demo/s/main",
  barcode: "A4123456789012345",
  number: 1_790_000_000_000_000,
  priority: "high",
  transceivers: ["T1", "č2"],
  order: "flash",
  body: { duration: 4, color: "GREEN", flashType: 50 },
};

for (const kind of ["flash", "display-page", "fingerprint"] as const) {
  test(`${kind} is a separate POST to the label, with the headers of a page`, async (t) => {
    const { calls, driver } = await serve(t, () => ({ status: 202 }));
    t.deepEqual(await driver.sendOrder({ ...order, order: kind }), { kind: "accepted" });
    t.like(calls[0], { method: "POST", path: `/labels/A4123456789012345/${kind}` });
    t.like(calls[0]?.headers, {
      authorization: `Bearer ${SECRET}`,
      "content-type": "application/json",
      "idempotency-key": `A4123456789012345-${kind}-1790000000000000`,
      priority: "high",
      store: "t/demo/s/main",
      transceiver: "T1, %C4%8D2",
    });
    t.deepEqual(JSON.parse(String(calls[0]?.body)), order.body);
  });
}

const answers: [rule: string, reply: Reply, answer: Answer][] = [
  [
    "503 means retry soon, since an order is urgent",
    { status: 503 },
    { kind: "later", afterMs: 1000, reason: "the label server answered 503", server: "busy" },
  ],
  [
    "429 means retry later, after the given delay",
    { status: 429, headers: { "retry-after": "7" } },
    { kind: "later", afterMs: 7000, reason: "the label server answered 429", server: "busy", restMs: 7000 },
  ],
  [
    "a connection closed without a response means retry soon",
    "hangs up",
    { kind: "later", afterMs: 1000, reason: "the label server did not answer: UND_ERR_SOCKET", server: "silent" },
  ],
  ["404 means refused", { status: 404, body: "who?" }, refused(404)],
];
for (const [rule, reply, answer] of answers) {
  test(rule, async (t) => {
    const { driver } = await serve(t, () => reply);
    t.deepEqual(await driver.sendOrder(order), answer);
  });
}

test("unanswered orders and unanswered pages open the same circuit", async (t) => {
  const { driver } = await serve(t, () => "hangs up");
  for (const _ of [1, 2]) await driver.sendPage(page);
  for (const _ of [1, 2]) await driver.sendOrder(order);
  t.false(driver.isAway());
  await driver.sendOrder(order);
  t.true(driver.isAway());
});
