import test from "ava";
import { bodyOf, writeLabels } from "../../api/calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import "../../harness/processes/order-patiently.ts";

const shelfwire = ownStack({ workers: ["link", "transmitter"], withProxy: true, withFront: true });

test.serial("a flash sent during a database outage is sent once, and recorded when the database is back", async (t) => {
  const { front, proxy } = shelfwire;
  const barcode = labelFor("unnoted");
  await writeLabels(shelfwire, [{ barcode }]);
  const calls = () => (front?.orders() ?? []).filter(({ path }) => path.endsWith("/flash")).length;
  front?.answer(({ path }) => (path.endsWith("/flash") ? "held" : undefined));
  t.is((await shelfwire.call("POST", `/labels/${barcode}/flash`)).status, 200);
  await eventually("the flash is sent", async () => calls() === 1);
  proxy?.cut();
  front?.release();
  const flashes = shelfwire.system.publisher.queue("flash");
  await eventually("recording the flash is postponed", async () => (await flashes.getDelayedCount()) === 1);
  proxy?.restore();
  const history = await eventually("the flash is recorded", async () => {
    const answer = await shelfwire.call("GET", `/labels/${barcode}/history`);
    const history = await bodyOf<{ event: string; result: string }[]>(answer);
    return history.length > 0 && history;
  });
  t.like(history, [{ event: "flash", result: "sent" }]);
  t.is(history.length, 1);
  t.is(calls(), 1);
});
