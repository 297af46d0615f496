import { isDeepStrictEqual } from "node:util";
import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { LABEL_SERVER_SECRET } from "../../harness/served.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, pointersOf, refused } from "../calls.ts";
import { operate } from "./calls.ts";

const shelfwire = servedStack({ workers: [] });
const call = (method: string, path: string, body?: unknown, headers = {}) =>
  operate(shelfwire, method, `/t/demo/api/management/v1${path}`, body, headers);

const url = "https://labels.example.com";
const store = { name: "x", timeZone: "Europe/Zagreb", currency: "EUR", locale: "hr-HR", linkDepartments: [] };
const putStore = (storeId: string, differs: object) => call("PUT", `/stores/${storeId}`, { ...store, ...differs });

/** Reports labels of these stores as a label server with this secret would; returns the status. */
const report = async (secret: string, ...storeIds: string[]) =>
  fetch(`${shelfwire.origin}/label-server/v1/reports`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
    body: JSON.stringify({
      reports: storeIds.map((storeId) => ({
        store: `t/demo/s/${storeId}`,
        barcode: labelFor(storeId),
        kind: "check-in",
        at: "2026-07-01T10:00:00.000Z",
      })),
    }),
  });

test.serial("a label server gets a secret that is shown once and survives a change of address", async (t) => {
  const made = await call("PUT", "/label-servers/cellar", { url }, { "if-none-match": "*" });
  const { secret, ...shown } = await bodyOf<{ secret: string }>(made);
  t.regex(secret, /^[\w-]{32}$/);
  t.deepEqual(shown as object, { labelServerId: "cellar", url });
  const read = await call("GET", "/label-servers/cellar");
  const tag = read.headers.get("etag") ?? "";
  t.is(made.headers.get("etag"), tag);
  t.deepEqual(await bodyOf<object>(read), { labelServerId: "cellar", url });
  t.deepEqual(await bodyOf<object>(await call("GET", "/label-servers")), [{ labelServerId: "cellar", url }]);
  t.is((await putStore("cellar", { labelServer: "cellar" })).status, 200);
  t.is((await report(secret, "cellar")).status, 204);

  const moved = { url: "http://127.0.0.1:9999/base" };
  const changed = await call("PUT", "/label-servers/cellar", moved, { "if-match": tag });
  t.deepEqual(await bodyOf<object>(changed), { labelServerId: "cellar", ...moved });
  await refused(t, await call("PUT", "/label-servers/cellar", moved, { "if-match": tag }), 412);
  t.is((await report(secret, "cellar")).status, 204);
});

test.serial("a label server may report only for the stores assigned to it", async (t) => {
  const secret = "the-secret-of-the-attic";
  t.is((await call("PUT", "/label-servers/attic", { url, secret })).status, 200);
  t.is((await putStore("attic", { labelServer: "attic" })).status, 200);
  t.is((await report(secret, "attic")).status, 204);
  t.is((await refused(t, await report(secret, "main"), 403)).type, "/problems/forbidden");
  t.is((await report(LABEL_SERVER_SECRET, "main")).status, 204);
  t.regex((await refused(t, await report(LABEL_SERVER_SECRET, "attic"), 403)).detail, /t\/demo\/s\/attic/);
  await refused(t, await report("a secret of nobody's at all", "attic"), 401);
});

test.serial("reports for stores that have moved do not delay other reports", async (t) => {
  const secret = "the-secret-of-the-tower";
  t.is((await call("PUT", "/label-servers/tower", { url, secret })).status, 200);
  t.is((await putStore("tower", { labelServer: "tower" })).status, 200);
  t.is((await report(LABEL_SERVER_SECRET, "main", "tower")).status, 204);
  t.is((await putStore("tower", {})).status, 200);
  t.is((await report(LABEL_SERVER_SECRET, "tower")).status, 204);
});

test.serial("a new secret invalidates the previous one", async (t) => {
  const put = (secret: string) => call("PUT", "/label-servers/gate", { url, secret });
  t.is((await put("the-first-secret-of-the-gate")).status, 200);
  t.is((await putStore("gate", { labelServer: "gate" })).status, 200);
  t.deepEqual(await bodyOf<object>(await put("the-second-secret-of-the-gate")), { labelServerId: "gate", url });
  t.is((await report("the-second-secret-of-the-gate", "gate")).status, 204);
  await refused(t, await report("the-first-secret-of-the-gate", "gate"), 401);
});

test.serial(
  "during rotation both secrets are valid; a new address keeps both, and the next new secret replaces the older one",
  async (t) => {
    const secrets = { secret: "the-next-secret-of-the-yard", otherSecret: "the-former-secret-of-the-yard" };
    const put = (order: object) => call("PUT", "/label-servers/yard", { url, ...order });
    const statuses = async () => [
      (await report(secrets.secret, "yard")).status,
      (await report(secrets.otherSecret, "yard")).status,
    ];
    t.is((await put({ secret: secrets.otherSecret })).status, 200);
    t.is((await putStore("yard", { labelServer: "yard" })).status, 200);
    t.deepEqual(await bodyOf<object>(await put(secrets)), { labelServerId: "yard", url }, "neither secret is shown");
    t.deepEqual(await statuses(), [204, 204]);
    t.is((await put({})).status, 200);
    t.deepEqual(await statuses(), [204, 204]);
    t.is((await put({ secret: secrets.secret })).status, 200);
    await eventually("the former secret is refused", async () => isDeepStrictEqual(await statuses(), [204, 401]));
    t.is((await put({ otherSecret: secrets.otherSecret })).status, 200);
    await eventually("both secrets are valid again", async () => isDeepStrictEqual(await statuses(), [204, 204]));
  },
);

test.serial("a store must name a known label server, and a label server in use cannot be removed", async (t) => {
  const unknown = await refused(t, await putStore("shed", { labelServer: "none" }), 400);
  t.deepEqual(pointersOf(unknown), ["/labelServer"]);
  t.is((await call("PUT", "/label-servers/shed", { url })).status, 200);
  t.is((await putStore("shed", { labelServer: "shed" })).status, 200);
  t.is((await bodyOf<{ labelServer: string }>(await call("GET", "/stores/shed"))).labelServer, "shed");
  t.regex((await refused(t, await call("DELETE", "/label-servers/shed"), 409)).detail, /store "shed"/);
  t.is((await call("DELETE", "/stores/shed")).status, 204);
  t.is((await call("DELETE", "/label-servers/shed")).status, 204);
});

test.serial("a label server's driver follows from a broker's address, and changes with the address", async (t) => {
  const put = (order: object) => call("PUT", "/label-servers/broker", order);
  const broker = { url: "mqtts://broker.example.com:8883", topicPrefix: "shops/esl" };
  const shown = { labelServerId: "broker", ...broker, driver: "mqtt" };
  t.deepEqual(await bodyOf<object>(await put({ ...broker, secret: "the-secret-of-the-broker" })), shown);
  const moved = { ...shown, url: "mqtt://broker.example.com" };
  t.deepEqual(await bodyOf<object>(await put({ url: moved.url })), moved);
  t.deepEqual(await bodyOf<object>(await put({ url })), { labelServerId: "broker", url, topicPrefix: "shops/esl" });
  const accessPoint = { url: "http://192.0.2.7", driver: "openepaperlink" };
  t.like(await bodyOf<object>(await put(accessPoint)), accessPoint);
  t.like(await bodyOf<object>(await put({ url: "http://192.0.2.8" })), { driver: "openepaperlink" });
  t.like(await bodyOf<object>(await put(broker)), { driver: "mqtt" });
});

for (const [what, order, pointers] of [
  ["an invalid address", { url: "http://" }, ["/url"]],
  ["a user in its address", { url: "https://user:secret@labels.example.com" }, ["/url"]],
  ["a broker's address and a driver that does not speak MQTT", { url: "mqtt://broker", driver: "http" }, ["/url"]],
  ["a broker's driver and an address that is not a broker's", { url, driver: "mqtt" }, ["/url"]],
  ["a path after its broker", { url: "mqtts://broker:8883/shop" }, ["/url"]],
  ["no host for its broker", { url: "mqtt://" }, ["/url"]],
  ["a wildcard in its topics", { url: "mqtt://broker", topicPrefix: "shops/+" }, ["/topicPrefix"]],
  ["an empty level in its topics", { url: "mqtt://broker", topicPrefix: "shops//x" }, ["/topicPrefix"]],
  ["a short secret", { url, secret: "short" }, ["/secret"]],
  ["a space in its secret", { url, secret: "twenty characters and more " }, ["/secret"]],
] as const)
  test.serial(`a label server with ${what} is refused`, async (t) => {
    t.deepEqual(pointersOf(await refused(t, await call("PUT", "/label-servers/refused", order), 400)), [...pointers]);
  });
