import test from "ava";
import { SignJWT } from "jose";
import { journalCollection } from "../../../records/requests/journal.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, itemOutcomes, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { JWT_SECRET } from "../../harness/served.ts";
import { numberOf, openStore, pointersOf, refused, writeItems } from "../calls.ts";

const shelfwire = ownStack({ workers: ["item", "link"] });
test.before(async () => {
  await writeItems(shelfwire, [{ itemId: "known" }]);
});

const send = (key: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  shelfwire.call(method, path, body, { "idempotency-key": key, ...headers });
const isReplayed = (answer: Response) => answer.headers.get("idempotency-replayed") === "true";
const lastNumber = async () => {
  const [last] = await journalCollection(shelfwire.system.db)
    .find({ store: DEMO_STORE })
    .sort({ number: -1 })
    .limit(1)
    .toArray();
  return last?.number ?? 0;
};
/** The stored idempotency keys. Tests change them as a killed process or the passing of time would. */
const keys = () => shelfwire.system.db.collection("idempotencykey");

for (const [method, path, body] of [
  ["PATCH", "/items", [{ itemId: "apple", price: "1.99" }]],
  ["PATCH", "/items/apple", { price: "2.99" }],
  ["DELETE", "/items/apple", undefined],
  ["DELETE", "/items", { itemIds: ["apple"] }],
  ["PATCH", "/labels", [{ barcode: labelFor("apple"), links: [{ itemId: "known" }] }]],
] as const) {
  test.serial(`${method} ${path} with a used key returns the first response and takes effect once`, async (t) => {
    const key = `${method} ${path}`.replace(" ", "");
    const first = await send(key, method, path, body);
    t.false(isReplayed(first));
    const number = await numberOf(first);
    for (let again = 0; again < 3; again += 1) {
      const answer = await send(key, method, path, body);
      t.true(isReplayed(answer));
      t.is(answer.headers.get("content-type"), first.headers.get("content-type"));
      t.is(await numberOf(answer), number);
    }
    t.is(await lastNumber(), number);
    t.not(await numberOf(await send(`${key}2`, method, path, body)), number);
  });
}

test.serial("many equal concurrent calls become one request", async (t) => {
  const before = await lastNumber();
  const rows = [{ itemId: "many", price: "1.99" }];
  const answers = await Promise.all(Array.from({ length: 30 }, () => send("at-once", "PATCH", "/items", rows)));
  const accepted = answers.filter(({ status }) => status === 202);
  t.true(accepted.length > 0);
  t.deepEqual(new Set(await Promise.all(accepted.map(numberOf))), new Set([before + 1]));
  t.is(accepted.filter((answer) => !isReplayed(answer)).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 202)) {
    t.regex(answer.headers.get("retry-after") ?? "", /^[1-5]$/);
    t.is((await refused(t, answer, 409)).type, "/problems/idempotency-key-in-use");
  }
  t.is(await lastNumber(), before + 1);
});

test.serial("the same key with another method, path, query or body returns 422 and changes nothing", async (t) => {
  const rows = [{ itemId: "first" }];
  const number = await numberOf(await send("reused", "PATCH", "/items", rows));
  for (const [method, path, body] of [
    ["PATCH", "/items", [{ itemId: "other" }]],
    ["PATCH", "/items", '[ {"itemId": "first"} ]'],
    ["PATCH", "/items?x=1", rows],
    ["PATCH", "/items/first", {}],
    ["DELETE", "/items", { itemIds: ["first"] }],
  ] as const) {
    const problem = await refused(t, await send("reused", method, path, body), 422);
    t.is(problem.type, "/problems/idempotency-key-reused");
  }
  t.is(await lastNumber(), number);
  t.is(await numberOf(await send("reused", "PATCH", "/items", rows)), number);
});

test.serial("a call with a key that is in use returns 409; afterwards it returns the first response", async (t) => {
  // On a busy machine a call may be over before the next one arrives. Both are then repeated with a longer timeout.
  for (const timeout of [5_000, 20_000, 60_000]) {
    const key = `slow-${timeout}`;
    const body = { barcode: labelFor(key), itemId: "known" };
    const path = `/labels/link-single?timeout=${timeout}`;
    const first = send(key, "POST", path, body);
    let isOver = false;
    void first.finally(() => {
      isOver = true;
    });
    await eventually("the first call has started", async () => {
      const begun = { answer: { $exists: false }, heldUntil: { $gt: new Date() } };
      return isOver || (await keys().countDocuments(begun)) > 0;
    });
    const early: number[] = [];
    while (!isOver) early.push((await send(key, "POST", path, body)).status);
    const answer = await send(key, "POST", path, body);
    t.true(isReplayed(answer));
    t.deepEqual(await answer.json(), await (await first).json());
    if (early.includes(409)) return;
  }
  t.fail("no call was refused");
});

test.serial("a refused call frees its key", async (t) => {
  const body = { barcode: labelFor("freed"), itemId: "comes later" };
  const path = "/labels/link-single?timeout=0";
  await refused(t, await send("freed", "POST", path, body), 404);
  await refused(t, await send("freed", "PATCH", "/items", [{}]), 400);
  await writeItems(shelfwire, [{ itemId: "comes later" }]);
  const answer = await send("freed", "POST", path, body);
  t.is(answer.status, 200);
  t.false(isReplayed(answer));
});

test.serial("a key belongs to its store and to the subject of the token", async (t) => {
  const rows = [{ itemId: "own" }];
  const as = async (subject: string) => ({ authorization: `Bearer ${await shelfwire.token({ subject })}` });
  const first = await numberOf(await send("own", "PATCH", "/items", rows, await as("one")));
  t.not(await numberOf(await send("own", "PATCH", "/items", rows, await as("other"))), first);
  const elsewhere = await openStore(shelfwire, "elsewhere");
  t.is(await numberOf(await elsewhere.call("PATCH", "/items", rows, { "idempotency-key": "own" })), 1);
  const renewed = { authorization: `Bearer ${await shelfwire.token({ subject: "one", lifetime: "2h" })}` };
  const again = await send("own", "PATCH", "/items", rows, renewed);
  t.true(isReplayed(again), "a new token is the same caller");
  t.is(await numberOf(again), first);
});

test.serial("a caller without a subject has its own keys, and its client's renewed token shares them", async (t) => {
  const rows = [{ itemId: "without a subject" }];
  const tokenWith = async (claims: Record<string, string>, lifetime = "1h") => ({
    authorization: `Bearer ${await new SignJWT({ tenant: "demo", stores: "*", scope: "items:write", ...claims })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer("shelfwire")
      .setAudience("shelfwire")
      .setExpirationTime(lifetime)
      .sign(new TextEncoder().encode(JWT_SECRET))}`,
  });
  const numbers: number[] = [];
  const callers: Record<string, string>[] = [
    { jti: "one" },
    { jti: "other" },
    { client_id: "erp" },
    {},
    { sub: "jti one" },
    { sub: "" },
  ];
  for (const claims of callers) {
    const answer = await send("nobody's", "PATCH", "/items", rows, await tokenWith(claims));
    t.false(isReplayed(answer), JSON.stringify(claims));
    numbers.push(await numberOf(answer));
  }
  t.is(new Set(numbers).size, numbers.length);
  const renewed = await send("nobody's", "PATCH", "/items", rows, await tokenWith({ client_id: "erp" }, "2h"));
  t.true(isReplayed(renewed));
  t.deepEqual([await numberOf(renewed)], numbers.slice(2, 3));
});

test.serial("if the process is killed after journaling, repeating the call returns its request", async (t) => {
  const rows = [{ itemId: "killed", price: "1.99" }];
  const number = await numberOf(await send("killed", "PATCH", "/items", rows));
  await keys().updateMany({ answer: { $exists: true } }, { $unset: { answer: "" }, $set: { heldUntil: new Date(0) } });
  const answer = await send("killed", "PATCH", "/items", rows);
  t.true(isReplayed(answer));
  t.is(await numberOf(answer), number);
  t.is(await lastNumber(), number);
  await itemOutcomes(shelfwire, number);
});

test.serial("if the process is killed before journaling, repeating the call runs it", async (t) => {
  const rows = [{ itemId: "never journaled" }];
  const number = await numberOf(await send("early", "PATCH", "/items", rows));
  await journalCollection(shelfwire.system.db).deleteOne({ store: DEMO_STORE, number });
  await keys().updateMany({ answer: { $exists: true } }, { $unset: { answer: "" }, $set: { heldUntil: new Date(0) } });
  const answer = await send("early", "PATCH", "/items", rows);
  t.false(isReplayed(answer));
  t.is(await numberOf(answer), number + 1);
});

test.serial("a key expires at the same time as a result", async (t) => {
  const rows = [{ itemId: "forgotten" }];
  const number = await numberOf(await send("forgotten", "PATCH", "/items", rows));
  await keys().updateMany({}, { $set: { takenAt: new Date(Date.now() - 86_400_001) } });
  t.is(await numberOf(await send("forgotten", "PATCH", "/items", [{ itemId: "another" }])), number + 1);
});

for (const key of ["x".repeat(256), "two words", "ključ", "tab\tbed"]) {
  test.serial(`the key ${key.slice(0, 20)} returns 400`, async (t) => {
    const body = JSON.stringify([{ itemId: "apple" }]);
    const headers = { "idempotency-key": Buffer.from(key).toString("latin1"), "content-type": "application/json" };
    const authorization = `Bearer ${await shelfwire.token()}`;
    const answer = await fetch(`${shelfwire.base}/items`, {
      method: "PATCH",
      body,
      headers: { ...headers, authorization },
    });
    t.deepEqual(pointersOf(await refused(t, answer, 400)), ["/header/idempotency-key"]);
  });
}

test.serial("a key may have 255 characters with quotes and symbols; a read requires none", async (t) => {
  t.is((await send(`"${"!".repeat(253)}"`, "PATCH", "/items", [{ itemId: "apple" }])).status, 202);
  for (let again = 0; again < 2; again += 1) t.false(isReplayed(await send("read", "GET", "/items")));
});
