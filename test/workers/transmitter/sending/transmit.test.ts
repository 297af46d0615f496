import test from "ava";
import { idOf } from "../../../../schemas/keys.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownSystem } from "../../../harness/own.ts";
import { STORE, transmitScene, wanting } from "../scene.ts";
import { png } from "../serve.ts";
import { at } from "../states.ts";

const own = ownSystem();
const sentTo = (scene: ReturnType<typeof transmitScene>) => scene.labelServer.pages.map(({ barcode }) => barcode);

test.serial("a label receives its page in its turn, through the transceivers that reach it", async (t) => {
  const scene = transmitScene(own);
  const { departments, hang, storePicture, transmit, read, counted, labelServer } = scene;
  await departments(STORE, { floor: ["T1", "T2"], cellar: ["T3"] });
  const image = await storePicture("a");
  const keys = [
    await hang(wanting(image)),
    await hang(wanting(image), { linkDepartment: "cellar", device: "0218D6C53B19" }),
  ];
  await transmit([keys[0] ?? ""], "bulk");
  await transmit([keys[1] ?? ""], "interactive");
  const [first, second] = labelServer.pages;
  t.like(first, { store: STORE, barcode: idOf(keys[0] ?? ""), page: 0, number: 1, content: { png: Buffer.from(png) } });
  t.like(first, { priority: "normal", transceivers: ["T1", "T2", "T3"] });
  t.like(second, { barcode: idOf(keys[1] ?? ""), priority: "high", transceivers: ["T3"], device: "0218D6C53B19" });
  t.false("device" in (first ?? {}));
  t.like(await read(keys[0] ?? ""), { sending: { number: 1, image }, tries: 1, sendDue: at(1) });
  await eventually("both are counted", async () => counted.length === 2);
  t.deepEqual(counted[0], ["shelfwire_pictures_transmitted_total", { tenant: "t/demo" }]);
});

test.serial("a transmission is a step of its trace, with a fault if the label server refuses it", async (t) => {
  const { hang, storePicture, transmit, labelServer, steps } = transmitScene(own);
  const key = await hang(wanting(await storePicture("a")));
  await transmit([key], "bulk");
  await eventually("it is accepted", async () => steps.length === 1);
  t.like(steps[0], { name: "transmit", attributes: { label: key, transmission: 1 }, fault: undefined });
  labelServer.set.answer = { kind: "later", afterMs: 7_000, reason: "busy" };
  await transmit([await hang(wanting("a"))], "bulk");
  await eventually("the transmission is postponed", async () => steps.length === 2);
  t.is(steps[1]?.fault, "later");
});

test.serial("a segment label receives its text, even if its picture is not stored", async (t) => {
  const { hang, transmit, labelServer, errors } = transmitScene(own);
  await transmit([await hang(wanting("not stored", "1.99"))], "bulk");
  t.deepEqual(labelServer.pages[0]?.content, { text: "1.99" });
  t.deepEqual(errors, []);
});

test.serial("a missing picture is neither sent nor forgotten: it is due again, and this is logged", async (t) => {
  const { hang, transmit, labelServer, errors, read } = transmitScene(own);
  const key = await hang(wanting("nowhere"));
  await transmit([key], "bulk");
  t.deepEqual(labelServer.pages, []);
  t.deepEqual(errors, [{ key, image: "nowhere" }]);
  t.deepEqual((await read(key)).sendDue, at(1));
});

test.serial(
  "a busy label server's transmissions are postponed for as long as it says, without counting an attempt",
  async (t) => {
    const { hang, storePicture, transmit, labelServer, read } = transmitScene(own);
    const key = await hang(wanting(await storePicture("a")));
    labelServer.set.answer = { kind: "later", afterMs: 7_000, reason: "busy" };
    await transmit([key], "bulk");
    const state = await eventually("the transmission is postponed", async () => {
      const state = await read(key);
      return state.putOff !== undefined && state;
    });
    t.like(state, { putOff: "busy", tries: 0, sendDue: at(7) });
  },
);

test.serial("a picture that a label server refuses fails with the reason, and is retried rarely", async (t) => {
  const { hang, storePicture, transmit, labelServer, read } = transmitScene(own);
  const key = await hang(wanting(await storePicture("a")));
  labelServer.set.answer = { kind: "refused", reason: "no such label" };
  await transmit([key], "bulk");
  const state = await eventually("the picture has failed", async () => {
    const state = await read(key);
    return state.givenUp !== undefined && state;
  });
  t.is(state.givenUp, "no such label");
  t.is(state.sending, undefined);
  const wait = (state.sendDue?.getTime() ?? 0) - at(0).getTime();
  t.true(wait >= 1_800_000 && wait <= 5_400_000, `${wait}`);
});

test.serial("only a report confirms an accepted transmission", async (t) => {
  const { hang, storePicture, transmit, counted, read, close } = transmitScene(own);
  const key = await hang(wanting(await storePicture("a")));
  await transmit([key], "bulk");
  await eventually("it is accepted", async () => counted.length === 1);
  await close();
  t.like(await read(key), { sending: { number: 1 }, tries: 1, sendDue: at(1) });
});

test.serial("while the label server is unreachable, prepared transmissions are stored, and none begins", async (t) => {
  const { hang, storePicture, transmit, labelServer, read, sendDue } = transmitScene(own);
  const image = await storePicture("a");
  const key = await hang();
  labelServer.set.isAway = true;
  await transmit([key], "bulk", (_, current) => current && { ...current, ...wanting(image) });
  await sendDue();
  t.like(await read(key), { wanted: [{ page: 0, image }], tries: 0, sendDue: at(0) });
  t.is((await read(key)).sending, undefined);
  t.deepEqual(labelServer.pages, []);
});

test.serial("a label without a state or a wanted picture is skipped", async (t) => {
  const { hang, transmit, labelServer, read } = transmitScene(own);
  const key = await hang();
  await transmit([key, `${STORE}/labels/unknown`], "bulk");
  await transmit([key], "bulk", () => undefined);
  t.deepEqual(labelServer.pages, []);
  t.like(await read(key), { transmissions: 0 });
});

test.serial(
  "with many labels, only as many transmissions start as there is room for, and the other labels stay due",
  async (t) => {
    const { hang, storePicture, transmit, labelServer, read } = transmitScene(own, { concurrency: 1 });
    const image = await storePicture("a");
    const first = await hang(wanting(image));
    const released = Promise.withResolvers<void>();
    labelServer.set.held = released.promise;
    await transmit([first], "bulk");
    t.is(labelServer.pages.length, 1);
    const again = await hang(wanting(image));
    await transmit([again, first], "bulk");
    t.like(await read(again), { tries: 1 });
    t.is(labelServer.pages.length, 1);
    released.resolve();
    await eventually("the second is sent", async () => labelServer.pages.length === 2);
  },
);

test.serial("an unknown store's label server is looked up before a transmission", async (t) => {
  let refreshed = 0;
  const servers = {
    knows: () => refreshed > 0,
    refresh: async () => {
      refreshed += 1;
    },
  };
  const { hang, storePicture, transmit, departments } = transmitScene(own, { servers });
  await departments("t/demo/s/fresh", { floor: ["T1"] });
  const image = await storePicture("a");
  await transmit([await hang(wanting(image), {}, "t/demo/s/fresh")], "bulk");
  t.is(refreshed, 1);
  await transmit([await hang(wanting(image), {}, "t/demo/s/fresh")], "bulk");
  t.is(refreshed, 1);
});

test.serial("only due transmissions that are not under way are sent, longest due first", async (t) => {
  const scene = transmitScene(own, { concurrency: 1 });
  const { hang, storePicture, sendDue, clock, labelServer } = scene;
  const image = await storePicture("a");
  const second = await hang({ ...wanting(image), sendDue: at(-2) });
  const first = await hang({ ...wanting(image), sendDue: at(-3) });
  await hang({ ...wanting(image), sendDue: at(50) });
  const ours = () => sentTo(scene).filter((barcode) => [first, second].map(idOf).includes(barcode));
  clock.now = at(-1);
  await sendDue();
  await eventually("both are sent", async () => ours().length === 2);
  t.deepEqual(ours(), [idOf(first), idOf(second)]);

  const released = Promise.withResolvers<void>();
  labelServer.set.held = released.promise;
  const third = await hang({ ...wanting(image), sendDue: at(-3) });
  await sendDue();
  clock.now = at(5);
  await sendDue();
  t.is(sentTo(scene).filter((barcode) => barcode === idOf(third)).length, 1);
  released.resolve();
});

test.serial("a closing process makes unsent transmissions due and waits for its calls", async (t) => {
  const { hang, storePicture, transmit, labelServer, close, read, clock } = transmitScene(own, { concurrency: 1 });
  const image = await storePicture("a");
  const [sent, waiting] = [await hang(wanting(image)), await hang(wanting(image))];
  const released = Promise.withResolvers<void>();
  labelServer.set.held = released.promise;
  await transmit([sent, waiting], "bulk");
  clock.now = at(0.5);
  let isClosed = false;
  const closing = close().then(() => {
    isClosed = true;
  });
  await eventually("the waiting transmission is due", async () => (await read(waiting)).tries === 0);
  t.false(isClosed);
  released.resolve();
  await closing;
  t.deepEqual((await read(waiting)).sendDue, at(0.5));
  t.like(await read(sent), { tries: 1, sendDue: at(1) });
  t.deepEqual(
    labelServer.pages.map(({ barcode }) => barcode),
    [idOf(sent)],
  );
});

test.serial("after a start, recent first attempts are sent again with their numbers", async (t) => {
  const scene = transmitScene(own);
  const { hang, storePicture, resume, clock } = scene;
  clock.now = at(100);
  const image = await storePicture("a");
  const sending = { page: 0, image, number: 7 };
  const begun = { ...wanting(image), sending, sent: [sending], transmissions: 7, tries: 1 };
  const first = await hang({ ...begun, sendDue: at(100.5) });
  const others = [
    await hang({ ...begun, sendDue: at(100.5), tries: 2 }),
    await hang({ ...begun, sendDue: at(100.5), givenUp: "refused" }),
    await hang({ ...begun, sendDue: at(110) }),
  ].map(idOf);
  await resume();
  const pages = scene.labelServer.pages.filter(({ barcode }) => [idOf(first), ...others].includes(barcode));
  t.deepEqual(
    pages.map(({ barcode, number }) => [barcode, number]),
    [[idOf(first), 7]],
  );
});

test.serial("transmissions to an unreachable label server are sent again when it responds", async (t) => {
  const scene = transmitScene(own);
  const { hang, storePicture, resume, clock, labelServer } = scene;
  clock.now = at(200);
  await resume();
  const image = await storePicture("a");
  const sending = { page: 0, image, number: 7 };
  const key = await hang({
    ...wanting(image),
    ...{ sending, sent: [sending], transmissions: 7, tries: 1, sendDue: at(200.5) },
  });
  const sent = () => labelServer.pages.filter(({ barcode }) => barcode === idOf(key)).map(({ number }) => number);
  await resume();
  t.deepEqual(sent(), [], "a label server that was never unreachable keeps what it accepted");
  labelServer.set.isAway = true;
  labelServer.set.backSince = at(200.2).getTime();
  await resume();
  t.deepEqual(sent(), []);
  labelServer.set.isAway = false;
  await resume();
  t.deepEqual(sent(), [7]);
  await resume();
  t.deepEqual(sent(), [7]);
});
