import test from "ava";
import { Webhook } from "standardwebhooks";
import { openDeliveries } from "../../../../records/outbox/deliveries.ts";
import { callNotice } from "../../../../schemas/call-notice.ts";
import type { ChangeEvent } from "../../../../schemas/events.ts";
import { subscriptionKey } from "../../../../schemas/keys.ts";
import { eventually } from "../../../harness/eventually.ts";
import { openShelfwire, type Shelfwire } from "../../../harness/shelfwire.ts";
import { openReceiver } from "../../../workers/notifier/receiver.ts";
import { bodyOf, pointersOf, refused, writeItems } from "../../calls.ts";
import { manage } from "../calls.ts";

let shelfwire: Shelfwire;
let closed: Shelfwire;
test.before(async () => {
  shelfwire = await openShelfwire({ workers: ["item", "notifier"], settings: { WEBHOOKS_PRIVATE: "127.0.0.0/8:*" } });
  closed = await openShelfwire({ workers: [] });
});
test.after.always(async () => {
  await shelfwire.close();
  await closed.close();
});

interface Answer {
  subscriptionId: string;
  secret?: string;
  topics: string[];
  url: string;
  stores?: string[];
  eventsACall: number;
  stopped: string | null;
  waiting: number;
  dead: number;
  lastFailure: string | null;
  lastFailureNotice?: object;
}

const subscribe = async (order: object): Promise<Answer> =>
  bodyOf(await manage(shelfwire, "POST", "/subscriptions", { topics: ["link.v2"], ...order }), 201);
const read = async (id: string): Promise<Answer> => bodyOf(await manage(shelfwire, "GET", `/subscriptions/${id}`));

test("a subscription is created with a secret that is shown once, and is listed, changed and deleted", async (t) => {
  const { secret, ...made } = await subscribe({ url: "https://shop.example/events", stores: ["main"] });
  t.regex(secret ?? "", /^whsec_[A-Za-z0-9+/]{32}$/);
  t.like(made, {
    topics: ["link.v2"],
    stores: ["main"],
    eventsACall: 1,
    stopped: null,
    waiting: 0,
    dead: 0,
  });
  const listed = await bodyOf<Answer[]>(await manage(shelfwire, "GET", "/subscriptions"));
  t.deepEqual(
    listed.filter(({ subscriptionId }) => subscriptionId === made.subscriptionId),
    [made],
  );
  const path = `/subscriptions/${made.subscriptionId}`;
  const change = { url: "https://shop.example/others", eventsACall: 50, stores: null };
  const changed = await bodyOf<Answer>(await manage(shelfwire, "PATCH", path, change));
  t.like(changed, { topics: ["link.v2"], url: change.url, eventsACall: 50 });
  t.false("stores" in changed);
  t.false("secret" in changed);
  t.is((await manage(shelfwire, "DELETE", path)).status, 204);
  await refused(t, await manage(shelfwire, "GET", path), 404);
  await refused(t, await manage(shelfwire, "PATCH", path, change), 404);
  await refused(t, await manage(shelfwire, "DELETE", path), 404);
});

test("a stored response contains no secret: repeating an Idempotency-Key returns none", async (t) => {
  const order = { topics: ["link.v2"], url: "https://shop.example/kept" };
  const send = () => manage(shelfwire, "POST", "/subscriptions", order, { "idempotency-key": "kept-secret" });
  const { secret = "", ...first } = (await (await send()).json()) as Answer;
  t.regex(secret, /^whsec_/);
  const kept = await shelfwire.system.db.collection("idempotencykey").find({}).toArray();
  t.true(kept.length > 0);
  t.false(JSON.stringify(kept).includes(secret));
  const again = await send();
  t.is(again.headers.get("idempotency-replayed"), "true");
  t.deepEqual(await again.json(), first);
});

test("a caller's own secret signs the calls and can be changed", async (t) => {
  const receiver = await openReceiver();
  t.teardown(receiver.close);
  const secrets = ["0123456789abcdefghijklmn", "zyxwvutsrqponmlkjihgfedc"].map(
    (text) => `whsec_${Buffer.from(text).toString("base64")}`,
  );
  const { subscriptionId, secret } = await subscribe({ url: receiver.url, secret: secrets[0] });
  t.is(secret, secrets[0]);
  for (const own of secrets) {
    await manage(shelfwire, "PATCH", `/subscriptions/${subscriptionId}`, { secret: own });
    await manage(shelfwire, "POST", `/subscriptions/${subscriptionId}/test`);
    // A call without an answer in time is repeated, so a call with the former secret may come once more.
    await eventually("a call with this secret arrives", async () => {
      const { body = "", headers = {} } = receiver.calls.at(-1) ?? {};
      return new Webhook(own).verify(body, headers as Record<string, string>) !== undefined;
    });
  }
  t.pass();
});

const faults: [string, object, string[]][] = [
  ["a secret that is too short", { secret: "whsec_c2hvcnQ=" }, ["/secret"]],
  ["no topic", { topics: [] }, ["/topics"]],
  ["an unknown topic", { topics: ["link.v3"] }, ["/topics/0"]],
  ["another scheme", { url: "ftp://shop.example" }, ["/url"]],
  ["no URL", { url: "https://" }, ["/url"]],
  ["a URL with a password", { url: "https://user:secret@shop.example/" }, ["/url"]],
  ["too many events per call", { eventsACall: 101 }, ["/eventsACall"]],
  ["no store", { stores: [] }, ["/stores"]],
  ["an impossible store", { stores: ["a/b"] }, ["/stores/0"]],
];
for (const [what, differs, pointers] of faults) {
  test(`a subscription with ${what} is refused`, async (t) => {
    const order = { topics: ["link.v2"], url: "https://shop.example/", ...differs };
    t.deepEqual(pointersOf(await refused(t, await manage(shelfwire, "POST", "/subscriptions", order), 400)), pointers);
  });
}

for (const host of ["127.0.0.1", "127.1", "0x7f000001", "[::1]", "169.254.169.254", "10.0.0.1", "[::ffff:10.0.0.1]"]) {
  test(`a subscription to ${host} is refused immediately, on creation and on change`, async (t) => {
    const order = { topics: ["link.v2"], url: `http://${host}:8080/events` };
    const problem = await refused(t, await manage(closed, "POST", "/subscriptions", order), 400);
    t.deepEqual(pointersOf(problem), ["/url"]);
    const sound = await manage(closed, "POST", "/subscriptions", { ...order, url: "https://shop.example/" });
    const { subscriptionId } = (await sound.json()) as Answer;
    await refused(t, await manage(closed, "PATCH", `/subscriptions/${subscriptionId}`, { url: order.url }), 400);
  });
}

test("a test delivery arrives, signed with the secret from the response", async (t) => {
  const receiver = await openReceiver();
  t.teardown(receiver.close);
  const { subscriptionId, secret = "" } = await subscribe({ url: receiver.url });
  const sent = await bodyOf<{ eventId: string }>(
    await manage(shelfwire, "POST", `/subscriptions/${subscriptionId}/test`),
  );
  const { headers, body } = await eventually("the event arrives", async () => receiver.calls[0]);
  const event = new Webhook(secret).verify(body, headers as Record<string, string>) as ChangeEvent;
  t.like(event, { id: sent.eventId, type: "shelfwire.test", source: "/t/demo" });
  await eventually("nothing waits", async () => (await read(subscriptionId)).waiting === 0);
  await refused(t, await manage(shelfwire, "POST", "/subscriptions/none/test"), 404);
});

test("items with names in any script are delivered unchanged", async (t) => {
  const receiver = await openReceiver();
  t.teardown(receiver.close);
  await subscribe({ url: receiver.url, topics: ["storeitemvalues.v1"] });
  await eventually("the subscription is in effect", async () => {
    await writeItems(shelfwire, [{ itemId: "šećer 糖 🍬", price: String(Math.random()) }]);
    return receiver.calls.some(({ body }) => body.includes("šećer 糖 🍬"));
  });
  t.true(receiver.calls.every(({ headers }) => /^msg_[\w-]{43}$/.test(String(headers["webhook-id"]))));
});

test("a failed event is listed with the receiver's response and replayed", async (t) => {
  let isAway = true;
  // No other attempt follows the first answer: it would make the event wait again after it was abandoned here.
  const receiver = await openReceiver(() => (isAway ? 500 : 204), { "retry-after": "3600" });
  t.teardown(receiver.close);
  const { subscriptionId } = await subscribe({ url: receiver.url });
  const path = `/subscriptions/${subscriptionId}`;
  await manage(shelfwire, "POST", `${path}/test`);
  // On a busy machine an attempt may end without an answer; it is repeated.
  await eventually(
    "the receiver's answer is listed",
    async () => (await read(subscriptionId)).lastFailure === "the receiver answered 500",
  );
  // Abandoned now, as after 24 hours.
  const { db, now } = shelfwire.system;
  const key = subscriptionKey("t/demo", subscriptionId);
  const [waiting] = await db.collection<{ _id: string }>("delivery").find({ subscription: key }).toArray();
  const id = waiting?._id ?? "";
  const notice = callNotice("RECEIVER_ANSWERED", { status: 500 });
  await openDeliveries(db, now).putOff([{ id, attempts: 30, due: undefined, notice }]);
  t.like(await read(subscriptionId), { waiting: 0, dead: 1 });
  const dead = await bodyOf<object[]>(await manage(shelfwire, "GET", `${path}/dead-letters`));
  t.is(dead.length, 1);
  t.like(dead[0], { deadLetterId: id, attempts: 30, reason: "the receiver answered 500", notice });
  t.deepEqual((await read(subscriptionId)).lastFailureNotice, notice);
  t.deepEqual(await bodyOf(await manage(shelfwire, "GET", `${path}/dead-letters?start=1`)), []);
  isAway = false;
  const calls = receiver.calls.length;
  const none = await bodyOf(await manage(shelfwire, "POST", `${path}/replay`, { deadLetterIds: ["another"] }));
  t.deepEqual(none, { replayed: 0 });
  t.deepEqual(await bodyOf(await manage(shelfwire, "POST", `${path}/replay`)), { replayed: 1 });
  await eventually("the event arrives", async () => receiver.calls.length > calls);
  await eventually("no event is left", async () => {
    const { waiting: left, dead: given } = await read(subscriptionId);
    return left + given === 0;
  });
});

test("a stopped subscription receives events again after it is changed", async (t) => {
  let status = 410;
  const receiver = await openReceiver(() => status);
  t.teardown(receiver.close);
  const { subscriptionId } = await subscribe({ url: receiver.url });
  const path = `/subscriptions/${subscriptionId}`;
  await manage(shelfwire, "POST", `${path}/test`);
  await eventually("the subscription is stopped, and nothing waits", async () => {
    const { stopped, waiting } = await read(subscriptionId);
    return stopped !== null && waiting === 0;
  });
  status = 204;
  t.is((await bodyOf<Answer>(await manage(shelfwire, "PATCH", path, { url: receiver.url }))).stopped, null);
  const calls = receiver.calls.length;
  await manage(shelfwire, "POST", `${path}/test`);
  await eventually("an event arrives", async () => receiver.calls.length > calls);
  t.pass();
});
