import { setImmediate } from "node:timers/promises";
import test from "ava";
import type { Order } from "../../../scripts/label-server/emulated-label.ts";
import { createLabels } from "../../../scripts/label-server/labels.ts";

const STORE = "t/demo/s/main";

/** Returns one label, with a clock that the test sets. */
function hangUp() {
  const clock = { ms: Date.UTC(2026, 2, 1) };
  const labels = createLabels({ airTimeMs: 0, report: () => {}, now: () => new Date(clock.ms) });
  const label = labels.obtain("A", STORE);
  const obey = async (kind: Order["kind"], number: number, body: Order["body"]) => {
    labels.obey(label, { kind, number, priority: "high", body });
    await setImmediate();
  };
  const pass = (seconds: number) => {
    clock.ms += seconds * 1000;
  };
  return { labels, label, obey, pass, flash: () => labels.flashOf(label), shown: () => labels.shownPageOf(label) };
}

const green = { duration: 4, color: "GREEN", flashType: 50 };

test("a label flashes for its duration", async (t) => {
  const { obey, pass, flash } = hangUp();
  t.is(flash(), null);
  await obey("flash", 1, green);
  t.deepEqual(flash(), { ...green, priority: "high" });
  pass(3.9);
  t.truthy(flash());
  pass(0.1);
  t.is(flash(), null);
});

test("a later flash replaces an earlier one, and a flash of 0 seconds ends it", async (t) => {
  const { obey, flash } = hangUp();
  await obey("flash", 1, { ...green, duration: 1800 });
  await obey("flash", 2, { ...green, color: "RED" });
  t.is(flash()?.color, "RED");
  await obey("flash", 3, { ...green, duration: 0 });
  t.is(flash(), null);
});

test("a repeated flash is ignored, and so is a flash that arrives after a later one", async (t) => {
  const { obey, pass, flash } = hangUp();
  await obey("flash", 2, green);
  pass(5);
  await obey("flash", 2, green);
  await obey("flash", 1, green);
  t.is(flash(), null);
});

test("another page is shown for its duration, and then the label's own page", async (t) => {
  const { obey, pass, shown } = hangUp();
  t.is(shown(), "0");
  await obey("display-page", 1, { action: "set-temporary", page: "info", duration: 30 });
  t.is(shown(), "info");
  pass(30);
  t.is(shown(), "0");
});

test("the label's own page can be restored earlier", async (t) => {
  const { obey, shown } = hangUp();
  await obey("display-page", 1, { action: "set-temporary", page: "info", duration: 30 });
  await obey("display-page", 2, { action: "restore-page" });
  t.is(shown(), "0");
});

test("measurements are counted, each once", async (t) => {
  const { obey, label } = hangUp();
  await obey("fingerprint", 1, {});
  await obey("fingerprint", 1, {});
  await obey("fingerprint", 2, {});
  t.is(label.fingerprints, 2);
});

test("an offline label misses orders", async (t) => {
  const { labels, obey, flash } = hangUp();
  labels.set("A", { offline: true });
  await obey("flash", 1, { ...green, duration: 1800 });
  labels.set("A", { offline: false });
  t.is(flash(), null);
});

test("numbers are counted for each store: for a label that moves to another store they start again", async (t) => {
  const { labels, obey, flash } = hangUp();
  await obey("flash", 9, { ...green, duration: 0 });
  labels.obtain("A", "t/demo/s/other");
  await obey("flash", 1, green);
  t.truthy(flash());
});
