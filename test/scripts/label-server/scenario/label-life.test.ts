import test from "ava";
import {
  drainAt,
  firmwareOf,
  isDead,
  temperatureAt,
  transceiverAt,
  untilAwake,
} from "../../../../scripts/label-server/scenario/label-life.ts";

const HOUR_MS = 3_600_000;
const barcodes = Array.from({ length: 1_000 }, (_, index) => `L${index}`);

test("the temperature is lowest at the start and highest half a day later", (t) => {
  const range = { lowest: 2, highest: 24 };
  const at = (hours: number) => temperatureAt(hours * HOUR_MS, range);
  t.deepEqual([0, 6, 12, 18, 24].map(at), [2, 13, 24, 13, 2]);
  t.is(temperatureAt(HOUR_MS, { ...range, hours: 2 }), 24);
});

test("a refresh drains a battery more for each degree below 20 °C", (t) => {
  const battery = { millivolts: 3_000, millivoltsPerRefresh: 2, morePerDegree: 0.1 };
  t.deepEqual(
    [30, 20, 10, 0, null].map((temperature) => drainAt(temperature, battery)),
    [2, 2, 4, 6, 2],
  );
  t.is(drainAt(-20, { millivolts: 3_000, millivoltsPerRefresh: 2 }), 2);
});

test("each label wakes once in its interval, and labels do not all wake together", (t) => {
  const waits = barcodes.map((barcode) => untilAwake(barcode, 12_345, 40));
  t.true(waits.every((wait) => wait > 0 && wait <= 40_000));
  t.true(new Set(waits.map((wait) => Math.floor(wait / 4_000))).size >= 10);
  const [first = "", wait = 0] = [barcodes[0], waits[0]];
  t.is(Math.round(untilAwake(first, 12_345 + wait, 40)), 40_000);
});

test("a label is heard by one transceiver until it roams, and over time by all of them", (t) => {
  const transceivers = { ids: ["T1", "T2", "T3"], roamSeconds: 60 };
  const heard = (ms: number) => transceiverAt("L1", ms, transceivers);
  const inADay = Array.from({ length: 1_440 }, (_, minute) => heard(minute * 60_000));
  t.deepEqual([...new Set(inADay)].sort(), transceivers.ids);
  t.is(heard(0), heard(1));
  t.is(new Set(barcodes.map((barcode) => transceiverAt(barcode, 0, transceivers))).size, 3);
});

test("every label has a firmware version, and the given share of labels never wakes", (t) => {
  const versions = new Set(barcodes.map((barcode) => firmwareOf(barcode, { firmware: ["4.1", "4.2"] })));
  t.deepEqual([...versions].sort(), ["4.1", "4.2"]);
  t.is(firmwareOf("L1", {}), undefined);
  const dead = barcodes.filter((barcode) => isDead(barcode, { dead: 0.1 })).length;
  t.true(dead > 60 && dead < 140, String(dead));
  t.false(isDead("L1", {}));
});
