import test from "ava";
import { openNewestOrders } from "../../../queues/orders/newest-orders.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();
const errors: Error[] = [];
const newest = () => openNewestOrders(world.system.redis, (error) => errors.push(error));

const order = (barcode: string, number: number, duration = 4) => ({
  ...{ store: "t/demo/s/main", barcode, number },
  body: { duration },
});

test.serial("numbers increase and are the time in microseconds, even after Redis has lost its data", async (t) => {
  const first = await newest().draw();
  await world.system.redis.flushall();
  const second = await newest().draw();
  t.true(Number.isSafeInteger(first) && second > first);
  t.true(Math.abs(second / 1000 - Date.now()) < 60_000);
});

test.serial("an order is the newest until a later order of its label and kind is recorded", async (t) => {
  t.true(await newest().isNewest("flash", order("A", 5)));
  await newest().note("flash", [order("A", 5), order("B", 5)]);
  t.true(await newest().isNewest("flash", order("A", 5)));
  await newest().note("flash", [order("A", 6)]);
  t.deepEqual(errors, []);
  t.false(await newest().isNewest("flash", order("A", 5)));
  t.true(await newest().isNewest("flash", order("A", 6)));
  t.true(await newest().isNewest("flash", order("B", 5)), "another label");
  t.true(await newest().isNewest("display-page", order("A", 5)), "another kind");
  t.true(await newest().isNewest("flash", { ...order("A", 5), store: "t/demo/s/other" }), "another store");
});

test.serial("an order that is recorded after a later one of its label is not the newest", async (t) => {
  for (const number of [8, 7]) await newest().note("flash", [order("E", number)]);
  t.false(await newest().isNewest("flash", order("E", 7)));
});

test.serial("an entry expires long after its order", async (t) => {
  await newest().note("flash", [order("C", 5)]);
  const [key = ""] = await world.system.redis.keys("*newest:flash:*C");
  const seconds = await world.system.redis.ttl(key);
  t.true(seconds > 1800 && seconds <= 3600);
});

test.serial("labels flash until their flash ends or is stopped, and labels of other stores do not count", async (t) => {
  const { draw, note, flashing } = newest();
  const store = "t/demo/s/flashing";
  const number = await draw();
  const ago = (seconds: number) => number - seconds * 1_000_000;
  const orders = [
    order("lit", number, 600),
    order("long", ago(60), 600),
    order("over", ago(60)),
    order("stopped", number),
  ];
  await note("flash", [...orders.map((one) => ({ ...one, store })), order("elsewhere", number)]);
  await note("display-page", [{ ...order("page", number), store }]);
  await note("flash", [{ ...order("stopped", number + 1, 0), store }]);
  t.deepEqual((await flashing(store)).sort(), ["lit", "long"]);
});

test.serial(
  "while Redis does not respond, every order is the newest, no number is drawn, and the error is reported",
  async (t) => {
    await newest().note("flash", [order("D", 6)]);
    await world.databases.redis.kill();
    t.true(await newest().isNewest("flash", order("D", 5)));
    await newest().note("flash", [order("D", 7)]);
    await t.throwsAsync(newest().draw());
    t.true(errors.length >= 2);
  },
);
