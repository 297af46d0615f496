import test from "ava";
import { valuesOf } from "../../../queues/changes/derivation.ts";
import { createDerive } from "../../../queues/changes/derive.ts";
import { items } from "../../../records/kinds/items.ts";
import { linkKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";
import { item, MILK, type Pictures, pictures, pricesOf, STORE } from "./pictures-of-prices.ts";

const world = ownSystem();
const { derive, findStale, pictureOf, setPrice } = pricesOf(world);

test.beforeEach(async () => {
  await setPrice("milk", "1.10");
  await setPrice("bread", "2.20");
});

test.serial(
  "an input that is compared by value makes a record stale only if its value changes, even during the derivation",
  async (t) => {
    const key = linkKey(STORE, "values");
    const byPrice = (onDecide?: () => Promise<unknown>) =>
      pictures({
        ...(onDecide && { onDecide }),
        async load(keys, read) {
          const [found] = await read([{ kind: items, keys: [MILK] }]);
          const sources = [valuesOf(items, MILK, found.get(MILK), ["price"])];
          return new Map(keys.map((one) => [one, { facts: [found.get(MILK)?.price], sources }]));
        },
      });
    let looks = 0;
    const onDecide = async () => {
      looks += 1;
      if (looks === 1) await setPrice("milk", "1.50");
    };
    await derive(byPrice(), key);
    await setPrice("milk", "1.20");
    await derive(byPrice(onDecide), key);
    t.is((await pictureOf(key))?.image, "1.50");
    t.is(looks, 2);
    const rename = { ...item("milk", "1.50"), itemName: "Milk" };
    await world.system.commit.change(items, [MILK], () => rename, "bulk");
    t.deepEqual(await findStale(byPrice(), key), []);
    await setPrice("milk", "1.60");
    t.deepEqual(await findStale(byPrice(), key), [key]);
  },
);

test.serial("a changed, additional or missing mark makes a record stale", async (t) => {
  const key = linkKey(STORE, "marked");
  await derive(pictures({ mark: "one" }), key);
  t.deepEqual(await findStale(pictures({ mark: "one" }), key), []);
  t.deepEqual(await findStale(pictures({ mark: "two" }), key), [key]);
  t.deepEqual(await findStale(pictures(), key), [key]);
  await derive(pictures(), key);
  t.deepEqual(await findStale(pictures({ mark: "one" }), key), [key]);
});

test.serial("a record whose file is lost is stale even if its inputs are unchanged", async (t) => {
  const [key, kept] = [linkKey(STORE, "lost"), linkKey(STORE, "kept")];
  const findLost: Pictures["findLost"] = async (records) =>
    records.map(({ _id }) => _id).filter((found) => found === key);
  for (const one of [key, kept]) await derive(pictures({ findLost }), one);
  t.deepEqual(await createDerive(world.system).findStale(pictures({ findLost }), [key, kept]), [key]);
});

test.serial(
  "a record that lacks another worker's result is stale, and each derivation requests that result",
  async (t) => {
    const key = linkKey(STORE, "lacking");
    const orders: unknown[] = [];
    let lacks = true;
    const missing: Pictures["missing"] = {
      isLacking: () => lacks,
      order: async (facts, urgency) => void orders.push([facts.length, urgency]),
    };
    await derive(pictures({ missing }), key);
    t.deepEqual(await findStale(pictures({ missing }), key), [key]);
    t.deepEqual(orders, [[1, "bulk"]], "searching for stale records requests no results");
    await createDerive(world.system).derive(pictures({ missing }), [key], "interactive");
    t.deepEqual(
      orders,
      [
        [1, "bulk"],
        [1, "interactive"],
      ],
      "a request may be lost",
    );
    lacks = false;
    await derive(pictures({ missing }), key);
    t.deepEqual([await findStale(pictures({ missing }), key), orders.length], [[], 2]);
  },
);

test.serial(
  "files are checked only if the inputs are unchanged, since other records are derived again anyway",
  async (t) => {
    const [same, fresh] = [linkKey(STORE, "same-inputs"), linkKey(STORE, "no-record-yet")];
    const asked: string[][] = [];
    const findLost: Pictures["findLost"] = async (records) => {
      asked.push(records.map(({ _id }) => _id));
      return [];
    };
    await derive(pictures({ findLost }), same);
    t.deepEqual(asked, []);
    const { findStale: stale } = createDerive(world.system);
    t.deepEqual(await stale(pictures({ findLost }), [same, fresh]), [fresh]);
    t.deepEqual(asked, [[same]]);
  },
);

test.serial("a record without stored inputs is stale only if a new decision would write it", async (t) => {
  const key = linkKey(STORE, "decided");
  await derive(pictures(), key);
  await setPrice("milk", "1.20");
  t.deepEqual(await findStale(pictures({ keepsInputs: false }), key), [key]);
  const decide: Pictures["decide"] = async (cases) => cases.map(() => undefined);
  t.deepEqual(await findStale(pictures({ keepsInputs: false, decide }), key), []);
  t.deepEqual(await findStale(pictures({ keepsInputs: true, decide }), key), [key]);
});
