import test from "ava";
import { startRedis } from "../../../scripts/start/servers.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, glassOf, labelFor } from "../../harness/glass.ts";
import type { LabelServerFront } from "../../harness/label-servers/label-server-front.ts";
import { ownStack } from "../../harness/own.ts";
import { ORDER_PATIENCE_S } from "../../harness/patience.ts";
import { bodyOf, refused, writeItems, writeLabels } from "../calls.ts";

const shelfwire = ownStack({ withFront: true });
let front: LabelServerFront;
test.before(async () => {
  if (shelfwire.front) front = shelfwire.front;
});
test.afterEach.always(() => front.release());

/** The maximum number of concurrent flashes. */
const CONCURRENCY = 16;
const isFlash = ({ path }: { path: string }) => path.endsWith("/flash");
const barcodeOf = ({ path }: { path: string }) => path.split("/")[2] ?? "";
const flashesFrom = (index: number) => front.orders(index).filter(isFlash).map(barcodeOf);

const makeLabels = async (names: readonly string[]): Promise<string[]> => {
  const barcodes = names.map((name) => labelFor(name));
  await writeLabels(
    shelfwire,
    barcodes.map((barcode) => ({ barcode })),
  );
  return barcodes;
};
const flash = async (barcode: string, body: object = {}) => {
  const answer = await shelfwire.call("POST", `/labels/${barcode}/flash`, body);
  return (await bodyOf<{ result: string }>(answer)).result;
};
interface Event {
  event: string;
  result: string;
  reason: string | null;
}
const flashResults = async (barcode: string) => {
  const history = await bodyOf<Event[]>(await shelfwire.call("GET", `/labels/${barcode}/history`));
  return history.filter(({ event }) => event === "flash");
};
/** A job that stalls on a busy machine runs twice and records its result twice, so more than `count` may be recorded. */
const flashResultsOnce = (barcode: string, count: number) =>
  eventually(`${count} results of ${barcode} are recorded`, async () => {
    const results = await flashResults(barcode);
    return results.length >= count && results;
  });

/** Holds the label server's responses to flashes, and fills every concurrent slot with a flash. */
async function fillSlots(name: string): Promise<void> {
  const barcodes = await makeLabels(Array.from({ length: CONCURRENCY }, (_, index) => `${name} ${index}`));
  const before = front.calls.length;
  front.answer((call) => (isFlash(call) ? "held" : undefined));
  for (const barcode of barcodes) await flash(barcode);
  await eventually("every slot is taken", async () => flashesFrom(before).length >= CONCURRENCY);
}

/**
 * Calls `act` while every slot is taken. The transmitter gives up a held flash after several seconds; if a busy machine needs
 * longer, this tries again.
 */
async function whileSlotsAreTaken(name: string, act: (attempt: string) => Promise<void>): Promise<string> {
  for (let number = 1; ; number += 1) {
    const attempt = `${name} ${number}`;
    await fillSlots(attempt);
    await act(attempt);
    const isValid = front.abandoned() === 0;
    front.release();
    if (isValid) return attempt;
  }
}

test.serial("a flash does not wait for pictures, however many are waiting", async (t) => {
  await writeItems(shelfwire, [{ itemId: "apple", price: "1.99" }]);
  const names = Array.from({ length: 60 }, (_, index) => `behind ${index}`);
  front.answer(({ path }) => (path.includes("/pages/") ? "held" : undefined));
  await writeLabels(
    shelfwire,
    names.map((name) => ({ barcode: labelFor(name), links: [{ itemId: "apple" }] })),
  );
  await eventually(
    "pictures are held",
    async () => front.calls.filter(({ path }) => path.includes("/pages/")).length >= 16,
  );
  const barcode = labelFor("behind 0");
  t.is(await flash(barcode), "OK");
  t.is((await flashResultsOnce(barcode, 1))[0]?.result, "sent");
  t.deepEqual(
    names.filter((name) => (shelfwire.labelServer.labels.get(labelFor(name))?.pages.size ?? 0) > 0),
    [],
  );
  front.release();
  for (const name of names) await glassOf(shelfwire, labelFor(name));
});

test.serial("a newer flash replaces a waiting flash of the same label", async (t) => {
  let before = 0;
  const replaced = (attempt: string) => labelFor(`replaced ${attempt}`);
  const taken = await whileSlotsAreTaken("filler", async (attempt) => {
    await makeLabels([`replaced ${attempt}`]);
    before = front.calls.length;
    await flash(replaced(attempt), { color: "#ff0000" });
    await flash(replaced(attempt), { color: "#0000ff" });
    await flash(replaced(attempt), { color: "#00ff00", realTime: false });
  });
  const barcode = replaced(taken);
  const results = await eventually("the newest flash is sent and the others are dropped", async () => {
    const recorded = await flashResults(barcode);
    const sent = recorded.filter(({ result }) => result === "sent").length;
    return sent >= 1 && recorded.length - sent >= 2 && recorded;
  });
  t.deepEqual([...new Set(results.map(({ result }) => result))].toSorted(), ["dropped", "sent"]);
  t.is(results.find(({ result }) => result === "dropped")?.reason, "a newer order replaced it");
  const calls = front.orders(before).filter((call) => isFlash(call) && barcodeOf(call) === barcode);
  t.deepEqual(
    calls.map(({ body }) => JSON.parse(String(body)).color),
    ["GREEN"],
  );
});

test.serial("waiting realTime flashes go first, and flashes of items follow flashes of labels", async (t) => {
  const [later = "", sooner = "", ofItem = ""] = await makeLabels(["in its turn", "now", "of an item"]);
  await writeItems(shelfwire, [{ itemId: "pear", links: [{ barcode: ofItem }] }]);
  await glassOf(shelfwire, ofItem);
  let order: string[] = [];
  await whileSlotsAreTaken("first", async () => {
    const before = front.calls.length;
    await flash(later, { realTime: false });
    t.is((await shelfwire.call("POST", "/items/pear/flash")).status, 200);
    await flash(sooner);
    for (let count = 1; count <= 3; count += 1) {
      front.releaseOne();
      await eventually("the next flash is sent", async () => flashesFrom(before).length >= count);
    }
    order = flashesFrom(before);
  });
  t.deepEqual(order, [sooner, ofItem, later]);
});

test.serial(
  "a call to a busy label server is retried with the same key, after the time that the server names",
  async (t) => {
    const [barcode = ""] = await makeLabels(["busy"]);
    const before = front.calls.length;
    const own = () => front.calls.slice(before).filter((call) => isFlash(call) && barcodeOf(call) === barcode);
    const replies = [
      { status: 503, headers: { "retry-after": "1" } },
      { status: 429, headers: { "retry-after": "1" } },
    ];
    front.answer((call) => (isFlash(call) && barcodeOf(call) === barcode ? replies.shift() : undefined));
    t.is(await flash(barcode), "OK");
    const results = (await flashResultsOnce(barcode, 1)).map(({ result }) => result);
    t.deepEqual(new Set(results), new Set(["sent"]));
    // There are more than three calls if the machine is busy, but always with the same key.
    t.true(own().length >= 3);
    t.is(new Set(own().map(({ headers }) => headers["idempotency-key"])).size, 1);
  },
);

test.serial("a call to an unreachable label server is retried until the server is back", async (t) => {
  const [barcode = ""] = await makeLabels(["away"]);
  let calls = 0;
  front.answer((call) => {
    if (isFlash(call)) calls += 1;
    return calls <= 2 ? "hangs up" : undefined;
  });
  t.is(await flash(barcode), "OK");
  t.is((await flashResultsOnce(barcode, 1))[0]?.result, "sent");
  t.true(calls >= 3);
});

test.serial("a flash that misses its deadline is dropped, and the history says so", async (t) => {
  const [barcode = ""] = await makeLabels(["too late"]);
  const before = front.calls.length;
  const askedAt = Date.now() - (ORDER_PATIENCE_S + 1) * 1000;
  const data = { store: DEMO_STORE, barcode, number: askedAt * 1000, priority: "high", transceivers: [] };
  const body = { duration: 4, color: "GREEN", flashType: 50 };
  await shelfwire.system.publisher.enqueue("flash", [{ name: "flash", data: { ...data, body }, urgency: "bulk" }]);
  const [fate] = await flashResultsOnce(barcode, 1);
  t.deepEqual([fate?.result, fate?.reason], ["dropped", `it could not be sent within ${ORDER_PATIENCE_S} s`]);
  t.deepEqual(flashesFrom(before), []);
});

test.serial("while Redis is down a flash returns 503 and is not sent later", async (t) => {
  const [barcode = "", other = ""] = await makeLabels(["no queue", "the queue's slots are taken again"]);
  await writeItems(shelfwire, [{ itemId: "plum", links: [{ barcode }] }]);
  await glassOf(shelfwire, barcode);
  const before = front.calls.length;
  const { redis } = shelfwire.databases;
  const port = Number(new URL(redis.url).port);
  await redis.kill();
  for (const path of [`/labels/${barcode}/flash`, "/items/plum/flash", `/labels/${barcode}/display-page`]) {
    const answer = await shelfwire.call("POST", path);
    t.truthy(answer.headers.get("retry-after"));
    const { detail } = await refused(t, answer, 503);
    t.regex(detail, /Nothing was sent/);
  }
  await refused(t, await shelfwire.call("POST", "/flash/items", { itemIds: ["plum"] }), 503);
  shelfwire.databases.redis = await startRedis(port);
  await eventually("a flash is accepted again", async () => (await flash(other)) === "OK");
  await flashResultsOnce(other, 1);
  t.deepEqual(new Set(flashesFrom(before)), new Set([other]));
  t.deepEqual(await flashResults(barcode), []);
});
