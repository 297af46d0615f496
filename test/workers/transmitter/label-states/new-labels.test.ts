import test from "ava";
import { labels } from "../../../../records/kinds/labels.ts";
import { labelTypes, models } from "../../../../records/kinds/tenants.ts";
import { labelKey, labelTypeKey, modelKey } from "../../../../schemas/keys.ts";
import { ownSystem } from "../../../harness/own.ts";
import { STORE } from "../scene.ts";
import { at } from "../states.ts";
import { statesScene } from "./scene.ts";

const own = ownSystem();

test.serial("a label that a label server reports is created with its type's model if both are known", async (t) => {
  const { obtainLabels, hang, departments } = statesScene(own);
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
  // A type without a model does not create a label.
  const types = new Map([8, 9].map((type) => [labelTypeKey("t/demo", type), { type }]));
  await commit.change(labelTypes, [...types.keys()], (key) => types.get(key), "bulk");
  t.deepEqual((await obtainLabels(all)).known.sort(), [known, made].sort());
  t.like((await records.read(labels, [made])).get(made), { barcode: "N1", type: 9, modelName: "Nine", stamps: {} });
  t.deepEqual((await obtainLabels(all)).known.sort(), [known, made].sort());
});

test.serial("an unknown label's report about an unknown transmission records only its time", async (t) => {
  const { noteReports, departments, of, read } = statesScene(own);
  const { commit } = own.system;
  const key = labelKey(STORE, "N2");
  await departments(STORE, { floor: ["T1"] });
  const model = { name: "Nine", labelTypes: [9], linkPositions: 1 };
  await commit.change(models, [modelKey("t/demo", "Nine")], () => model, "bulk");
  await commit.change(labelTypes, [labelTypeKey("t/demo", 9)], () => ({ type: 9 }), "bulk");
  await noteReports([of(key, "acknowledged", 4, { transmission: 5 })]);
  t.like(await read(key), { lastSeen: at(4), shown: [], transmissions: 0 });
});
