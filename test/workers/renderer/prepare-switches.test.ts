import test from "ava";
import { calledOff } from "../../../domain/labels/decide-switch.ts";
import { itemLinks, schedules } from "../../../records/kinds/items.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import { switches } from "../../../records/kinds/switches.ts";
import { labelTypes } from "../../../records/kinds/tenants.ts";
import { itemKey, keysUnder, labelKey, labelTypeKey, linkIdOf, storeKey, switchKey } from "../../../schemas/keys.ts";
import { type Switch, switchIdOf } from "../../../schemas/switch.ts";
import { labelTypes as demoTypes } from "../../../scripts/demo/catalogue.ts";
import { createPrepareSwitches, isToPrepare } from "../../../workers/renderer/prepare-switches.ts";
import { oneLabelServer } from "../../../workers/transmitter/servers/label-servers.ts";
import { createRunSwitches } from "../../../workers/transmitter/switches/run-switches.ts";
import { ownSystem } from "../../harness/own.ts";
import { at, picture, sendingState } from "../transmitter/states.ts";

const own = ownSystem();
const HOUR = 3_600;
const one = { state: "PREPARING", showAt: at(20 * HOUR), deadline: at(19 * HOUR) } as const;

test("a switch is prepared from twelve hours before its time until that time", (t) => {
  t.false(isToPrepare(one, at(7 * HOUR), 0));
  t.true(isToPrepare(one, at(8 * HOUR), 0));
  t.false(isToPrepare(one, at(20 * HOUR), 0));
});

test("a switch is not prepared again until its rest period ends, except at its deadline", (t) => {
  const rests = at(20 * HOUR).getTime();
  t.false(isToPrepare({ ...one, preparedAt: at(10 * HOUR) }, at(11 * HOUR), rests));
  t.true(isToPrepare({ ...one, preparedAt: at(10 * HOUR) }, at(19 * HOUR), rests));
  t.false(isToPrepare({ ...one, preparedAt: at(19 * HOUR) }, at(19 * HOUR + 1), rests));
});

test("an ordered switch is prepared until its time, and a switch that was called off or is done is not", (t) => {
  t.true(isToPrepare({ ...one, state: "ORDERED" }, at(19.5 * HOUR), 0));
  for (const state of ["CALLED_OFF", "DONE"] as const) t.false(isToPrepare({ ...one, state }, at(19 * HOUR), 0));
});

/** A store with a switch and one label that is to change at the switch's time, and the workers for the switch. */
async function aSwitch(name: string) {
  const { commit, records } = own.system;
  const store = storeKey(name, "main");
  const label = labelKey(store, "A");
  const key = switchKey(store, switchIdOf(one.showAt));
  const clock = { now: one.deadline, whileDrawing: async () => {} };
  const parts = { ...own.system, partitions: { own: async () => [keysUnder(`${store}/`)] }, now: () => clock.now };
  const type = demoTypes.find(({ display }) => display === "matrix");
  if (type === undefined) throw new Error("the demo has no label type that can keep pictures");
  await commit.change(labelTypes, [labelTypeKey(`t/${name}`, type.type)], () => ({ ...type, images: 2 }), "bulk");
  await commit.change(
    labels,
    [label],
    () => ({ barcode: "A", type: type.type, modelName: "Medium", stamps: {} }),
    "bulk",
  );
  await commit.change(labelStates, [label], () => sendingState("today"), "bulk");
  const item = itemKey(store, "milk");
  await commit.change(itemLinks, [item], () => ({ links: [{ id: linkIdOf("A", 0), stamp: 1 }] }), "bulk");
  const updates = [{ due: one.showAt, stamp: 1, patch: "{}" }];
  await commit.change(schedules, [item], () => ({ itemId: "milk", updates, due: one.showAt }), "bulk");
  await commit.change(switches, [key], (): Switch => ({ ...one, atDeadline: "GO_AHEAD", open: true }), "bulk");
  const labelServer = { isAway: () => false, orderSwitch: async () => ({ kind: "accepted" }) };
  return {
    clock,
    prepare: createPrepareSwitches({
      ...parts,
      async foresee(keys) {
        await clock.whileDrawing();
        return new Map(keys.map((found) => [found, { basis: "b", image: picture("tomorrow") }]));
      },
    }),
    step: createRunSwitches({
      ...parts,
      labelServers: oneLabelServer(labelServer as never),
      readPlaces: async () => () => ({ store }),
    }),
    callOff: () => commit.change(switches, [key], (_, current) => current && calledOff(current, "BY_CALLER"), "bulk"),
    switch: async () => (await records.read(switches, [key])).get(key),
    later: async () => (await records.read(labelStates, [label])).get(label)?.later,
  };
}

test.serial("a switch that is called off while its pictures are drawn is ended for their labels", async (t) => {
  const { clock, prepare, step, callOff, later, ...stored } = await aSwitch("called-off");
  clock.whileDrawing = async () => {
    await callOff();
    await step();
  };
  await prepare();
  t.like(await later(), { pages: [{ page: 0, image: "tomorrow" }], ended: "WAITING" });
  t.like(await stored.switch(), { state: "CALLED_OFF", open: undefined, preparedAt: undefined });
});

test.serial("a label does not begin to keep a picture once the switch's time has come", async (t) => {
  for (const [name, drawnAt] of [
    ["early", at(20 * HOUR - 1)],
    ["late", at(20 * HOUR)],
  ] as const) {
    const { clock, prepare, later } = await aSwitch(name);
    clock.whileDrawing = async () => {
      clock.now = drawnAt;
    };
    await prepare();
    t.is((await later())?.pages[0]?.image, name === "early" ? "tomorrow" : undefined);
  }
});
