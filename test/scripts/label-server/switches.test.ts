import { setImmediate, setTimeout } from "node:timers/promises";
import test from "ava";
import type { Report } from "../../../scripts/label-server/emulated-label.ts";
import { createLabels } from "../../../scripts/label-server/labels.ts";
import { eventually } from "../../harness/eventually.ts";

const STORE = "t/demo/s/main";
const SHOW_AT = new Date("2026-03-09T05:00:00Z");

/** Opens labels at the time of a switch, with all of their reports. */
function hangUp() {
  const reports: Report[] = [];
  const clock = { time: SHOW_AT };
  const labels = createLabels({ airTimeMs: 0, report: (report) => reports.push(report), now: () => clock.time });
  const send = async (number: number, id?: string) => {
    const sent = { key: `A-0-${number}`, number, page: 0, png: Buffer.from(`picture ${number}`) };
    labels.receive(labels.obtain("A", STORE), { ...sent, ...(id !== undefined && { switch: id }) });
    await setImmediate();
  };
  const said = () => reports.map(({ kind, transmission }) => `${kind} ${transmission ?? ""}`.trim());
  const shown = () => labels.get("A")?.pages.get(0)?.png.toString();
  /** Orders the switch, and advances the clock past the switch's time. */
  const show = async (id = "S") => {
    labels.orderSwitch(STORE, id, SHOW_AT);
    await setImmediate();
  };
  return { labels, clock, send, said, shown, show };
}

test("a picture to be kept is reported as kept and not shown", async (t) => {
  const { send, said, shown } = hangUp();
  await send(1);
  await send(2, "S");
  t.deepEqual(said(), ["acknowledged 1", "kept 2"]);
  t.is(shown(), "picture 1");
});

test("when its switch takes effect, the picture is shown and acknowledged", async (t) => {
  const { send, said, shown, show } = hangUp();
  await send(1);
  await send(2, "S");
  await show();
  t.deepEqual(said(), ["acknowledged 1", "kept 2", "acknowledged 2"]);
  t.is(shown(), "picture 2");
});

test("no picture is shown before the clock has reached the time, even if a timer fires early", async (t) => {
  const { labels, clock, send, shown } = hangUp();
  await send(1);
  await send(2, "S");
  clock.time = new Date(SHOW_AT.getTime() - 1);
  labels.orderSwitch(STORE, "S", SHOW_AT);
  // The timer of one millisecond fires, and the clock has not moved.
  await setTimeout(20);
  t.is(shown(), "picture 1");
  clock.time = SHOW_AT;
  await eventually("the picture is shown", async () => shown() === "picture 2");
});

test("a switch in more than the 24 days of a timer is not shown immediately", async (t) => {
  const { labels, clock, send, shown } = hangUp();
  await send(1);
  await send(2, "S");
  clock.time = new Date(SHOW_AT.getTime() - 2 ** 31);
  labels.orderSwitch(STORE, "S", SHOW_AT);
  await setTimeout(20);
  t.is(shown(), "picture 1");
});

test("without an order, for another switch, or in another store, the picture is never shown", async (t) => {
  const { labels, send, shown, show } = hangUp();
  await send(1);
  await send(2, "S");
  labels.orderSwitch("t/demo/s/other", "S", SHOW_AT);
  await show("another");
  t.is(shown(), "picture 1");
});

test("a kept number that is repeated is reported again, but not sent", async (t) => {
  const { labels, send, said } = hangUp();
  await send(2, "S");
  const { received } = labels.totals();
  await send(2, "S");
  t.deepEqual(said(), ["kept 2", "kept 2"]);
  t.is(labels.totals().received, received);
});

test("any newer picture of the page makes the kept picture void, even if its transmission fails", async (t) => {
  for (const id of ["S", undefined]) {
    const { labels, send, shown, show } = hangUp();
    await send(1);
    await send(2, "S");
    labels.set("A", { failNext: 1 });
    await send(3, id);
    await show();
    t.is(shown(), "picture 1");
  }
});

test("an older picture that arrives late is dropped", async (t) => {
  const { send, shown, show } = hangUp();
  await send(3, "S");
  await send(2, "S");
  await show();
  t.is(shown(), "picture 3");
});

test("a cancelled switch shows nothing", async (t) => {
  const { labels, send, said, shown, show } = hangUp();
  await send(1);
  await send(2, "S");
  labels.callOff(STORE, "S");
  await show();
  t.is(shown(), "picture 1");
  t.deepEqual(said(), ["acknowledged 1", "kept 2"]);
});

test("a picture that arrives after its switch has taken effect fails and is not shown", async (t) => {
  const { send, said, shown, show } = hangUp();
  await send(1);
  await show();
  await send(2, "S");
  t.is(shown(), "picture 1");
  t.deepEqual(said(), ["acknowledged 1", "failed 2"]);
});

test("a label that has its order but is asleep when the switch takes effect shows its picture by its own clock, and reports it later", async (t) => {
  const { labels, send, said, shown } = hangUp();
  await send(2, "S");
  labels.orderSwitch(STORE, "S", SHOW_AT);
  labels.set("A", { offline: true });
  await setImmediate();
  t.is(shown(), "picture 2");
  t.deepEqual(said(), ["kept 2"]);
  labels.set("A", { offline: false });
  t.deepEqual(said(), ["kept 2", "acknowledged 2"]);
});

test("a label that slept through both the order and the switch shows nothing", async (t) => {
  const { labels, send, shown, show } = hangUp();
  await send(1);
  await send(2, "S");
  labels.set("A", { offline: true });
  await show();
  labels.set("A", { offline: false });
  t.is(shown(), "picture 1");
});

test("a label that is online again receives the newest picture to be shown and the newest picture to be kept", async (t) => {
  const { labels, send, said, shown, show } = hangUp();
  await send(1);
  labels.set("A", { offline: true });
  await send(2);
  await send(3);
  await send(4, "S");
  await send(5, "S");
  labels.set("A", { offline: false });
  t.deepEqual(said(), ["acknowledged 1", "acknowledged 3", "kept 5"]);
  t.is(shown(), "picture 3");
  t.is(labels.totals().inTheAir, 0);
  await show();
  t.is(shown(), "picture 5");
});
