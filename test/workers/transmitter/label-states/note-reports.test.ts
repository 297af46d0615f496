import test from "ava";
import { openGlassLog } from "../../../../records/glass-log.ts";
import { labelBatteries, labelPresses, labelSensors, labelStates } from "../../../../records/kinds/labels.ts";
import { ownSystem } from "../../../harness/own.ts";
import { STORE } from "../scene.ts";
import { at } from "../states.ts";
import { shows, statesScene } from "./scene.ts";

const own = ownSystem();

test.serial(
  "a picture that landed is recorded on the glass, in its log, in the metrics and in the trace",
  async (t) => {
    const scene = statesScene(own);
    const { hang, show, showImages, storePicture, noteReports, of, read, clock, observed, steps, counted } = scene;
    const image = await storePicture("a");
    const key = await hang();
    await show(key, { pages: [{ page: 0, image }], shows });
    await showImages([key], "bulk");
    const { sending } = await read(key);
    const cause = { call: "c", acceptedAt: at(-1).getTime(), urgency: "interactive" as const };
    const { commit } = own.system;
    await commit.change(
      labelStates,
      [key],
      (_, state) => state && { ...state, sent: state.sent.map((one) => ({ ...one, cause })) },
      "bulk",
    );
    clock.now = at(4);
    const { number: transmission = 0 } = sending ?? {};
    await noteReports([of(key, "check-in", 1), of(key, "check-in", 2), of(key, "acknowledged", 3, { transmission })]);
    t.like(await read(key), { shown: [{ page: 0, image, deliveredAt: at(3) }], sendDue: undefined, lastSeen: at(3) });
    const [entry] = await openGlassLog(own.system.db).readAt([{ label: key, page: 0 }], at(9));
    t.like(entry, { label: key, store: STORE, page: 0, image, transmission, tookMs: 7_000, at: at(3) });
    t.deepEqual(observed, [["shelfwire_call_to_glass_seconds", { urgency: "interactive" }, 5]]);
    t.like(steps, { length: 1, 0: { name: "acknowledge", attributes: { reports: 3 }, causes: [cause] } });
    t.deepEqual(
      counted.filter(([name]) => name === "shelfwire_pictures_acknowledged_total"),
      [["shelfwire_pictures_acknowledged_total", { tenant: "t/demo" }, 1]],
    );
  },
);

test.serial("pictures enter the glass in the order in which they landed, however they are reported", async (t) => {
  const { hang, noteReports, of } = statesScene(own);
  const content = { changedAt: at(0).getTime(), items: [] };
  const sent = ["a", "b", "b", "c"].map((image, index) => ({ number: index + 1, page: 0, image, content }));
  const key = await hang({ sent, shown: [{ page: 0, image: "a", deliveredAt: at(0), through: 1 }] });
  const landed = (transmission: number, second: number) => of(key, "acknowledged", second, { transmission });
  // A label server may omit fractions of a second.
  const whole = { ...landed(2, 5), at: at(5).toISOString().replace(".000Z", "Z") };
  await noteReports([landed(4, 9), landed(3, 5.5), whole, landed(1, 3)]);
  const entries = await own.system.db
    .collection("glass")
    .find({ label: key })
    .sort({ at: 1, transmission: 1 })
    .toArray();
  t.deepEqual(
    entries.map(({ transmission, image, tookMs }) => [transmission, image, tookMs !== undefined]),
    [
      [1, "a", false],
      [2, "b", true],
      [3, "b", false],
      [4, "c", true],
    ],
  );
});

test.serial("pictures are counted and traced when they are acknowledged, not when they fail", async (t) => {
  const { hang, noteReports, of, counted, steps } = statesScene(own);
  const cause = (call: string) => ({ call, acceptedAt: at(-1).getTime(), urgency: "bulk" as const });
  const sent = [1, 2, 3].map((number) => ({ number, page: 0, image: `${number}`, cause: cause(`call ${number}`) }));
  const key = await hang({ sent });
  await noteReports([
    of(key, "failed", 1, { transmission: 1 }),
    of(key, "acknowledged", 2, { transmission: 2 }),
    of(key, "check-in", 3, { transmission: 3 }),
  ]);
  t.deepEqual(steps[0]?.causes, [cause("call 2")]);
  t.deepEqual(
    counted.filter(([name]) => name === "shelfwire_pictures_acknowledged_total").map(([, , amount]) => amount),
    [1],
  );
});

test.serial("a press and a sensor value are announced once, even if their reports are applied again", async (t) => {
  const { hang, noteReports, of, read, pressed } = statesScene(own);
  const { records } = own.system;
  const key = await hang();
  const press = { button: 2, at: at(3).toISOString() };
  const reports = [
    of(key, "check-in", 4, { press, sensors: { temperature: 21 } }),
    of(key, "check-in", 5, { sensors: { temperature: 21.5 } }),
  ];
  await noteReports(reports);
  const before = await records.readRevs(labelPresses, [key]);
  await noteReports(reports);
  t.deepEqual(await records.readRevs(labelPresses, [key]), before);
  t.deepEqual((await read(key)).press, { button: 2, at: at(3) });
  t.deepEqual((await read(key)).sensors, { temperature: { value: 21.5, at: at(5) } });
  t.like((await records.read(labelPresses, [key])).get(key), { button: 2, pressedAt: at(3) });
  t.like((await records.read(labelSensors, [key])).get(key), { temperature: 21.5 });
  t.deepEqual(pressed, [key, key]);
});

test.serial("a battery that must be replaced is announced once, and so is the next one", async (t) => {
  const { hang, noteReports, of, clock } = statesScene(own);
  const key = await hang();
  const announced = async () => (await own.system.records.read(labelBatteries, [key])).get(key);
  await noteReports([of(key, "check-in", 1, { battery: "OK" })]);
  t.is(await announced(), undefined);
  await noteReports([of(key, "check-in", 2, { battery: "LOW" })]);
  const first = await announced();
  t.deepEqual(first?.replaceSince, at(0), "by this server's clock");
  await noteReports([of(key, "check-in", 3, { battery: "LOW" })]);
  t.is((await announced())?.rev, first?.rev);

  await noteReports([of(key, "check-in", 4, { battery: "OK" })]);
  t.is((await announced())?.rev, first?.rev);
  clock.now = at(60);
  await noteReports([of(key, "check-in", 61, { battery: "LOW" })]);
  t.deepEqual((await announced())?.replaceSince, at(60));
});

test.serial(
  "a battery whose announcement a killed process did not write is announced with the next report",
  async (t) => {
    const { hang, noteReports, of } = statesScene(own);
    const replaceSince = at(-60).getTime();
    const key = await hang({ battery: "LOW", care: { since: replaceSince, refreshes: 0, days: [], replaceSince } });
    await noteReports([of(key, "check-in", 1, { battery: "LOW" })]);
    const announced = await own.system.records.read(labelBatteries, [key]);
    t.deepEqual(announced.get(key)?.replaceSince, at(-60));
  },
);

test.serial("a label's reports are applied in the order of the label server's clock", async (t) => {
  const { hang, noteReports, of, read, steps } = statesScene(own);
  const key = await hang();
  const batteries = { 4: "OK", 5: "LOW", 2: "OK" } as const;
  const inDisorder = ([4, 5, 2] as const).map((second) => of(key, "check-in", second, { battery: batteries[second] }));
  await noteReports(inDisorder);
  t.like(await read(key), {
    battery: "LOW",
    lastSeen: at(5),
    batteryStateFirstEnteredLow: at(5),
    batteryStateChanged: at(5),
  });
  t.deepEqual(steps[0]?.causes, []);
});

test.serial("a report for a picture without a stored state records only when the label was last seen", async (t) => {
  const { hang, noteReports, of, read, steps } = statesScene(own);
  const key = await hang();
  await noteReports([of(key, "acknowledged", 3, { transmission: 7 })]);
  t.like(await read(key), { lastSeen: at(3), shown: [] });
  t.deepEqual(steps[0]?.causes, []);
});

test.serial("the label server's run in a report is recorded", async (t) => {
  const { hang, noteReports, boots, of } = statesScene(own);
  const key = await hang();
  await noteReports([of(key, "check-in", 1, { bootId: "second run" }), of(key, "check-in", 2)]);
  t.deepEqual(boots, [[STORE, "second run"]]);
});

test.serial(
  "an acknowledgement does not read a state that its own process wrote, unless another process has written it since",
  async (t) => {
    const { hang, show, showImages, storePicture, noteReports, of, read } = statesScene(own);
    const image = await storePicture("begun");
    const [alone, shared] = [await hang(), await hang()];
    for (const key of [alone, shared]) await show(key, { pages: [{ page: 0, image }], shows });
    await showImages([alone, shared], "bulk");
    await own.system.commit.change(
      labelStates,
      [shared],
      (_, state) => state && { ...state, battery: "LOW" as const },
      "bulk",
    );
    const numbers = new Map<string, number>();
    for (const key of [alone, shared]) numbers.set(key, (await read(key)).sending?.number ?? 0);
    const { records } = own.system;
    const asked: string[] = [];
    const original = { read: records.read, readTogether: records.readTogether };
    records.read = (kind, keys) => {
      if (kind.name === labelStates.name) asked.push(...keys);
      return original.read(kind, keys);
    };
    records.readTogether = (reads) => {
      for (const { kind, keys } of reads) if (kind.name === labelStates.name) asked.push(...keys);
      return original.readTogether(reads);
    };
    t.teardown(() => void Object.assign(records, original));
    await noteReports(
      [alone, shared].map((key) => of(key, "acknowledged", 3, { transmission: numbers.get(key) ?? 0 })),
    );
    t.deepEqual(asked, [shared]);
    t.like(await read(alone), { shown: [{ image }], sending: undefined });
    t.like(await read(shared), { shown: [{ image }], sending: undefined, battery: "LOW" });
  },
);

test.serial(
  "an acknowledgement creates no state for a label that was removed after its picture was sent",
  async (t) => {
    const { hang, show, showImages, storePicture, noteReports, of, read } = statesScene(own);
    const image = await storePicture("removed");
    const key = await hang();
    await show(key, { pages: [{ page: 0, image }], shows });
    await showImages([key], "bulk");
    const { number: transmission = 0 } = (await read(key)).sending ?? {};
    const { db, records } = own.system;
    await db.collection<{ _id: string }>(labelStates.name).deleteOne({ _id: key });
    await noteReports([of(key, "acknowledged", 3, { transmission })]);
    t.is((await records.readRevs(labelStates, [key])).size, 0);
  },
);
