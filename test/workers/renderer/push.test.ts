import test, { type ExecutionContext } from "ava";
import { pino } from "pino";
import { Webhook } from "standardwebhooks";
import { isUnavailable, UnavailableError } from "../../../records/mongodb/unavailable.ts";
import type { Change, Topic } from "../../../schemas/topics.ts";
import { openPush } from "../../../workers/renderer/push.ts";

const SECRET = `whsec_${Buffer.from("0123456789abcdefghijklmn").toString("base64")}`;
const LINK = "t/demo/s/main/links/D42FLOFYMKP013280-0";
const data = { key: LINK, rev: 7, operation: "UPDATED", changed: ["status"] };
const event = {
  specversion: "1.0",
  id: `${LINK}#7`,
  source: "/t/demo/s/main",
  type: "designerlink.v1",
  subject: LINK,
  time: "2026-03-01T08:00:00.000Z",
  datacontenttype: "application/json",
  data,
};

async function open(
  t: ExecutionContext,
  handled: (topic: Topic, changes: readonly Change[]) => Promise<unknown>,
  behind: readonly [string, number][] = [],
) {
  const handle = async (topic: Topic, changes: readonly Change[]) => {
    await handled(topic, changes);
    return { behind: new Map(behind) };
  };
  const log = pino({ level: "silent" });
  const topics = ["designerlink.v1", "design.v1"] as const;
  const push = await openPush({ port: 0, secret: SECRET, topics, handle, isUnavailable, log });
  t.teardown(push.close);
  return async (body: unknown, path = "/push/designerlink.v1", secret = SECRET, method = "POST") => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const at = new Date();
    const answer = await fetch(`http://127.0.0.1:${push.port}${path}`, {
      method,
      headers: {
        "webhook-id": "one",
        "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
        "webhook-signature": new Webhook(secret).sign("one", at, text),
      },
      ...(method === "POST" && { body: text }),
    });
    await answer.text();
    return answer;
  };
}

test("a signed event is handled as a change of its topic", async (t) => {
  const handled: unknown[] = [];
  const push = await open(t, async (topic, changes) => handled.push({ topic, changes }));
  t.is((await push(event)).status, 204);
  t.deepEqual(handled, [{ topic: "designerlink.v1", changes: [{ ...data, urgency: "interactive" }] }]);
});

test("a change whose record is read at an earlier rev must be sent again", async (t) => {
  const push = await open(t, async () => {}, [[data.key, 1]]);
  t.is((await push(event)).status, 503);
});

test("a list of events is handled together, as bulk work", async (t) => {
  const handled: (readonly Change[])[] = [];
  const push = await open(t, async (_, changes) => handled.push(changes));
  t.is((await push([event, event])).status, 204);
  t.deepEqual(handled, [[data, data].map((one) => ({ ...one, urgency: "bulk" }))]);
});

test("a subscription's test event is accepted, and nothing is handled", async (t) => {
  let count = 0;
  const push = await open(t, async () => {
    count += 1;
  });
  t.is((await push({ ...event, type: "shelfwire.test", data: { message: "a test" } })).status, 204);
  t.is(count, 0);
});

const refusals: [string, number, unknown, string?, string?, string?][] = [
  ["a signature with another secret", 401, event, undefined, `whsec_${"A".repeat(32)}`],
  ["a topic that the renderer does not handle", 404, event, "/push/link.v2"],
  ["a different path", 404, event, "/"],
  ["a different method", 405, "", undefined, undefined, "GET"],
  ["an event of a different topic", 400, { ...event, type: "design.v1" }],
  ["an event without a key", 400, { ...event, data: { ...data, key: undefined } }],
  ["an empty list", 400, []],
  ["more than 2 MiB", 413, "x".repeat(2 * 2 ** 20 + 1)],
];
for (const [what, status, body, path, secret, method] of refusals) {
  test(`${what} returns ${status}, and nothing is handled`, async (t) => {
    let count = 0;
    const push = await open(t, async () => {
      count += 1;
    });
    t.is((await push(body, path, secret, method)).status, status);
    t.is(count, 0);
  });
}

test("a database outage returns 503, so that the change is pushed again", async (t) => {
  const push = await open(t, () => Promise.reject(new UnavailableError("away")));
  const answer = await push(event);
  t.is(answer.status, 503);
  t.truthy(answer.headers.get("retry-after"));
});
