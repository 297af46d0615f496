import { createHash } from "node:crypto";
import test from "ava";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import type { Report } from "../../../scripts/label-server/emulated-label.ts";
import { type Gateway, openGateway } from "../../../scripts/mqtt-gateway/gateway.ts";
import { bodyOf, readLabel, writeItems, writeLabels } from "../../api/calls.ts";
import { operate } from "../../api/management/calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { type Broker, openMosquitto } from "../../harness/label-servers/mosquitto.ts";
import { ownStack } from "../../harness/own.ts";

const LABELS = 12;
const STORE = "t/demo/s/main";
const PREFIX = "shops/shelfwire";
const SECRET = "the-password-of-shelfwire";
const CHECK_IN_MS = 500;
const unreliable = { loss: 0.2, duplicates: 0.2, reorderMs: 50 };
const MANAGEMENT = "/t/demo/api/management/v1";

const shelfwire = ownStack({
  // Pictures are soon sent again, but even a busy machine reports at least once in this time, so Shelfwire gives up on no label.
  settings: { ACKNOWLEDGE_WITHIN: "8" },
  leavesStale:
    "the audit compares the labels of the emulated label server, and these labels are connected through a broker",
});

let broker: Broker;
let gateway: Gateway;
let checkingIn: NodeJS.Timeout;
/** The digests of the pictures that each label showed, in order. */
const glass = new Map<string, string[]>();
const items = Array.from({ length: LABELS }, (_, index) => ({
  barcode: labelFor(`shelf ${index}`),
  itemId: `shelf ${index}`,
}));

const shownBy = (barcode: string): string | undefined => gateway.labels.get(barcode)?.pages.get(0)?.sha256;

function noteGlass({ barcode }: Report): void {
  const shown = shownBy(barcode);
  const before = glass.get(barcode) ?? [];
  if (shown !== undefined && shown !== before.at(-1)) glass.set(barcode, [...before, shown]);
}

test.before(async () => {
  broker = await openMosquitto({ users: { shelfwire: SECRET, gateway: "the-password-of-the-gateway" } });
  gateway = openGateway({
    ...{ url: broker.url, user: "gateway", password: "the-password-of-the-gateway", prefix: PREFIX, store: STORE },
    ...{ airTimeMs: 5, scenario: { seed: 7, calls: unreliable, reports: unreliable }, onReport: noteGlass },
  });
  // When a label that Shelfwire has given up on checks in, Shelfwire sends to it again.
  checkingIn = setInterval(() => gateway.labels.checkIn(1), CHECK_IN_MS);
});
test.after.always(async () => {
  clearInterval(checkingIn);
  await gateway.close();
  await broker.close();
});

const setPrices = (round: number) =>
  writeItems(
    shelfwire,
    items.map(({ itemId }, index) => ({ itemId, itemName: itemId, price: `${round}.${10 + index}` })),
  );

/** Returns the digest of the picture that the API reports for the label. */
async function statedBy(barcode: string): Promise<string> {
  const answer = await shelfwire.call("GET", `/labels/${barcode}/image`);
  return createHash("sha256")
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest("hex");
}

const countShowing = (pictures: number): number =>
  items.filter(({ barcode }) => (glass.get(barcode) ?? []).length >= pictures).length;

test.serial("a store's labels are moved to a broker", async (t) => {
  const server = { url: broker.url, topicPrefix: PREFIX };
  const saved = await bodyOf(
    await operate(shelfwire, "PUT", `${MANAGEMENT}/label-servers/broker`, { ...server, secret: SECRET }),
  );
  t.like(saved, { ...server, driver: "mqtt" });
  await bodyOf(await operate(shelfwire, "PUT", `${MANAGEMENT}/stores/main`, { ...demoStore, labelServer: "broker" }));
  await setPrices(1);
  const rows = items.map(({ barcode, itemId }) => ({ barcode, links: [{ itemId }] }));
  t.true((await writeLabels(shelfwire, rows)).every(({ status }) => status === "SUCCESS"));
});

test.serial("whatever fails, every label ends up showing the newest picture, pixel for pixel", async (t) => {
  await eventually("half of the labels show a price", async () => countShowing(1) >= LABELS / 2);
  gateway.restart({ forgets: false });
  await setPrices(2);
  await eventually("some labels show the next price", async () => countShowing(2) > 0);
  gateway.restart({ forgets: true });
  await setPrices(3);
  await eventually("some labels show the third price", async () => countShowing(3) > 0);
  await broker.kill();
  await setPrices(4);
  await broker.start();
  for (const { barcode } of items)
    await eventually(`${barcode} is OK and shows the drawn picture`, async () => {
      const { plState } = await readLabel(shelfwire, barcode);
      return plState === "OK" && (await statedBy(barcode)) === shownBy(barcode);
    });
  const stated = await Promise.all(items.map(({ barcode }) => statedBy(barcode)));
  t.deepEqual(
    items.map(({ barcode }) => shownBy(barcode)),
    stated,
  );
});

test.serial("no label showed an older picture after a newer one", (t) => {
  for (const { barcode } of items) {
    const shown = glass.get(barcode) ?? [];
    t.true(shown.length > 0, barcode);
    t.is(new Set(shown).size, shown.length, barcode);
  }
});

test.serial("while the gateway is offline its store's pictures wait, and they are sent when it is back", async (t) => {
  const [{ barcode, itemId }] = items as [(typeof items)[0], ...typeof items];
  await gateway.close();
  await eventually("the broker is listed as AWAY", async () => {
    const health = await bodyOf<{ labelServerId: string; state: string }[]>(
      await operate(shelfwire, "GET", `${MANAGEMENT}/label-server-health`),
    );
    return health.find(({ labelServerId }) => labelServerId === "broker")?.state === "AWAY";
  });
  const before = shownBy(barcode);
  await writeItems(shelfwire, [{ itemId, itemName: itemId, price: "9.99" }]);
  await eventually("the next picture waits", async () => (await readLabel(shelfwire, barcode)).plState === "PENDING");
  t.is(shownBy(barcode), before);
  const { summary } = await eventually("the explanation names the gateway", async () => {
    const explanation = await bodyOf<{ cause: string; summary: string }>(
      await shelfwire.call("GET", `/labels/${barcode}/explain`),
    );
    return explanation.cause === "GATEWAY_OFFLINE" && explanation;
  });
  t.regex(summary, /the gateway of the store "main" is offline at the label server "broker", .* \(since \d/);
  gateway.restart({ forgets: false });
  await eventually(`${barcode} shows the picture`, async () => {
    const { plState } = await readLabel(shelfwire, barcode);
    return plState === "OK" && shownBy(barcode) !== before && (await statedBy(barcode)) === shownBy(barcode);
  });
});
