import test from "ava";
import type { RecordKind } from "../../../records/kind.ts";
import { items, schedules } from "../../../records/kinds/items.ts";
import { UnavailableError } from "../../../records/mongodb/unavailable.ts";
import { itemKey } from "../../../schemas/keys.ts";
import { moveToUtc, readItem, writeItems } from "../../api/calls.ts";
import { auditStore } from "../../harness/audits/audit.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { localTime } from "../../harness/scheduled-times.ts";
import { inOrders } from "../../harness/searches/orders.ts";
import type { Gate } from "../../harness/searches/turns.ts";
import { appliedOnce, type Requests, scheduledPriceOf } from "./scheduled-price.ts";

/** A scheduled update takes effect exactly once, even if workers are slow, killed or concurrent. */
const shelfwire = ownStack({ workers: [] });

test.serial.before(() => moveToUtc(shelfwire));

const { acceptRest, apply, finish, prepare, readOutcome } = scheduledPriceOf(shelfwire);

test.serial("two processes that apply the same request, interleaved in every order, apply it once", async (t) => {
  let requests: Requests = {};
  const orders = await inOrders(t, {
    async prepare() {
      requests = await prepare();
      await apply("patch-items", requests.scheduled);
      await acceptRest(requests);
    },
    works: [1, 2].map(
      () => (gate: Gate) => apply("apply-scheduled", requests.first, gate, [schedules] as RecordKind<never>[]),
    ),
    async check(order) {
      await finish(requests);
      t.deepEqual(await readOutcome(requests), appliedOnce, `after the order ${order.join("")}`);
    },
  });
  t.true(orders > 5);
});

test.serial("a second request for due updates and a newer price may arrive at any step of the first", async (t) => {
  let requests: Requests = {};
  const orders = await inOrders(t, {
    async prepare() {
      requests = await prepare();
      await apply("patch-items", requests.scheduled);
      await acceptRest(requests);
    },
    works: [
      (gate) => apply("apply-scheduled", requests.first, gate),
      async (gate) => {
        await apply("patch-items", requests.newer, gate);
        await apply("apply-scheduled", requests.second, gate);
      },
    ],
    async check(order) {
      await finish(requests);
      t.deepEqual(await readOutcome(requests), appliedOnce, `after the order ${order.join("")}`);
    },
  });
  t.true(orders > 5);
});

test.serial("a process that stores a row late overwrites nothing that was applied meanwhile", async (t) => {
  let requests: Requests = {};
  const orders = await inOrders(t, {
    async prepare() {
      requests = await prepare();
      await acceptRest(requests);
    },
    works: [
      (gate) => apply("patch-items", requests.scheduled, gate),
      async (gate) => {
        await apply("patch-items", requests.scheduled, gate);
        await apply("apply-scheduled", requests.first, gate);
      },
    ],
    async check(order) {
      await finish(requests);
      t.deepEqual(await readOutcome(requests), appliedOnce, `after the order ${order.join("")}`);
    },
  });
  t.true(orders > 5);
});

/** Returns a gate that allows this many steps; the process is killed before the next one. */
const killedAfter = (steps: number): Gate => {
  let left = steps;
  return async () => {
    if (left === 0) throw new UnavailableError("the process was killed");
    left -= 1;
  };
};

for (const operation of ["patch-items", "apply-scheduled"] as const) {
  test.serial(`if a process is killed at any step of ${operation}, the next process finishes it`, async (t) => {
    for (let steps = 0; ; steps += 1) {
      const requests = await prepare();
      if (operation === "apply-scheduled") await apply("patch-items", requests.scheduled);
      await acceptRest(requests);
      const job = operation === "patch-items" ? requests.scheduled : requests.first;
      const isKilled = await apply(operation, job, killedAfter(steps)).then(
        () => false,
        () => true,
      );
      await finish(requests);
      t.deepEqual(await readOutcome(requests), appliedOnce, `killed after ${steps} steps`);
      if (!isKilled) return t.true(steps > 1, "the process was killed at more than one step");
    }
  });
}

const scheduleOf = async (itemId: string) =>
  (await shelfwire.system.records.read(schedules, [itemKey(DEMO_STORE, itemId)])).get(itemKey(DEMO_STORE, itemId));

/** Returns the store's local time a number of seconds from now. */
const soon = (seconds: number): string => localTime(new Date(Date.now() + seconds * 1000));

/** Prepares updates that become due in a few seconds. If a busy machine takes longer than that, tries again with more seconds. */
const inTime = <T>(prepare: (seconds: number) => Promise<T | false>): Promise<T> => {
  let seconds = 1;
  return eventually("the updates are prepared before they are due", () => {
    seconds *= 2;
    return prepare(seconds);
  });
};

test.serial("pending updates survive a flush of Redis", async (t) => {
  const worker = await shelfwire.openWorker("item");
  const itemId = await inTime(async (seconds) => {
    const itemId = `wiped ${seconds}`;
    await writeItems(shelfwire, [{ itemId, price: "1", validFrom: soon(seconds) }]);
    await shelfwire.system.redis.flushall();
    return (await scheduleOf(itemId))?.updates.length === 1 && itemId;
  });
  await eventually("the update is applied", async () => (await readItem(shelfwire, itemId)).price === "1");
  t.pass();
  await worker.close();
});

test.serial("updates that become due while no worker runs are applied in order when one starts", async (t) => {
  const rows = await inTime(async (seconds) => {
    const worker = await shelfwire.openWorker("item");
    const rows = [3, 1, 2].map((step) => ({
      itemId: `asleep ${seconds}`,
      price: `${step}`,
      validFrom: soon(seconds + step),
    }));
    await writeItems(shelfwire, [...rows, { itemId: `asleep ${seconds}`, itemName: "Apple" }]);
    await worker.close();
    return (await scheduleOf(`asleep ${seconds}`))?.updates.length === rows.length && rows;
  });
  const [{ itemId = "", validFrom = "" } = {}] = rows;
  await eventually("all updates are due", async () => soon(0) > validFrom);
  await shelfwire.system.redis.flushall();
  t.not((await readItem(shelfwire, itemId)).price, "3");
  const other = await shelfwire.openWorker("item");
  await eventually("all updates are applied", async () => (await scheduleOf(itemId))?.updates.length === 0);
  t.is((await readItem(shelfwire, itemId)).price, "3");
  await other.close();
});

test.serial("two workers that share the stores, or find the same due update, apply it once", async (t) => {
  const workers = await Promise.all([shelfwire.openWorker("item"), shelfwire.openWorker("item")]);
  const rows = Array.from({ length: 30 }, (_, index) => ({ itemId: `both ${index}`, price: "1", validFrom: soon(2) }));
  await writeItems(shelfwire, rows);
  for (const { itemId } of rows) {
    await eventually(`${itemId} is applied`, async () => (await readItem(shelfwire, itemId)).price === "1");
    // The worker ends the schedule after it has changed the item.
    await eventually(`${itemId} no longer waits`, async () => (await scheduleOf(itemId))?.updates.length === 0);
  }
  // A record's `writeId` lists its last writes. Announcements also name writes that lost or that belong to other items.
  const keys = rows.map(({ itemId }) => itemKey(DEMO_STORE, itemId));
  const stored = [...(await shelfwire.system.records.read(items, keys)).values()];
  t.is(stored.length, rows.length);
  const repeated = stored.filter(({ writeId }) => writeId.includes(" "));
  t.deepEqual(
    repeated.map(({ itemId }) => itemId),
    [],
    "each item was written once",
  );
  await Promise.all(workers.map((worker) => worker.close()));
});

test.serial("after all this an audit of the items' queue finds nothing to do", async (t) => {
  const workers = await Promise.all(
    (["item", "pages", "link", "evaluator", "renderer", "merger", "transmitter"] as const).map((queue) =>
      shelfwire.openWorker(queue),
    ),
  );
  t.true(Object.values(await auditStore(shelfwire)).every((stale) => stale === 0));
  await Promise.all(workers.map((worker) => worker.close()));
});
