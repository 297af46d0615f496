import test from "ava";
import { labelStates } from "../../../records/kinds/labels.ts";
import { idOf, labelKey } from "../../../schemas/keys.ts";
import { newLabelState } from "../../../schemas/label-state.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { STORE, transmitScene, wanting } from "./scene.ts";
import { at } from "./states.ts";

const own = ownSystem();
/** More labels than one read returns. */
const MANY = 510;

test.serial(
  "everything due is sent, whatever the batch size, and transmissions under way are not begun again",
  async (t) => {
    const { storePicture, sendDue, labelServer, clock } = transmitScene(own, { concurrency: 2 * MANY });
    const image = await storePicture("a");
    const keys = Array.from({ length: MANY }, (_, index) => labelKey(STORE, `many-${index}`));
    const state = { ...newLabelState(), ...wanting(image, "1.99") };
    await own.system.commit.change(labelStates, keys, () => state, "bulk");
    const released = Promise.withResolvers<void>();
    labelServer.set.held = released.promise;
    await sendDue();
    t.is(labelServer.pages.length, MANY);
    clock.now = at(2);
    await sendDue();
    t.is(labelServer.pages.length, MANY);
    const states = await own.system.records.read(labelStates, keys);
    t.deepEqual(new Set([...states.values()].map(({ tries }) => tries)), new Set([1]));
    released.resolve();
  },
);

test.serial("few of a slow label server's transmissions start, and the others follow when there is room", async (t) => {
  const { hang, storePicture, transmit, labelServer, clock, counted, read } = transmitScene(own, { concurrency: 1 });
  const image = await storePicture("a");
  const slow = Promise.withResolvers<void>();
  labelServer.set.held = slow.promise;
  await transmit([await hang(wanting(image))], "bulk");
  clock.now = at(100);
  slow.resolve();
  await eventually("the slow call has ended", async () => counted.length === 1);

  const next = Promise.withResolvers<void>();
  labelServer.set.held = next.promise;
  const keys = [await hang(wanting(image)), await hang(wanting(image)), await hang(wanting(image))];
  await transmit(keys, "bulk");
  const tries = async () => Promise.all(keys.map(async (key) => (await read(key)).tries));
  t.deepEqual(await tries(), [1, 0, 0]);
  next.resolve();
  const sent = () => labelServer.pages.map(({ barcode }) => barcode);
  await eventually("the others are sent", async () => keys.every((key) => sent().includes(idOf(key))));
  t.deepEqual(await tries(), [1, 1, 1]);
});

test.serial("a transmission's step names the cause of its picture if the cause is known", async (t) => {
  const { hang, storePicture, transmit, steps } = transmitScene(own);
  const image = await storePicture("a");
  const cause = { trace: "0af7651916cd43dd8448eb211c80319c", call: "b7ad6b7169203331" };
  await transmit([await hang({ ...wanting(image), wantedBy: cause })], "bulk");
  await eventually("it is accepted", async () => steps.length === 1);
  await transmit([await hang(wanting(image))], "bulk");
  await eventually("the other transmission is counted too", async () => steps.length === 2);
  t.deepEqual(
    steps.map(({ causes }) => causes),
    [[cause], []],
  );
});
