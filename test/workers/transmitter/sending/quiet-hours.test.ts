import test from "ava";
import { labelTypes, stores } from "../../../../records/kinds/tenants.ts";
import { contentOf } from "../../../../schemas/glass.ts";
import type { Shown } from "../../../../schemas/image.ts";
import { labelTypeKey } from "../../../../schemas/keys.ts";
import type { LabelState } from "../../../../schemas/label-state.ts";
import { demoStore } from "../../../../scripts/demo/catalogue.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownSystem } from "../../../harness/own.ts";
import { partOf } from "../../../harness/part-of.ts";
import { statesScene } from "../label-states/scene.ts";
import { transmitScene, wanting } from "../scene.ts";
import { at } from "../states.ts";

const own = ownSystem();
const QUIET = "t/demo/s/quiet";
/** Six o'clock in Zagreb; the tests begin at one. */
const MORNING = at(5 * 3_600);

const part: Shown = {
  ...{ link: "l", linkRev: 1, item: `${QUIET}/items/milk`, itemRev: 2, price: "1.99" },
  ...{ design: "t/demo/designs/shelf", designRev: 3 },
};
/** A label that shows one picture of `part` and should show another. */
function showing(image: string, of: Partial<Shown>): Partial<LabelState> {
  const [before, content] = [contentOf([part]), contentOf([{ ...part, ...of }])];
  return {
    ...wanting(image),
    shown: [{ page: 0, image: "old", deliveredAt: at(-9), through: 1 }],
    sent: [{ page: 0, image: "old", number: 1, ...(before && { content: before }) }],
    transmissions: 1,
    ...(content && { content }),
  };
}

test.serial.before(async () => {
  const hours = { ...demoStore, quietHours: { from: "22:00", to: "06:00" } };
  await own.system.commit.change(stores, [QUIET], () => hours, "bulk");
});

test.serial("during a store's quiet hours, a price is sent immediately, and a design when they end", async (t) => {
  const { hang, storePicture, transmit, sendDue, labelServer, clock, read } = transmitScene(own);
  const image = await storePicture("a");
  const design = await hang(showing(image, { designRev: 9 }), {}, QUIET);
  const price = await hang(showing(image, { price: "1.79", itemRev: 9 }), {}, QUIET);
  await transmit([design, price], "bulk");
  t.like(await read(design), { sendDue: MORNING, sending: undefined, putOff: "the store has quiet hours" });
  t.like(await read(price), { sending: { image, changes: "price" } });
  t.is(labelServer.pages.length, 1);
  clock.now = new Date(MORNING.getTime() - 1);
  await transmit([design], "interactive");
  t.is((await read(design)).sending, undefined);
  clock.now = MORNING;
  await sendDue();
  await eventually("the design is sent", async () => (await read(design)).sending !== undefined);
  t.like(await read(design), { sending: { image, changes: "design" }, putOff: undefined });
});

test.serial("a price change is not held back with a design that is waiting", async (t) => {
  const { hang, storePicture, transmit, read } = transmitScene(own);
  const image = await storePicture("a");
  const key = await hang(showing(image, { designRev: 9 }), {}, QUIET);
  await transmit([key], "bulk");
  t.deepEqual((await read(key)).sendDue, MORNING);
  const priced = contentOf([{ ...part, designRev: 9, price: "1.79", itemRev: 9 }]);
  await transmit(
    [key],
    "bulk",
    (_, state) => state && { ...state, ...(priced && { content: priced }), sendDue: at(0) },
  );
  t.like(await read(key), { sending: { image, changes: "price" } });
});

test.serial("other stores send designs at any time", async (t) => {
  const { hang, storePicture, transmit, read } = transmitScene(own);
  const image = await storePicture("a");
  const key = await hang(showing(image, { designRev: 9 }));
  await transmit([key], "bulk");
  t.like(await read(key), { sending: { image } });
});

test.serial("quiet hours that a store has removed still apply for a minute at most", async (t) => {
  const { hang, storePicture, transmit, clock, read } = transmitScene(own);
  const image = await storePicture("a");
  const [first, second] = [
    await hang(showing(image, { designRev: 9 }), {}, QUIET),
    await hang(showing(image, { designRev: 9 }), {}, QUIET),
  ];
  await transmit([first], "bulk");
  await own.system.commit.change(stores, [QUIET], () => demoStore, "bulk");
  clock.now = at(60);
  await transmit([second], "bulk");
  t.is((await read(first)).sending, undefined);
  t.like(await read(second), { sending: { image } });
});

test.serial("if a store's quiet hours change, the transmitter decides again whether a design waits", async (t) => {
  const { hang, storePicture, transmit, sendDue, decideWaits, clock, read } = statesScene(own);
  const image = await storePicture("a");
  const store = "t/demo/s/changing";
  const setHours = (to: string) =>
    own.system.commit.change(stores, [store], () => ({ ...demoStore, quietHours: { from: "22:00", to } }), "bulk");
  await setHours("06:00");
  const key = await hang(showing(image, { designRev: 9 }), {}, store);
  await transmit([key], "bulk");
  t.deepEqual((await read(key)).sendDue, MORNING);

  await setHours("05:00");
  await decideWaits(store);
  t.deepEqual((await read(key)).sendDue, at(90), "every process then knows the new hours");
  clock.now = at(90);
  await sendDue();
  t.like(await read(key), { sendDue: at(4 * 3_600), sending: undefined }, "the store is still quiet");

  // One in the morning in Zagreb.
  await setHours("00:30");
  await decideWaits(store);
  clock.now = at(240);
  await sendDue();
  await eventually("the design is sent", async () => (await read(key)).sending !== undefined);
});

test.serial("every n-th picture of a label is a full refresh, and so are its repetitions", async (t) => {
  const { hang, storePicture, transmit, labelServer, clock } = transmitScene(own);
  await own.system.commit.change(
    labelTypes,
    [labelTypeKey("t/demo", 77)],
    () => partOf({ type: 77, fullRefreshAfter: 3 }),
    "bulk",
  );
  const image = await storePicture("a");
  const shownBefore = (refreshes: number) => ({ ...wanting(image), care: { since: 0, refreshes, days: [] } });
  const keys = await Promise.all([0, 1, 2, 3].map((refreshes) => hang(shownBefore(refreshes), { type: 77 })));
  for (const key of keys) await transmit([key], "bulk");
  await eventually("all are sent", async () => labelServer.pages.length === 4);
  t.deepEqual(
    labelServer.pages.map(({ isFull }) => isFull),
    [undefined, undefined, true, undefined],
  );
  clock.now = at(9);
  await transmit(keys.slice(2, 3), "bulk");
  await eventually("it is repeated", async () => labelServer.pages.length === 5);
  t.like(labelServer.pages[4], { number: labelServer.pages[2]?.number, isFull: true });
});
