import { setImmediate } from "node:timers/promises";
import test from "ava";
import { createRandom } from "../../../../scripts/access-point/random.ts";
import type { Report } from "../../../../scripts/label-server/emulated-label.ts";
import { createLabels } from "../../../../scripts/label-server/labels.ts";
import { createAirTime } from "../../../../scripts/label-server/scenario/air-time.ts";
import { liveThrough } from "../../../../scripts/label-server/scenario/live-through.ts";
import type { Scenario } from "../../../../scripts/label-server/scenario/scenario.ts";
import { STORE } from "../hang-up.ts";

/** Opens labels that live through a scenario, with a clock that the test sets. */
function live(scenario: Omit<Scenario, "seed">) {
  let ms = 0;
  const due: { at: number; run: () => void }[] = [];
  const chances = {
    random: createRandom(7),
    clock: () => ms,
    after: (milliseconds: number, run: () => void) => void due.push({ at: ms + milliseconds, run }),
  };
  const reports: Report[] = [];
  const life = liveThrough({ seed: 7, ...scenario }, chances);
  const pass = life.reports((report) => reports.push(report));
  const labels = life.labels(createLabels({ airTimeMs: 0, report: pass, now: () => new Date(ms) }));
  /** Advances the time to a moment, running one due event after the other. */
  const until = async (moment: number) => {
    for (;;) {
      await setImmediate();
      const [next] = due.filter(({ at }) => at <= moment).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      due.splice(due.indexOf(next), 1);
      ms = Math.max(ms, next.at);
      next.run();
    }
    ms = moment;
  };
  const send = (barcode: string, number: number, bytes = 10) =>
    labels.receive(labels.obtain(barcode, STORE), {
      ...{ key: `${barcode}-0-${number}`, number, page: 0, png: Buffer.alloc(bytes, number) },
    });
  const shownBy = (barcode: string) => labels.get(barcode)?.pages.get(0)?.number;
  return { labels, reports, until, send, shownBy, mishaps: life.mishaps };
}

test("a lost call was accepted, and has no effect", async (t) => {
  const { send, until, shownBy, mishaps } = live({ calls: { loss: 1 } });
  send("A", 1);
  await until(60_000);
  t.is(shownBy("A"), undefined);
  t.is(mishaps.lostCalls, 1);
});

test("calls that overtake one another leave the newest picture on the label", async (t) => {
  const { labels, send, until, shownBy } = live({ calls: { reorderMs: 1_000, duplicates: 0.5 } });
  const barcodes = Array.from({ length: 50 }, (_, index) => `L${index}`);
  for (const number of [1, 2, 3]) for (const barcode of barcodes) send(barcode, number);
  await until(5_000);
  t.true(barcodes.every((barcode) => shownBy(barcode) === 3));
  const received = barcodes.map((barcode) => labels.get(barcode)?.pages.get(0)?.received ?? 0);
  t.true(
    received.some((count) => count < 3),
    "some were overtaken",
  );
});

test("a lost report is not sent, and a duplicated report arrives twice", async (t) => {
  const lost = live({ reports: { loss: 1 } });
  lost.send("A", 1);
  await lost.until(1_000);
  t.deepEqual([lost.shownBy("A"), lost.reports.length, lost.mishaps.lostReports], [1, 0, 1]);
  const doubled = live({ reports: { duplicates: 1, delayMs: 50 } });
  doubled.send("A", 1);
  await doubled.until(49);
  t.is(doubled.reports.length, 0);
  await doubled.until(1_000);
  t.deepEqual(
    doubled.reports.map(({ transmission }) => transmission),
    [1, 1],
  );
});

test("a sleeping label receives the newest picture when it wakes, and a dead label receives none", async (t) => {
  const { send, until, shownBy, reports } = live({ labels: { sleepSeconds: 40 } });
  send("A", 1);
  send("A", 2);
  await until(0);
  t.is(shownBy("A"), undefined);
  await until(40_100);
  t.is(shownBy("A"), 2);
  t.deepEqual(
    reports.map(({ transmission }) => transmission),
    [2],
  );
  const dead = live({ labels: { dead: 1 } });
  dead.send("A", 1);
  await dead.until(3_600_000);
  t.is(dead.shownBy("A"), undefined);
});

test("an order reaches a sleeping label when it wakes", async (t) => {
  const { labels, until } = live({ labels: { sleepSeconds: 40 } });
  const label = labels.obtain("A", STORE);
  labels.obey(label, { kind: "fingerprint", number: 1, priority: "low", body: {} });
  await until(0);
  t.is(label.fingerprints, 0);
  await until(40_100);
  t.is(label.fingerprints, 1);
});

test("sleeping labels check in, with their temperature, battery, firmware and transceiver", async (t) => {
  const { labels, send, until, reports } = live({
    labels: {
      ...{ sleepSeconds: 1, firmware: ["4.2"], temperature: { lowest: 10, highest: 20 } },
      battery: { millivolts: 3_000, millivoltsPerRefresh: 10, morePerDegree: 0.1 },
    },
    transceivers: { ids: ["T9"], roamSeconds: 60 },
  });
  send("A", 1);
  await until(2_000);
  labels.checkIn(1);
  t.like(reports.at(-1), {
    ...{ kind: "check-in", hardwareRevision: "emulated-1 4.2", transceiver: "T9" },
    ...{ sensors: { temperature: 10 }, batteryMillivolts: 2_980 },
  });
});

test("a failed transmission is reported, and sent again when it is repeated", async (t) => {
  const { send, until, reports, mishaps } = live({ air: { failures: 1 } });
  send("A", 1);
  await until(1_000);
  t.like(reports, [{ kind: "failed", transmission: 1 }]);
  t.is(mishaps.failures, 1);
});

test("a transceiver sends one picture after another", (t) => {
  let ms = 0;
  const airTime = createAirTime({ pictureMs: 100, bytesPerSecond: 10_000 }, () => ms);
  t.deepEqual([airTime("T1", 1_000), airTime("T1", 1_000), airTime("T2", 2_000)], [200, 400, 300]);
  ms = 10_000;
  t.is(airTime("T1", 0), 100);
});

test("a picture that is on its way when a label server forgets is not shown", async (t) => {
  const { labels, send, until, shownBy } = live({ calls: { delayMs: 100 } });
  send("A", 1);
  labels.forget();
  send("A", 2);
  await until(1_000);
  t.is(shownBy("A"), 2);
  t.is(labels.get("A")?.pages.get(0)?.received, 1);
});
