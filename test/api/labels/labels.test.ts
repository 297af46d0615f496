import test from "ava";
import { labelFor } from "../../harness/glass.ts";
import { servedStack } from "../../harness/served-stack.ts";
import { bodyOf, type LabelBody, readLabel, refused, writeItems, writeLabels } from "../calls.ts";

const shelfwire = servedStack({ workers: ["item", "link"] });
test.before(async () => {
  await writeItems(shelfwire, [{ itemId: "apple" }, { itemId: "pear" }]);
});

const S = ["barcode", "modelName", "plLocation", "links"];
const M = [...S, "homeTrx", "plState", "batteryState", "lowBatteryDate"];
const L = [
  ...M,
  "lastTrxList",
  "hardwareRevision",
  "lastDisplayUpdate",
  "batteryStateChanged",
  "batteryStateLastConfirmed",
  "batteryStateFirstEnteredLow",
  "firstLinked",
  "lastLinked",
  "lastUpdate",
  "lastOkUpdate",
];
const everything = [...L, "linkDepartment", "positions", "lastPress", "sensors"];
const fieldsOf = (body: object) => Object.keys(body).sort();

/** Creates a label with every field that a caller can set. */
async function makeWholeLabel(name: string): Promise<string> {
  const barcode = labelFor(name);
  const row = {
    barcode,
    modelName: "Medium",
    linkDepartment: "sales-floor",
    plLocation: "aisle 3",
    homeTrx: "T2",
    positions: { manual: { x: 1.5, y: -2, floor: 1 } },
    links: [{ itemId: "apple", facings: "2" }],
  };
  await writeLabels(shelfwire, [row]);
  return barcode;
}

for (const [query, fields] of Object.entries({
  "?projection=S": S,
  "?projection=M": M,
  "?projection=L": L,
  "": everything,
})) {
  test.serial(`GET /labels${query} shows exactly the same fields as a single label`, async (t) => {
    const barcode = await makeWholeLabel("projected");
    t.deepEqual(fieldsOf(await readLabel(shelfwire, barcode, query)), fields.toSorted());
    const [first] = await bodyOf<object[]>(await shelfwire.call("GET", `/labels${query}`));
    t.deepEqual(fieldsOf(first ?? {}), fields.toSorted());
  });
}

test.serial("a label shows the stored text unchanged", async (t) => {
  const barcode = await makeWholeLabel("whole");
  const label = await readLabel(shelfwire, barcode);
  const { modelName, linkDepartment, plLocation, homeTrx, positions, links } = label;
  t.deepEqual(
    { modelName, linkDepartment, plLocation, homeTrx, positions, links },
    {
      modelName: "Medium",
      linkDepartment: "sales-floor",
      plLocation: "aisle 3",
      homeTrx: "T2",
      positions: { manual: { x: 1.5, y: -2, floor: 1 } },
      links: [{ barcode, itemId: "apple", linkedItemId: "apple", displayPosition: 0, facings: "2" }],
    },
  );
});

test.serial("an unreported label is NEW, its battery UNKNOWN, and all other fields null", async (t) => {
  const barcode = labelFor("bare");
  await writeLabels(shelfwire, [{ barcode }]);
  const known = {
    barcode,
    modelName: "Medium",
    links: [],
    plState: "NEW",
    batteryState: "UNKNOWN",
    positions: {},
    sensors: {},
  };
  const unknown = Object.fromEntries(everything.map((name) => [name, null]));
  t.deepEqual(await readLabel(shelfwire, barcode), { ...unknown, ...known } as unknown as LabelBody);
});

test.serial("plState stays NEW until a linked label has a picture", async (t) => {
  t.is((await readLabel(shelfwire, await makeWholeLabel("no picture"))).plState, "NEW");
});

for (const [what, fields] of Object.entries({
  absent: {},
  null: { modelName: null, linkDepartment: null, plLocation: null, homeTrx: null, positions: null, links: null },
  empty: { modelName: "", linkDepartment: "", plLocation: "", homeTrx: "", positions: {}, links: [] },
  "null inside": { positions: { manual: null } },
})) {
  test.serial(`a field that is ${what} keeps its value`, async (t) => {
    const barcode = await makeWholeLabel(`kept, ${what}`);
    const before = await readLabel(shelfwire, barcode);
    t.deepEqual(await writeLabels(shelfwire, [{ barcode, ...fields }]), [{ barcode, status: "SUCCESS", errors: [] }]);
    t.deepEqual(await readLabel(shelfwire, barcode), before);
  });
}

for (const query of ["", "?serializeDatesToIso8601=true", "?projection=L&serializeDatesToIso8601=true"]) {
  test.serial(`the response of GET /labels/{barcode}${query} can be sent back and changes nothing`, async (t) => {
    const barcode = await makeWholeLabel(`returned ${query}`);
    const before = await readLabel(shelfwire, barcode);
    const outcomes = await writeLabels(shelfwire, [await readLabel(shelfwire, barcode, query)]);
    t.deepEqual(outcomes, [{ barcode, itemId: "apple", displayPosition: 0, status: "SUCCESS", errors: [] }]);
    t.deepEqual(await readLabel(shelfwire, barcode), before);
  });
}

test.serial("fields that Shelfwire itself reports about a label cannot be set", async (t) => {
  const barcode = await makeWholeLabel("offline");
  const before = await readLabel(shelfwire, barcode);
  const withState = Object.fromEntries(L.filter((name) => !S.includes(name)).map((name) => [name, "OFFLINE"]));
  await writeLabels(shelfwire, [{ ...withState, barcode, homeTrx: null }]);
  t.deepEqual(await readLabel(shelfwire, barcode), before);
});

test.serial("a manual position can be moved and is stored as a whole", async (t) => {
  const barcode = await makeWholeLabel("moved");
  await writeLabels(shelfwire, [{ barcode, positions: { manual: { x: 0, y: 0, floor: -1 } } }]);
  t.deepEqual((await readLabel(shelfwire, barcode)).positions, { manual: { x: 0, y: 0, floor: -1 } });
});

test.serial("firstLinked and lastLinked are null until the first link", async (t) => {
  const barcode = labelFor("not linked");
  await writeLabels(shelfwire, [{ barcode, plLocation: "aisle 3" }]);
  const { firstLinked, lastLinked } = await readLabel(shelfwire, barcode);
  t.deepEqual([firstLinked, lastLinked], [null, null]);
});

test.serial("firstLinked never changes; lastLinked changes with another item", async (t) => {
  const barcode = await makeWholeLabel("dated");
  const dates = async () => {
    const { firstLinked, lastLinked } = await readLabel(shelfwire, barcode, "?serializeDatesToIso8601=true");
    return { firstLinked, lastLinked };
  };
  const first = await dates();
  t.is(first.lastLinked, first.firstLinked);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "pear" }] }]);
  const second = await dates();
  t.is(second.firstLinked, first.firstLinked);
  t.not(second.lastLinked, first.lastLinked);
});

test.serial("linking the same item again keeps both dates", async (t) => {
  const barcode = await makeWholeLabel("linked again");
  const before = await readLabel(shelfwire, barcode, "?serializeDatesToIso8601=true");
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
  t.deepEqual(await readLabel(shelfwire, barcode, "?serializeDatesToIso8601=true"), before);
});

test("an unknown label returns 404", async (t) => {
  await refused(t, await shelfwire.call("GET", `/labels/${labelFor("nowhere")}`), 404);
});
