import { randomUUID } from "node:crypto";
import test from "ava";
import { calledOff } from "../../../domain/labels/decide-switch.ts";
import { schedules } from "../../../records/kinds/items.ts";
import { switches } from "../../../records/kinds/switches.ts";
import { labelTypes } from "../../../records/kinds/tenants.ts";
import { readAll } from "../../../records/records.ts";
import { EVERY_KEY, itemKey, labelTypeKey, storeKey, switchKey, tenantKey } from "../../../schemas/keys.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import { labelTypes as demoTypes } from "../../../scripts/demo/catalogue.ts";
import { createMakeSwitches } from "../../../workers/renderer/make-switches.ts";
import { ownSystem } from "../../harness/own.ts";
import { at } from "../transmitter/states.ts";

const own = ownSystem();
const HOUR = 3_600;

/** A tenant with one store and one label type, and the switches made from its scheduled changes. */
async function aStore(type: Partial<LabelType> = { images: 2 }) {
  const { records, commit } = own.system;
  const tenantId = randomUUID();
  const store = storeKey(tenantId, "main");
  const of = new Map(demoTypes.map((one) => [labelTypeKey(tenantKey(tenantId), one.type), { ...one, ...type }]));
  await commit.change(labelTypes, [...of.keys()], (key) => of.get(key), "bulk");
  const clock = { now: at(0) };
  const partitions = { own: async () => [EVERY_KEY] };
  const make = createMakeSwitches({ ...own.system, partitions, now: () => clock.now });
  return {
    store,
    clock,
    make,
    schedule: async (itemId: string, ...times: Date[]) => {
      const updates = times.map((due, index) => ({ due, stamp: index + 1, patch: "{}" }));
      const [due] = times;
      await commit.change(
        schedules,
        [itemKey(store, itemId)],
        () => ({ itemId, updates, ...(due && { due }) }),
        "bulk",
      );
    },
    made: async () => (await readAll(records, switches, switchKey(store, ""))).map(({ showAt }) => showAt),
    one: async (id: string) => (await records.read(switches, [switchKey(store, id)])).get(switchKey(store, id)),
  };
}

test.serial("scheduled changes for the same time share one switch, which starts a minute earlier", async (t) => {
  const { schedule, make, one, made } = await aStore();
  for (const item of ["a", "b", "c"]) await schedule(item, at(HOUR));
  await make();
  await make();
  t.deepEqual(await made(), [at(HOUR)]);
  t.like(await one("20260101T010000Z"), {
    ...{ showAt: at(HOUR), deadline: at(HOUR - 60), atDeadline: "GO_AHEAD", state: "PREPARING" },
    ...{ isAutomatic: true, open: true },
  });
});

test.serial(
  "times from ninety seconds to two hours ahead make switches now, and later times do when they come closer",
  async (t) => {
    const { schedule, make, made, clock } = await aStore();
    for (const second of [80, 100, 2 * HOUR, 2 * HOUR + 10]) await schedule(`at ${second}`, at(second));
    await make();
    t.deepEqual(await made(), [at(100), at(2 * HOUR)]);
    clock.now = at(10);
    await make();
    t.deepEqual(await made(), [at(100), at(2 * HOUR), at(2 * HOUR + 10)]);
  },
);

test.serial(
  "a time with a fraction of a second makes no switch, since labels switch only at whole seconds",
  async (t) => {
    const { schedule, make, made } = await aStore();
    await schedule("a", at(HOUR + 0.5));
    await schedule("b", at(HOUR + 1));
    await make();
    t.deepEqual(await made(), [at(HOUR + 1)]);
  },
);

test.serial("a tenant whose labels store one picture gets no switch", async (t) => {
  const { schedule, make, made } = await aStore({ images: 1 });
  await schedule("a", at(HOUR));
  await make();
  t.deepEqual(await made(), []);
});

test.serial("an existing switch stays unchanged, even one that was called off", async (t) => {
  const { schedule, make, one, store } = await aStore();
  const key = switchKey(store, "20260101T010000Z");
  const asked = {
    showAt: at(HOUR),
    deadline: at(1_800),
    atDeadline: "CALL_OFF",
    state: "PREPARING",
    open: true,
  } as const;
  await own.system.commit.change(switches, [key], () => asked, "bulk");
  await schedule("a", at(HOUR));
  await make();
  t.like(await one("20260101T010000Z"), asked);
  await own.system.commit.change(switches, [key], (_, current) => current && calledOff(current, "BY_CALLER"), "bulk");
  await make();
  t.like(await one("20260101T010000Z"), { state: "CALLED_OFF", atDeadline: "CALL_OFF" });
});
