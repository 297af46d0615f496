import test from "ava";
import { openChoices } from "../../../queues/publish/choices.ts";
import { openGlassLog } from "../../../records/glass-log.ts";
import { labelPresses, labelSensors, labelStates, labels } from "../../../records/kinds/labels.ts";
import { eslImages } from "../../../records/kinds/pictures.ts";
import { labelTypes, models } from "../../../records/kinds/tenants.ts";
import { idOf, labelKey, labelTypeKey, modelKey } from "../../../schemas/keys.ts";
import type { LabelReport } from "../../../schemas/label-report.ts";
import { createCareOfTypes } from "../../../workers/transmitter/care-of-types.ts";
import { createLabelStates } from "../../../workers/transmitter/label-states.ts";
import { createObtainLabels } from "../../../workers/transmitter/new-labels.ts";
import { createAnnounceSignals } from "../../../workers/transmitter/reports/announce-signals.ts";
import { ownSystem } from "../../harness/own.ts";
import { STORE, transmitScene } from "./scene.ts";
import { at, report } from "./states.ts";

const own = ownSystem();

function statesScene() {
  const scene = transmitScene(own);
  const { records, commit, db } = own.system;
  const choices = openChoices(own.system.redis, own.system.onError("choices"));
  const observed: [name: string, labels: object, value: number][] = [];
  const boots: [store: string, bootId: string][] = [];
  const pressed: string[] = [];
  const announceSignals = createAnnounceSignals(records, commit);
  const steps: { name: string; causes: readonly object[]; attributes: object }[] = [];
  const obtainLabels = createObtainLabels(
    records,
    commit,
    async () => (barcode) => ({ N: 9, M: 8 })[barcode.slice(0, 1)],
  );
  const states = createLabelStates(records, obtainLabels, scene.transmit, {
    metrics: { ...scene.metrics, observe: (...one: (typeof observed)[number]) => void observed.push(one) },
    glassLog: openGlassLog(db),
    choices,
    noteBoot: (...one) => void boots.push(one),
    careOfTypes: createCareOfTypes(records, () => 0),
    takeSignals: async (byLabel) => void pressed.push(...(await announceSignals(byLabel))),
    noteStep: (step) => void steps.push(step),
    now: () => scene.clock.now,
  });
  const of = (key: string, kind: LabelReport["kind"], seconds: number, more: Partial<LabelReport> = {}) =>
    report(kind, seconds, { store: STORE, barcode: idOf(key), ...more });
  return { ...scene, ...states, obtainLabels, choices, observed, boots, steps, pressed, of };
}

const shows = [{ link: "l", linkRev: 1, item: `${STORE}/items/milk`, itemRev: at(-3).getTime(), price: "1.99" }];

test.serial("a label receives its picture once, in its turn", async (t) => {
  const { hang, show, showImages, storePicture, labelServer, read } = statesScene();
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

test.serial("a picture that changes while its state is written is shown as well", async (t) => {
  const { hang, show, showImages, storePicture, labelServer, read } = statesScene();
  const [old, next] = [await storePicture("old"), await storePicture("next")];
  const key = await hang();
  await show(key, { pages: [{ page: 0, image: old }], shows });
  // Stands where another process writes the newer picture: between the read of the older one and the state's write.
  const { records } = own.system;
  const { readRevs } = records;
  let isFirst = true;
  records.readRevs = async (kind, keys) => {
    if (isFirst && kind.name === eslImages.name) {
      isFirst = false;
      await show(key, { pages: [{ page: 0, image: next }], shows });
    }
    return readRevs(kind, keys);
  };
  t.teardown(() => {
    records.readRevs = readRevs;
  });
  await showImages([key], "bulk");
  t.deepEqual((await read(key)).wanted, [{ page: 0, image: next }]);
  t.is(labelServer.pages.length, 1);
});

test.serial(
  "a picture that landed is recorded: on the glass, in its log, in the metrics and in the trace",
  async (t) => {
    const scene = statesScene();
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

test.serial("a press and a value are announced once, also if their reports are applied again", async (t) => {
  const { hang, noteReports, of, read, pressed } = statesScene();
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

test.serial("reports of a label are applied in the order of the label server's clock", async (t) => {
  const { hang, noteReports, of, read, steps } = statesScene();
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

test.serial(
  "pictures become new on the glass in the order in which they landed, however they are reported",
  async (t) => {
    const { hang, noteReports, of } = statesScene();
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
  },
);

test.serial("pictures are counted and traced when acknowledged, not when failed", async (t) => {
  const { hang, noteReports, of, counted, steps } = statesScene();
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

test.serial("a label that a caller asked to refresh is stale only by what it wants", async (t) => {
  const { hang, show, showImages, storePicture, noteReports, findStale, of, read } = statesScene();
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

test.serial("a report for a picture without a stored state records only the sign of life", async (t) => {
  const { hang, noteReports, of, read, steps } = statesScene();
  const key = await hang();
  await noteReports([of(key, "acknowledged", 3, { transmission: 7 })]);
  t.like(await read(key), { lastSeen: at(3), shown: [] });
  t.deepEqual(steps[0]?.causes, []);
});

test.serial("a state without its newest picture is stale, and so is one that was never sent", async (t) => {
  const { hang, show, showImages, storePicture, findStale } = statesScene();
  const image = await storePicture("a");
  const [fresh, changed, unknown] = [await hang(), await hang(), labelKey(STORE, "never seen")];
  for (const key of [fresh, changed, unknown]) await show(key, { pages: [{ page: 0, image }], shows });
  await showImages([fresh, changed], "bulk");
  t.deepEqual(await findStale([fresh, changed, unknown]), [unknown]);
  await show(changed, { pages: [{ page: 0, image: "b" }], shows });
  t.deepEqual((await findStale([fresh, changed, unknown])).sort(), [changed, unknown].sort());
});

test.serial("a label that shows its picture, or whose picture has a fault, is not stale", async (t) => {
  const { hang, show, showImages, storePicture, noteReports, findStale, of, read } = statesScene();
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

test.serial("a label that a label server reports is created with its type's model if both are known", async (t) => {
  const { obtainLabels, hang, departments } = statesScene();
  const { commit, records } = own.system;
  const known = await hang();
  const [made, elsewhere] = [labelKey(STORE, "N1"), labelKey("t/demo/s/unknown", "N1")];
  await departments(STORE, { floor: ["T1"] });
  const all = [known, made, labelKey(STORE, "M1"), labelKey(STORE, "other"), elsewhere];
  t.deepEqual((await obtainLabels(all)).known, [known]);
  await commit.change(
    models,
    [modelKey("t/demo", "Nine")],
    () => ({ name: "Nine", labelTypes: [9], linkPositions: 1 }),
    "bulk",
  );
  t.deepEqual((await obtainLabels(all)).known, [known]);
  // A type without a model makes no label.
  const types = new Map([8, 9].map((type) => [labelTypeKey("t/demo", type), { type }]));
  await commit.change(labelTypes, [...types.keys()], (key) => types.get(key), "bulk");
  t.deepEqual((await obtainLabels(all)).known.sort(), [known, made].sort());
  t.like((await records.read(labels, [made])).get(made), { barcode: "N1", type: 9, modelName: "Nine", stamps: {} });
  t.deepEqual((await obtainLabels(all)).known.sort(), [known, made].sort());
});

test.serial("a report of an unknown transmission is an unknown label's first sign of life", async (t) => {
  const { noteReports, departments, of, read } = statesScene();
  const { commit } = own.system;
  const key = labelKey(STORE, "N2");
  await departments(STORE, { floor: ["T1"] });
  const model = { name: "Nine", labelTypes: [9], linkPositions: 1 };
  await commit.change(models, [modelKey("t/demo", "Nine")], () => model, "bulk");
  await commit.change(labelTypes, [labelTypeKey("t/demo", 9)], () => ({ type: 9 }), "bulk");
  await noteReports([of(key, "acknowledged", 4, { transmission: 5 })]);
  t.like(await read(key), { lastSeen: at(4), shown: [], transmissions: 0 });
});

test.serial("the run of a label server is noted that a report carries", async (t) => {
  const { hang, noteReports, boots, of } = statesScene();
  const key = await hang();
  await noteReports([of(key, "check-in", 1, { bootId: "second run" }), of(key, "check-in", 2)]);
  t.deepEqual(boots, [[STORE, "second run"]]);
});

test.serial("a label that says that it shows another picture than it acknowledged is sent the right one", async (t) => {
  const { hang, show, showImages, noteReports, storePicture, labelServer, of, clock } = statesScene();
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
