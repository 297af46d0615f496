import { setTimeout } from "node:timers/promises";
import { createDateText } from "../../../../api/http/date-text.ts";
import { labelTypes } from "../../../../records/kinds/tenants.ts";
import { labelTypeKey, storeKey, tenantKey } from "../../../../schemas/keys.ts";
import type { SwitchAnswer } from "../../../../schemas/switch.ts";
import { demoStore, STORE_ID, TENANT_ID } from "../../../demo/catalogue.ts";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { labelRowsFor } from "../../../operate/import/label-rows.ts";
import { openBenchSystem } from "../open-system.ts";
import { storeAndShow, untilCompleted } from "../price-list.ts";
import { printUsage, usageOf } from "../report.ts";

const LABELS = 10_000;
const ASLEEP = LABELS / 100;
const TYPE = "1328";
const NEW_PRICE = "2.49";
/** Time from the schedule to the switch, in which it is prepared. */
const AHEAD_MS = 300_000;
const DEADLINE_MS = 20_000;
const REPORTED_AFTER_MS = 30_000;
const POLL_INTERVAL_MS = 1_000;

const print = (text: string) => void process.stdout.write(`     ${text}\n`);

/**
 * Switches 10,000 labels that store two pictures each. One in a hundred is asleep. Measures how long preparation takes and, by
 * the emulator's clock, how far from the scheduled time labels show their new picture. None may be early.
 */
export async function benchSwitch(demo: DemoStack, database: string): Promise<void> {
  const { stack, client } = demo;
  const system = openBenchSystem(demo, database);
  const key = labelTypeKey(tenantKey(TENANT_ID), TYPE);
  await system.commit.change(labelTypes, [key], (_, type) => type && { ...type, images: 2 }, "bulk");
  const items = Array.from({ length: LABELS }, (_, index) => ({
    itemId: `switch ${index}`,
    itemName: `Article ${index}`,
    price: "1.99",
  }));
  await storeAndShow(client, items, stack.emulator);
  const barcodes = labelRowsFor(
    items.map(({ itemId }) => itemId),
    TYPE,
  ).map(({ barcode }) => barcode);
  const asleep = barcodes.slice(0, ASLEEP);
  for (const barcode of asleep) await setAsleep(stack.emulator, barcode);

  const before = usageOf(stack);
  const showAt = new Date(Math.ceil((Date.now() + AHEAD_MS) / 1000) * 1000);
  const localTime = createDateText(demoStore.timeZone, false);
  const validFrom = localTime(showAt);
  const request = await client.patchItems(items.map(({ itemId }) => ({ itemId, price: NEW_PRICE, validFrom })));
  await untilCompleted(() => client.itemsResult(request));
  const began = performance.now();
  const deadline = localTime(new Date(showAt.getTime() - DEADLINE_MS));
  const made = await call<SwitchAnswer>(demo, "POST", "/switches", { validFrom, deadline, atDeadline: "GO_AHEAD" });
  const { switchId } = made;
  const read = () => call<SwitchAnswer>(demo, "GET", `/switches/${switchId}`);
  for (
    let { labels } = await read();
    labels.ready < LABELS - ASLEEP && Date.now() < showAt.getTime();
    { labels } = await read()
  )
    await setTimeout(POLL_INTERVAL_MS);
  print(`${LABELS - ASLEEP} labels keep their pictures after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  const named = await call<{ barcode: string }[]>(
    demo,
    "GET",
    `/switches/${switchId}/labels?readiness=ASLEEP&limit=${LABELS}`,
  );
  const isRight = named.length === ASLEEP && named.every(({ barcode }) => asleep.includes(barcode));
  print(`${isRight ? "ok" : "MISS"}: ${named.length} labels are named as asleep`);
  await setTimeout(showAt.getTime() + REPORTED_AFTER_MS - Date.now());

  const store = storeKey(TENANT_ID, STORE_ID);
  const shown = await system.db
    .collection<{ at: Date }>("glass")
    .find({ store, "items.price": NEW_PRICE })
    .project<{ at: Date }>({ at: 1 })
    .toArray();
  const delays = shown.map(({ at }) => at.getTime() - showAt.getTime()).sort((a, b) => a - b);
  const early = delays.filter((delay) => delay < 0).length;
  const late = delays.filter((delay) => delay > 1000).length;
  const isMet = early === 0 && late === 0 && delays.length === LABELS - ASLEEP;
  print(
    `${isMet ? "ok" : "MISS"}: ${delays.length} labels shown, ${early} early, ${late} more than 1 s late; ` +
      `the first after ${delays[0]} ms, the last after ${delays.at(-1)} ms`,
  );
  const { state, labels } = await read();
  print(`the switch is ${state}: ${JSON.stringify(labels)}`);
  printUsage(before, usageOf(stack));
  await system.close();
}

async function setAsleep(emulator: string, barcode: string): Promise<void> {
  await fetch(`${emulator}/emulator/labels/${barcode}`, { method: "POST", body: JSON.stringify({ offline: true }) });
}

async function call<Answer>({ base, token }: DemoStack, method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${base}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
