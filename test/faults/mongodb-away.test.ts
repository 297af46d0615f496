import { setTimeout } from "node:timers/promises";
import test from "ava";
import type { StoreProxy } from "../../scripts/develop/proxy/store-proxy.ts";
import { glassOf, itemOutcomes, labelFor, labelOutcomes } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";

const shelfwire = ownStack({ withProxy: true });

/** Sends prices while the database is away; each call must be refused. */
async function refusals(prefix: string): Promise<Response[]> {
  const { call } = shelfwire;
  const answers = [call("PATCH", "/items", [{ itemId: `${prefix}-1`, price: "1.00" }])];
  answers.push(call("PATCH", `/items/${prefix}-2`, { price: "1.00" }));
  answers.push(call("PATCH", "/labels", [{ barcode: labelFor(prefix), links: [{ itemId: "milk" }] }]));
  answers.push(call("POST", "/labels/link-single", { barcode: labelFor(prefix), itemId: "milk" }));
  answers.push(call("GET", "/items"));
  return Promise.all(answers);
}

for (const [how, fail] of [
  ["hangs", (proxy: StoreProxy) => proxy.hold()],
  ["refuses connections", (proxy: StoreProxy) => proxy.cut()],
] as const) {
  test.serial(`while MongoDB ${how} calls are refused with 503, and none takes effect later`, async (t) => {
    const { client, proxy, call } = shelfwire;
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
    // An ordered request starts when every smaller number is settled, also the numbers of refused calls.
    t.is((await labelOutcomes(shelfwire, links))[0]?.status, "SUCCESS");
    t.truthy(await glassOf(shelfwire, barcode));
    for (const itemId of [`${prefix}-1`, `${prefix}-2`]) t.is((await call("GET", `/items/${itemId}`)).status, 404);
    t.is((await call("GET", `/labels/${labelFor(prefix)}`)).status, 404);
  });
}

test.serial("no job has been given up", async (t) => {
  const { publisher } = shelfwire.system;
  for (const queue of ["item", "link", "evaluator", "renderer", "merger", "transmitter"] as const)
    t.is(await publisher.queue(queue).getFailedCount(), 0, queue);
});
