import test from "ava";
import { allKinds } from "../../../../records/all-kinds.ts";
import { indexesOf } from "../../../../records/indexes.ts";
import { labelStates, labels } from "../../../../records/kinds/labels.ts";
import { createReadPlaces } from "../../../../records/labels/read-places.ts";
import { EVERY_KEY, idOf, labelKey, ownerOf } from "../../../../schemas/keys.ts";
import { newLabelState } from "../../../../schemas/label-state.ts";
import type { LinkDepartment } from "../../../../schemas/store.ts";
import { reasonWithout } from "../../../../scripts/develop/queries/without-index.ts";
import type { LabelServer } from "../../../../workers/transmitter/drivers/label-server.ts";
import { createSendDue, DUE_PER_READ } from "../../../../workers/transmitter/sending/send-due.ts";
import { createLabelServers } from "../../../../workers/transmitter/servers/label-servers.ts";
import { shapesOf } from "../../../harness/databases/query-recorder.ts";
import { ownSystem } from "../../../harness/own.ts";
import { at } from "../states.ts";

const own = ownSystem();
const [AWAY, FIRST, SECOND] = ["t/due/s/away", "t/due/s/first", "t/due/s/second"] as const;
const SERVER_OF_AWAY = "t/due/labelservers/gone";

test.beforeEach(() => own.system.db.collection(labelStates.name).deleteMany({}));

const labelsOf = (store: string, count: number) =>
  Array.from({ length: count }, (_, index) => labelKey(store, `due-${String(index).padStart(4, "0")}`));

/** Makes a store's labels due, `seconds` before the time of the poll. */
const makeDue = (store: string, count: number, seconds: number) =>
  own.system.commit.change(
    labelStates,
    labelsOf(store, count),
    () => ({ ...newLabelState(), sendDue: at(-seconds) }),
    "bulk",
  );

const answering = (isAway: boolean): LabelServer => ({
  isAway: () => isAway,
  failingSince: () => undefined,
  deniedSince: () => undefined,
  backSince: () => undefined,
  lastCalls: () => ({}),
  sendPage: async () => ({ kind: "accepted" }),
  sendOrder: async () => ({ kind: "accepted" }),
  close: async () => {},
});

/**
 * Polls of a process with two label servers, one of which can be unreachable, and the labels that the polls read, in
 * order.
 */
async function pollScene({
  roomFor = (): boolean => true,
  roomOf = DUE_PER_READ,
  isAway = true,
  parts = [EVERY_KEY],
  departmentsOf = {} as Record<string, LinkDepartment[]>,
} = {}) {
  const { db, records, commit } = own.system;
  const labelServers = createLabelServers({
    installation: answering(false),
    readDirectory: async () => ({
      servers: new Map([[SERVER_OF_AWAY, { url: "http://gone", secret: "secret" }]]),
      serverOf: new Map([[AWAY, SERVER_OF_AWAY]]),
      departmentsOf: new Map(Object.entries(departmentsOf)),
      withSecret: new Map(),
    }),
    open: () => answering(isAway),
  });
  await labelServers.refresh();
  const read: string[] = [];
  const set = { now: at(0) };
  const lane = {
    has: () => false,
    add: () => {},
    rate: () => ({ perSecond: 1, concurrency: 1 }),
    learnt: () => undefined,
    close: async () => {},
  };
  const laneOf = new Map([AWAY, FIRST, SECOND].map((store) => [store as string, { ...lane, room: () => roomOf }]));
  const laneTo = (server: LabelServer) => ({ ...lane, room: () => (server.isAway() || !roomFor() ? 0 : roomOf) });
  const { sendDue } = createSendDue({
    ...{ db, labelServers, partitions: { own: async () => parts }, now: () => set.now },
    readPlaces: createReadPlaces(records, labelServers),
    lanes: {
      to: laneTo,
      of: (place) =>
        (labelServers.isDivided(place.store) && laneTo(labelServers.of(place))) ||
        (laneOf.get(place.store) ?? { ...lane, room: () => roomOf }),
    },
    async transmit(keys) {
      read.push(...keys);
      await commit.change(labelStates, keys, (_, state) => state && { ...state, sendDue: at(600) }, "bulk");
    },
  });
  return { sendDue, read, set };
}

test.serial("what is due at an unreachable label server is not read, however much and however old it is", async (t) => {
  await makeDue(AWAY, DUE_PER_READ + 10, 100);
  await makeDue(FIRST, 2, 1);
  const { sendDue, read } = await pollScene();
  const shapes = await shapesOf(async () => {
    await sendDue();
    await sendDue();
  });
  t.deepEqual(read, labelsOf(FIRST, 2), "the database returned no document of the other store");
  const [shape] = shapes.filter(({ collection, sort }) => collection === labelStates.name && "store" in sort);
  const index = indexesOf(await allKinds()).find(
    ({ collection, keys }) => collection === labelStates.name && "store" in keys,
  );
  t.deepEqual(
    Object.keys(shape?.where ?? {}).sort(),
    Object.keys(index?.keys ?? {}).sort(),
    "the index read none either",
  );
  t.deepEqual(Object.keys(index?.keys ?? {}), Object.keys(shape?.sort ?? {}));
  t.regex((shape && reasonWithout(shape)) ?? "", /the server skips from store to store/);
});

test.serial("when the label server is reachable again, everything due is sent, batch after batch", async (t) => {
  await makeDue(AWAY, DUE_PER_READ + 10, 100);
  await makeDue(SECOND, 3, 1);
  const { sendDue, read } = await pollScene({ isAway: false });
  await sendDue();
  t.deepEqual(read.toSorted(), [...labelsOf(AWAY, DUE_PER_READ + 10), ...labelsOf(SECOND, 3)]);
});

test.serial("a store's backlog delays no other store: the next read starts after it", async (t) => {
  await makeDue(FIRST, 2 * DUE_PER_READ, 100);
  await makeDue(SECOND, 1, 1);
  const { sendDue, read } = await pollScene();
  await sendDue();
  t.is(read.length, 2 * DUE_PER_READ + 1);
  t.is(ownerOf(read[DUE_PER_READ] ?? ""), SECOND, "after one batch of the first store");
});

test.serial(
  "in a divided store, an unreachable label server's backlog delays no label of another label server",
  async (t) => {
    const keys = labelsOf(FIRST, DUE_PER_READ + 20);
    const [waiting, others] = [keys.slice(0, DUE_PER_READ + 10), keys.slice(DUE_PER_READ + 10)];
    const label = (key: string, linkDepartment: string) => ({
      ...{ barcode: idOf(key), type: 1, modelName: "Single", stamps: {}, linkDepartment },
    });
    await own.system.commit.change(labels, waiting, (key) => label(key, "food"), "bulk");
    await own.system.commit.change(labels, others, (key) => label(key, "roof"), "bulk");
    // All labels are due since the same time, and the unreachable label server's labels have the first keys.
    await makeDue(FIRST, keys.length, 100);
    await makeDue(SECOND, 1, 1);
    const departments = [
      { id: "food", transceivers: ["T1"], labelServer: "gone" },
      { id: "roof", transceivers: ["T2"] },
    ];
    const { sendDue, read } = await pollScene({ departmentsOf: { [FIRST]: departments } });
    await sendDue();
    t.deepEqual(read, [...others, ...labelsOf(SECOND, 1)]);
  },
);

test.serial("if there is no room, nothing more is read; the next pass continues after the last store", async (t) => {
  await makeDue(FIRST, 2 * DUE_PER_READ, 100);
  await makeDue(SECOND, 1, 1);
  let rooms = 1;
  const { sendDue, read } = await pollScene({
    roomFor: () => {
      rooms -= 1;
      return rooms >= 0;
    },
  });
  await sendDue();
  t.deepEqual([read.length, ownerOf(read[0] ?? "")], [DUE_PER_READ, FIRST]);
  rooms = Number.POSITIVE_INFINITY;
  await sendDue();
  t.is(ownerOf(read[DUE_PER_READ] ?? ""), SECOND);
  t.is(read.length, 2 * DUE_PER_READ + 1);
});

test.serial(
  "a process sends what is due in its partitions, and leaves other partitions to their processes",
  async (t) => {
    const stores = ["t/due/s/1", "t/due/s/1-b", "t/due/s/2", "t/due/s/3"] as const;
    for (const store of stores) await makeDue(store, 2, 1);
    const parts = [
      { $gte: "t/", $lt: "t/due/s/1/" },
      { $gte: "t/due/s/3/", $lt: "t0" },
    ];
    const { sendDue, read } = await pollScene({ parts });
    await sendDue();
    t.deepEqual(read, [...labelsOf("t/due/s/1-b", 2), ...labelsOf("t/due/s/3", 2)]);
  },
);

test.serial(
  "a label that stays due for ten seconds is sent by any process, since its own may be unable to reach its label server",
  async (t) => {
    await makeDue(FIRST, 2, 1);
    const { sendDue, read, set } = await pollScene({ parts: [] });
    set.now = at(8);
    await sendDue();
    t.deepEqual(read, []);
    set.now = at(10);
    await sendDue();
    t.deepEqual(read, labelsOf(FIRST, 2));
  },
);

test.serial("no more labels are begun for a label server than it has room for", async (t) => {
  await makeDue(FIRST, 20, 100);
  await makeDue(SECOND, 1, 1);
  const { sendDue, read } = await pollScene({ roomOf: 3 });
  await sendDue();
  t.deepEqual(read, [...labelsOf(FIRST, 3), ...labelsOf(SECOND, 1)]);
});

test.serial("a call during a pass causes another pass, since there may be room by then", async (t) => {
  await makeDue(FIRST, 2, 1);
  let hasRoom = false;
  const { sendDue, read } = await pollScene({
    roomFor: () => {
      if (hasRoom) return true;
      void sendDue();
      queueMicrotask(() => {
        hasRoom = true;
      });
      return false;
    },
  });
  await sendDue();
  t.deepEqual(read, labelsOf(FIRST, 2));
});
