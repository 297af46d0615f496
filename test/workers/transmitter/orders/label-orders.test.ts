import test from "ava";
import { openNewestOrders } from "../../../../queues/orders/newest-orders.ts";
import { labelStates } from "../../../../records/kinds/labels.ts";
import type { DisplayPageOrder, FlashOrder } from "../../../../schemas/jobs.ts";
import { idOf } from "../../../../schemas/keys.ts";
import { MAX_PER_SERVER } from "../../../../workers/transmitter/air/order-slots.ts";
import { createLabelOrders } from "../../../../workers/transmitter/label-orders.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownSystem } from "../../../harness/own.ts";
import { manyServers } from "../air/many-servers.ts";
import { STORE, transmitScene } from "../scene.ts";
import { at } from "../states.ts";
import { ordersScene } from "./scene.ts";

const own = ownSystem();

test.serial("an order is sent unchanged and recorded in the label's history", async (t) => {
  const { hang, carryOut, flash, history, labelServer } = ordersScene(own);
  const key = await hang();
  t.is(await carryOut("flash", flash(key)), undefined);
  t.deepEqual(labelServer.orders, [{ ...flash(key), order: "flash" }]);
  t.like(await history(key), { length: 1, 0: { event: "flash", result: "sent" } });
  const page = { ...flash(key), body: { action: "set-temporary", page: "2", duration: 10 } } as DisplayPageOrder;
  await carryOut("display-page", page);
  t.like(
    (await history(key)).find(({ event }) => event === "display-page"),
    { result: "sent", page: "2" },
  );
});

test.serial("recording an order keeps the label's state, and creates a state if there is none", async (t) => {
  const { hang, carryOut, flash, history, read } = ordersScene(own);
  const key = await hang({ tries: 3, transmissions: 8 });
  await carryOut("flash", flash(key));
  t.like(await read(key), { tries: 3, transmissions: 8 });
  const bare = await hang();
  await own.system.db.collection<{ _id: string }>(labelStates.name).deleteOne({ _id: bare });
  await carryOut("flash", flash(bare));
  t.like(await history(bare), { length: 1, 0: { event: "flash", result: "sent" } });
  t.like(await read(bare), { tries: 0, wanted: [] });
});

test.serial("a refused order is recorded with its reason and not retried", async (t) => {
  const { hang, carryOut, flash, history, labelServer } = ordersScene(own);
  const key = await hang();
  labelServer.set.answer = { kind: "refused", reason: "no LED" };
  t.is(await carryOut("flash", flash(key)), undefined);
  t.like(await history(key), { length: 1, 0: { result: "refused", reason: "no LED" } });
});

test.serial("a late order is dropped and not sent", async (t) => {
  const { hang, carryOut, flash, history, labelServer, clock } = ordersScene(own);
  const key = await hang();
  clock.now = at(60);
  t.is(await carryOut("flash", flash(key)), undefined);
  t.deepEqual(labelServer.orders, []);
  t.like(await history(key), { length: 1, 0: { result: "dropped", reason: "it could not be sent within 60 s" } });
  t.deepEqual((await history(key))[0]?.notice, { code: "ORDER_LATE", values: { seconds: "60" } });
});

test.serial("an order is dropped if a newer order of its kind is recorded", async (t) => {
  const { hang, carryOut, flash, history, labelServer, newestOrders } = ordersScene(own);
  const key = await hang();
  const order = flash(key);
  await newestOrders.note("flash", [{ ...order, number: order.number + 1 }]);
  await carryOut("flash", order);
  t.deepEqual(labelServer.orders, []);
  t.like(await history(key), { length: 1, 0: { result: "dropped", reason: "a newer order replaced it" } });
  t.is((await history(key))[0]?.notice?.code, "ORDER_REPLACED");
  await carryOut("display-page", order);
  t.is(labelServer.orders.length, 1);
});

test.serial("an order waits for an unreachable or busy label server, but not beyond its deadline", async (t) => {
  const { hang, carryOut, flash, history, labelServer, clock } = ordersScene(own);
  const key = await hang();
  labelServer.set.isAway = true;
  t.is(await carryOut("flash", flash(key)), 1_000);
  clock.now = at(59.5);
  t.is(await carryOut("flash", flash(key)), 500);
  t.deepEqual(labelServer.orders, []);
  labelServer.set.isAway = false;
  labelServer.set.answer = { kind: "later", afterMs: 3_000 };
  t.is(await carryOut("flash", flash(key)), 500);
  clock.now = at(1);
  t.is(await carryOut("flash", flash(key)), 3_000);
  t.deepEqual(await history(key), []);
});

test.serial("an order that was sent but not recorded is recorded on a retry, and not sent again", async (t) => {
  const { hang, carryOut, flash, history, labelServer, set, clock } = ordersScene(own);
  const key = await hang();
  set.isNoteRefused = true;
  await t.throwsAsync(carryOut("flash", flash(key)), { message: "MongoDB is unreachable" });
  set.isNoteRefused = false;
  clock.now = at(100);
  t.is(await carryOut("flash", flash(key)), undefined);
  t.is(labelServer.orders.length, 1);
  t.like(await history(key), { length: 1, 0: { result: "sent" } });
  await carryOut("flash", flash(key));
  t.like((await history(key))[0], { result: "dropped" });
});

test.serial("unrecorded orders are recorded later without another call, each separately", async (t) => {
  const { hang, carryOut, flash, history, labelServer, set } = ordersScene(own);
  const [one, other] = [await hang(), await hang()];
  set.isNoteRefused = true;
  for (const key of [one, other])
    await t.throwsAsync(carryOut("flash", flash(key)), { message: "MongoDB is unreachable" });
  t.deepEqual(
    labelServer.orders.map(({ barcode }) => barcode),
    [idOf(one), idOf(other)],
  );
  set.isNoteRefused = false;
  for (const key of [one, other]) await carryOut("flash", flash(key));
  t.is(labelServer.orders.length, 2);
  for (const key of [one, other]) t.like(await history(key), { length: 1, 0: { event: "flash", result: "sent" } });
});

test.serial("a label without a record may flash, but has no history", async (t) => {
  const { carryOut, flash, labelServer, history } = ordersScene(own);
  const key = `${STORE}/labels/unknown`;
  t.is(await carryOut("flash", flash(key)), undefined);
  t.is(labelServer.orders.length, 1);
  t.deepEqual(await history(key), []);
});

test.serial(
  "flashes for a hanging label server take at most half of the places: its other flashes wait, and other servers' are sent",
  async (t) => {
    const { labelServers, hanging, others, release } = await manyServers(2, 1);
    const { clock } = transmitScene(own);
    const { records, commit, redis } = own.system;
    const { carryOut } = createLabelOrders({
      ...{ records, commit, labelServers, spread: 0, newestOrders: openNewestOrders(redis, () => {}) },
      now: () => clock.now,
    });
    const flash = (store: string, index: number) => {
      const number = at(0).getTime() * 1000 + index;
      const body = { duration: 60 } as FlashOrder["body"];
      return carryOut("flash", { store, barcode: `F${index}`, number, priority: "high", transceivers: [], body });
    };
    const [[slow], [other]] = [hanging, others];
    // Places are reserved only for a label server that has orders.
    t.is(await flash(other?.store ?? "", 99), undefined);
    const pending = Array.from({ length: MAX_PER_SERVER }, (_, index) => flash(slow?.store ?? "", index));
    await eventually("the flashes are in progress", async () => slow?.server.orders.length === MAX_PER_SERVER);
    t.is(await flash(slow?.store ?? "", 100), 200);
    t.is(await flash(other?.store ?? "", 101), undefined);
    t.is(other?.server.orders.length, 2);
    release();
    t.deepEqual(new Set(await Promise.all(pending)), new Set([undefined]));
  },
);
