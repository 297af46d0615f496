import test from "ava";
import { items } from "../../../records/kinds/items.ts";
import { links } from "../../../records/kinds/links.ts";
import { itemKey, linkIdOf, linkKey } from "../../../schemas/keys.ts";
import { type HungLabel, hangLabels } from "../../../scripts/demo/hang-labels.ts";
import { DEMO_STORE, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { addModel, bodyOf, type LabelBody, readLabel, refused } from "../calls.ts";

const shelfwire = ownStack({ workers: [] });
test.before(async () => {
  await addModel(shelfwire, { name: "Many", labelTypes: [1328], linkPositions: 4 });
});

const image = "a".repeat(64);
const DELIVERED_AT = new Date("2026-01-15T10:20:30.456Z");
const shows = { wanted: [{ page: 0, image }], shown: [{ page: 0, image, deliveredAt: DELIVERED_AT, through: 1 }] };

async function makeLabel(name: string, label: Omit<HungLabel, "barcode">): Promise<string> {
  await hangLabels(shelfwire.system.records, DEMO_STORE, [{ barcode: labelFor(name), ...label }]);
  return labelFor(name);
}

/** Reads a label by itself and from the list; both responses must be equal. */
async function read(t: { deepEqual(one: unknown, other: unknown): unknown }, barcode: string, query = "") {
  const single = await readLabel(shelfwire, barcode, `?${query}`);
  const listed = await bodyOf<LabelBody[]>(await shelfwire.call("GET", `/labels?filter[barcode]=${barcode}&${query}`));
  t.deepEqual(listed, [single]);
  return single;
}

const date = (second: number) => new Date(DELIVERED_AT.getTime() + second * 1000);
const known = {
  own: {
    plLocation: "aisle 3",
    homeTrx: "T2",
    linkDepartment: "1",
    device: "00000218D6C53B19",
    firstLinked: date(1),
    lastLinked: date(2),
  },
  state: {
    ...shows,
    battery: "LOW" as const,
    lastDisplayUpdate: date(3),
    batteryStateChanged: date(4),
    batteryStateLastConfirmed: date(5),
    batteryStateFirstEnteredLow: date(6),
    lowBatteryDate: date(7),
    lastUpdate: date(8),
    lastOkUpdate: date(9),
    hardwareRevision: "3",
    transceivers: ["T2", "T1"],
    press: { button: 2, at: date(10) },
    sensors: { temperature: { value: -18.5, at: date(11) } },
  },
  isDrawn: true,
} satisfies Omit<HungLabel, "barcode">;

test.serial("each field of a label has its own value, with dates in the store's zone", async (t) => {
  const label = await read(t, await makeLabel("known", known));
  t.deepEqual(label, {
    barcode: labelFor("known"),
    modelName: "Medium",
    plLocation: "aisle 3",
    links: [],
    homeTrx: "T2",
    plState: "OK",
    batteryState: "LOW",
    lowBatteryDate: "2026-01-15 11:20:37",
    lastTrxList: "T2,T1",
    hardwareRevision: "3",
    lastDisplayUpdate: "2026-01-15 11:20:33",
    batteryStateChanged: "2026-01-15 11:20:34",
    batteryStateLastConfirmed: "2026-01-15 11:20:35",
    batteryStateFirstEnteredLow: "2026-01-15 11:20:36",
    firstLinked: "2026-01-15 11:20:31",
    lastLinked: "2026-01-15 11:20:32",
    lastUpdate: "2026-01-15 11:20:38",
    lastOkUpdate: "2026-01-15 11:20:39",
    linkDepartment: "1",
    positions: {},
    device: "00000218D6C53B19",
    batteryDaysLeft: 14,
    lastPress: { button: 2, time: "2026-01-15 11:20:40" },
    sensors: { temperature: { value: -18.5, time: "2026-01-15 11:20:41" } },
  });
});

test.serial("with serializeDatesToIso8601 every date in a list has milliseconds and an offset", async (t) => {
  const barcode = await makeLabel("known, too", known);
  const plain = await read(t, barcode);
  const iso = await read(t, barcode, "serializeDatesToIso8601=true");
  const dates = Object.entries(plain).filter(
    ([, value]) => typeof value === "string" && value.startsWith("2026-01-15"),
  );
  t.is(dates.length, 9);
  for (const [name, value] of dates)
    t.is(iso[name as keyof LabelBody], `${String(value).replace(" ", "T")}.456+01:00`, name);
  t.is((await read(t, barcode, "serializeDatesToIso8601=true&projection=M")).lowBatteryDate, iso.lowBatteryDate);
});

test.serial("every projection shows the ACTIVE links, sorted by displayPosition", async (t) => {
  const barcode = await makeLabel("linked", {
    own: { modelName: "Many" },
    links: [
      { itemId: "pear", displayPosition: 3, facings: "12" },
      { itemId: "gone", displayPosition: 2, status: "INACTIVE" },
      { itemId: "apple", displayPosition: 1, linkedItemId: "3850000000017" },
      { itemId: "removed", displayPosition: 0, status: "DELETED" },
    ],
  });
  for (const query of ["", "projection=S", "projection=M", "projection=L", "sortProperty=lastUpdate"]) {
    t.deepEqual((await read(t, barcode, query)).links, [
      { barcode, itemId: "apple", linkedItemId: "3850000000017", displayPosition: 1, facings: null },
      { barcode, itemId: "pear", linkedItemId: "pear", displayPosition: 3, facings: "12" },
    ]);
  }
});

const drawn: Omit<HungLabel, "barcode"> = { state: shows, links: [{ itemId: "plum" }], isDrawn: true };
const linkOf = (barcode: string) => linkKey(DEMO_STORE, linkIdOf(barcode, 0));

for (const [what, change] of Object.entries({
  "its item changes": () =>
    shelfwire.system.commit.change(
      items,
      [itemKey(DEMO_STORE, "plum")],
      (_, item) => item && { ...item, price: "2.49" },
      "bulk",
    ),
  "its link changes": (barcode: string) =>
    shelfwire.system.commit.change(links, [linkOf(barcode)], (_, link) => link && { ...link, facings: "2" }, "bulk"),
  "its link is removed": (barcode: string) =>
    shelfwire.system.commit.change(
      links,
      [linkOf(barcode)],
      (_, link) => link && { ...link, status: "INACTIVE" as const },
      "bulk",
    ),
})) {
  test.serial(`a label is PENDING as soon as ${what}, including in a list`, async (t) => {
    const barcode = await makeLabel(what, drawn);
    t.is((await read(t, barcode)).plState, "OK");
    await change(barcode);
    t.is((await read(t, barcode)).plState, "PENDING");
    t.is((await read(t, barcode, "projection=M")).plState, "PENDING");
  });
}

const whole = labelFor("nobody");
const wrong = {
  [whole]: "",
  [whole.slice(1)]: ", and none can: it has 16 characters, but a barcode has 17",
  [`_${whole.slice(1)}`]: ', and none can: its character 1 must be a letter A to Z, not "_"',
  [`${whole.slice(0, -1)}${(Number(whole.at(-1)) + 1) % 10}`]: `, and none can: its check digit must be ${whole.at(-1)}, not ${(Number(whole.at(-1)) + 1) % 10}`,
};

for (const path of ["", "/history", "/image", "/explain", "/care", "/links", "/proof?at=2026-03-02+10:00:00"]) {
  test(`the 404 for a label that does not exist says what is wrong with its barcode: ${path || "itself"}`, async (t) => {
    for (const [barcode, why] of Object.entries(wrong)) {
      const { detail } = await refused(t, await shelfwire.call("GET", `/labels/${barcode}${path}`), 404);
      t.is(detail, `The label "${barcode}" does not exist${why}.`);
    }
  });
}
