import test from "ava";
import { replaceDevice } from "../../../../domain/labels/replace-device.ts";
import { labelStates, labels } from "../../../../records/kinds/labels.ts";
import { idOf, labelKey } from "../../../../schemas/keys.ts";
import { type LabelState, newLabelState } from "../../../../schemas/label-state.ts";
import { wantImage } from "../../../../workers/transmitter/wanted-image.ts";
import { ownSystem } from "../../../harness/own.ts";
import { STORE } from "../scene.ts";
import { at } from "../states.ts";
import { shows, statesScene } from "./scene.ts";

const own = ownSystem();

test.serial("a label receives its picture once, in its turn", async (t) => {
  const { hang, show, showImages, storePicture, labelServer, read } = statesScene(own);
  const image = await storePicture("a");
  const key = await hang();
  await show(key, { pages: [{ page: 0, image }], shows });
  await showImages([key], "interactive");
  await showImages([key, `${STORE}/labels/without a picture`], "interactive");
  t.deepEqual(
    labelServer.pages.map(({ barcode, priority }) => [barcode, priority]),
    [[idOf(key), "high"]],
  );
  t.like(await read(key), { wanted: [{ page: 0, image }], content: { items: [{ itemId: "milk", price: "1.99" }] } });
});

for (const [writer, isOfLastRelease] of [
  ["another handler", false],
  // It stores no rev of its picture.
  ["a process of the last release", true],
] as const)
  test.serial(`a picture that was read before ${writer} wanted a newer picture is not sent`, async (t) => {
    const { hang, show, showImages, storePicture, labelServer, read, clock } = statesScene(own);
    const [old, next] = [await storePicture("old"), await storePicture("next")];
    const key = await hang();
    await show(key, { pages: [{ page: 0, image: old }], shows });
    const { records, commit } = own.system;
    const { readTogether } = records;
    records.readTogether = async (reads) => {
      const found = await readTogether(reads);
      records.readTogether = readTogether;
      const newest = { pages: [{ page: 0, image: next }], shows };
      await show(key, newest);
      const want = (_: string, state?: LabelState) => wantImage(state ?? newLabelState(), newest, clock.now);
      await (isOfLastRelease ? commit.change(labelStates, [key], want, "bulk") : showImages([key], "bulk"));
      return found;
    };
    await showImages([key], "bulk");
    t.deepEqual((await read(key)).wanted, [{ page: 0, image: next }]);
    t.is(labelServer.pages.length, 1);
  });

test.serial(
  "a picture goes to the new tag if the tag is replaced while the picture's transmission begins",
  async (t) => {
    const { hang, show, showImages, storePicture, labelServer, clock } = statesScene(own);
    const [former, present] = ["0218D6C53B19", "0218D6C53B20"];
    const key = await hang({}, { device: former });
    await show(key, { pages: [{ page: 0, image: await storePicture("a") }], shows });
    const { records, commit } = own.system;
    const { readTogether } = records;
    records.readTogether = async (reads) => {
      const found = await readTogether(reads);
      records.readTogether = readTogether;
      await commit.change(labels, [key], (_, label) => label && { ...label, device: present }, "bulk");
      await commit.change(labelStates, [key], (_, state) => state && replaceDevice(state, 9, clock.now), "bulk");
      return found;
    };
    await showImages([key], "bulk");
    t.deepEqual(
      labelServer.pages.map(({ barcode, device }) => [barcode, device]),
      [[idOf(key), present]],
    );
  },
);

test.serial("a picture that a restore set back is shown although its rev is older", async (t) => {
  const { hang, show, showImages, storePicture, read } = statesScene(own);
  const image = await storePicture("restored");
  const key = await hang({ imageRev: Number.MAX_SAFE_INTEGER });
  await show(key, { pages: [{ page: 0, image }], shows });
  await showImages([key], "bulk");
  t.deepEqual((await read(key)).wanted, [{ page: 0, image }]);
});

test.serial("a state without its newest picture is stale, and so is a state that was never sent", async (t) => {
  const { hang, show, showImages, storePicture, findStale } = statesScene(own);
  const image = await storePicture("a");
  const [fresh, changed, unknown] = [await hang(), await hang(), labelKey(STORE, "never seen")];
  for (const key of [fresh, changed, unknown]) await show(key, { pages: [{ page: 0, image }], shows });
  await showImages([fresh, changed], "bulk");
  t.deepEqual(await findStale([fresh, changed, unknown]), [unknown]);
  await show(changed, { pages: [{ page: 0, image: "b" }], shows });
  t.deepEqual((await findStale([fresh, changed, unknown])).sort(), [changed, unknown].sort());
});

test.serial("a label that shows its picture, or whose picture has a fault, is not stale", async (t) => {
  const { hang, show, showImages, storePicture, noteReports, findStale, of, read } = statesScene(own);
  const image = await storePicture("a");
  const [landed, faulty] = [await hang(), await hang()];
  await show(landed, { pages: [{ page: 0, image }], shows });
  await show(faulty, { pages: [{ page: 0, image }], shows, fault: { reason: "DRAWING_FAILED", detail: "no design" } });
  await showImages([landed, faulty], "bulk");
  for (const key of [landed, faulty])
    await noteReports([of(key, "acknowledged", 3, { transmission: (await read(key)).sending?.number ?? 0 })]);
  t.deepEqual(await findStale([landed, faulty]), []);
  t.deepEqual(
    (await Promise.all([landed, faulty].map(read))).map(({ sendDue, fault }) => [sendDue, fault]),
    [
      [undefined, undefined],
      [undefined, "no design"],
    ],
  );
});

test.serial("a label that a caller asked to refresh is stale only if its wanted picture differs", async (t) => {
  const { hang, show, showImages, storePicture, noteReports, findStale, of, read } = statesScene(own);
  const image = await storePicture("a");
  const key = await hang();
  await show(key, { pages: [{ page: 0, image }], shows });
  await showImages([key], "bulk");
  await noteReports([of(key, "acknowledged", 3, { transmission: (await read(key)).sending?.number ?? 0 })]);
  const { commit } = own.system;
  const refreshing = { after: 99, pages: [0] };
  await commit.change(labelStates, [key], (_, state) => state && { ...state, refreshing, sendDue: undefined }, "bulk");
  t.deepEqual(await findStale([key]), [key]);
});

test.serial("a label that reports a different picture than it acknowledged is sent the right one", async (t) => {
  const { hang, show, showImages, noteReports, storePicture, labelServer, of, clock } = statesScene(own);
  const image = await storePicture("a");
  const key = await hang();
  await show(key, { pages: [{ page: 0, image }], shows });
  await showImages([key], "bulk");
  const numbers = () => labelServer.pages.filter(({ barcode }) => barcode === idOf(key)).map(({ number }) => number);
  await noteReports([of(key, "acknowledged", 1, { transmission: 1, page: 0 })]);
  clock.now = at(5);
  await noteReports([of(key, "check-in", 4, { shows: [{ page: 0, transmission: 1 }] })]);
  t.deepEqual(numbers(), [1]);
  await noteReports([of(key, "check-in", 5, { shows: [{ page: 0 }] })]);
  t.deepEqual(numbers(), [1, 2]);
});
