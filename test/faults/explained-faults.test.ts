import test from "ava";
import { processNames } from "../../queues/topology.ts";
import type { LabelExplanation } from "../../schemas/explanation.ts";
import { startRedis } from "../../scripts/start/servers.ts";
import { bodyOf, writeItems, writeLabels } from "../api/calls.ts";
import { eventually } from "../harness/eventually.ts";
import { glassOf, labelFor } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";

const workers = processNames.filter((name) => name !== "renderer" && name !== "item");
const shelfwire = ownStack({ workers });
const barcode = labelFor("bread");

/** Waits until a label's cause is this one; gives the explanation. */
const untilCause = (cause: LabelExplanation["cause"]) =>
  eventually(`the cause is ${cause}`, async () => {
    const answer = await shelfwire.call("GET", `/labels/${barcode}/explain`);
    const explanation = await bodyOf<LabelExplanation>(answer);
    if (explanation.cause !== cause) throw new Error(explanation.sentences.join(" "));
    return explanation;
  });

test.serial("a worker of which no process runs is named, where its turn has come", async (t) => {
  const items = await shelfwire.openWorker("item");
  await writeItems(shelfwire, [{ itemId: "bread", itemName: "Bread", price: "3.10" }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "bread" }] }]);
  t.regex((await untilCause("PROCESS_MISSING")).summary, /shows nothing that is known, .* no process of the renderer/);
  await shelfwire.openWorker("renderer");
  t.regex((await untilCause("UP_TO_DATE")).summary, /"Bread", item "bread" at 3\.10/);

  await items.close();
  await shelfwire.client.patchItems([{ itemId: "bread", price: "3.20" }]);
  const { summary } = await untilCause("PROCESS_MISSING");
  t.regex(summary, /the request \d+ \(patch-items\), .* no process of the item worker runs/);
  await shelfwire.openWorker("item");
  t.regex((await untilCause("UP_TO_DATE")).summary, /at 3\.20/);
});

test.serial("Redis that is away is named, and what waits for it", async (t) => {
  await shelfwire.stores.redis.kill();
  await shelfwire.client.patchItems([{ itemId: "bread", price: "3.30" }]);
  t.regex((await untilCause("REDIS_AWAY")).summary, /the request \d+ \(patch-items\), .*: Redis cannot be reached/);
  shelfwire.stores.redis = await startRedis(Number(new URL(shelfwire.stores.redis.url).port));
  t.regex((await untilCause("UP_TO_DATE")).summary, /at 3\.30/);
  t.truthy(await glassOf(shelfwire, barcode));
});
