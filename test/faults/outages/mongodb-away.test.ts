import { setTimeout } from "node:timers/promises";
import test from "ava";
import type { DatabaseProxy } from "../../../scripts/develop/proxy/database-proxy.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, itemOutcomes, labelFor, labelOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

const shelfwire = ownStack({ withProxy: true, isImpatient: true });

/** Sends prices while the database is unreachable; each call must be refused. */
async function refusals(prefix: string): Promise<Response[]> {
  const { call } = shelfwire;
  const answers = [call("PATCH", "/items", [{ itemId: `${prefix}-1`, price: "1.00" }])];
  answers.push(call("PATCH", `/items/${prefix}-2`, { price: "1.00" }));
  answers.push(call("PATCH", "/labels", [{ barcode: labelFor(prefix), links: [{ itemId: "milk" }] }]));
  answers.push(call("POST", "/labels/link-single", { barcode: labelFor(prefix), itemId: "milk" }));
  answers.push(call("GET", "/items"));
  return Promise.all(answers);
}

/** Repeats a read while it is refused, because on a busy machine the database may still respond late. */
const readAfterwards = (path: string): Promise<Response> =>
  eventually(`${path} is read`, async () => {
    const answer = await shelfwire.call("GET", path);
    return answer.status !== 503 && answer;
  });

for (const [how, fail] of [
  ["hangs", (proxy: DatabaseProxy) => proxy.hold()],
  ["refuses connections", (proxy: DatabaseProxy) => proxy.cut()],
] as const) {
  test.serial(`while MongoDB ${how} calls are refused with 503, and none takes effect later`, async (t) => {
    const { client, proxy } = shelfwire;
    const prefix = how.split(" ")[0] ?? "";
    await itemOutcomes(shelfwire, await client.patchItems([{ itemId: "milk", itemName: "Milk", price: "1.10" }]));
    if (proxy) fail(proxy);
    const began = performance.now();
    for (const answer of await refusals(prefix)) {
      t.is(answer.status, 503);
      t.truthy(answer.headers.get("retry-after"));
      t.is(((await answer.json()) as { type: string }).type, "/problems/unavailable");
    }
    t.log(`the last refusal came after ${Math.round(performance.now() - began)} ms`);
    t.is((await fetch(`${shelfwire.origin}/readyz`)).status, 503);
    // Long enough for every connection and every job of the workers to meet the outage.
    await setTimeout(5_000);
    proxy?.restore();

    const barcode = labelFor(`after ${how}`);
    await client.patchItems([{ itemId: how, itemName: "After the outage", price: "2.00" }]);
    const links = await client.patchLabels([{ barcode, links: [{ itemId: how }] }]);
    // An ordered request starts once every smaller number is settled, including the numbers of refused calls.
    t.is((await labelOutcomes(shelfwire, links))[0]?.status, "SUCCESS");
    t.truthy(await glassOf(shelfwire, barcode));
    for (const itemId of [`${prefix}-1`, `${prefix}-2`]) t.is((await readAfterwards(`/items/${itemId}`)).status, 404);
    t.is((await readAfterwards(`/labels/${labelFor(prefix)}`)).status, 404);
  });
}

const FULL = { ok: 0, code: 14_031, errmsg: "available disk space of 1 byte is less than required" };
const FULL_DETAIL =
  "The database is full and stores nothing until its operator provides more space. Nothing was changed; send the request again.";
const isWrite = (name: string): boolean => ["insert", "update", "findAndModify"].includes(name);

test.serial(
  "while MongoDB is full, writes are refused with 503 and a reason, and none takes effect later",
  async (t) => {
    const { client, proxy, call } = shelfwire;
    proxy?.answer({
      matches: ({ name, collection }) => isWrite(name) && collection === "journal",
      document: FULL,
      times: Number.POSITIVE_INFINITY,
    });
    await eventually("the refusal names the reason", async () => {
      const answer = await call("PATCH", "/items", [{ itemId: "full-1", price: "1.00" }]);
      t.is(answer.status, 503);
      t.truthy(answer.headers.get("retry-after"));
      const { detail } = (await answer.json()) as { detail: string };
      return detail === FULL_DETAIL;
    });
    t.is((await readAfterwards("/items")).status, 200, "stored records can be read");
    proxy?.answerNothing();
    await itemOutcomes(shelfwire, await client.patchItems([{ itemId: "full-2", price: "1.00" }]));
    t.is((await readAfterwards("/items/full-1")).status, 404);
  },
);

test.serial("accepted rows wait while MongoDB is full and are applied when it has space", async (t) => {
  const { client, proxy } = shelfwire;
  const refused = proxy?.answer({
    matches: ({ name, collection }) => isWrite(name) && collection === "storeitemvalues.v1",
    document: FULL,
    times: 2,
  });
  const [outcome] = await itemOutcomes(shelfwire, await client.patchItems([{ itemId: "full-3", price: "1.00" }]));
  t.is(refused?.(), 0);
  t.is(outcome?.status, "SUCCESS_NEW_ITEM");
});

test.serial("no job has failed permanently", async (t) => {
  const { publisher } = shelfwire.system;
  for (const queue of ["item", "link", "evaluator", "renderer", "merger", "transmitter"] as const)
    t.is(await publisher.queue(queue).getFailedCount(), 0, queue);
});
