import test from "ava";
import fc from "fast-check";
import { entriesOf, type HistoryEntry, noted } from "../../schemas/history.ts";

const told = (entries: readonly HistoryEntry[]) =>
  entries.reduce((state: { history?: string[] }, entry) => noted(state, entry), {});
const battery = (at: number): HistoryEntry => ({ at, event: "battery", result: at % 2 ? "LOW" : "OK" });

test("a history has the newest first", (t) => {
  const { history = [] } = told([battery(1), battery(2), battery(3)]);
  t.deepEqual(
    entriesOf(history).map(({ at }) => at),
    [3, 2, 1],
  );
});

test("the time of an event decides, and of one time the later told comes first", (t) => {
  const entries: HistoryEntry[] = [
    { at: 5, event: "flash", result: "sent" },
    { at: 3, event: "battery", result: "LOW" },
    { at: 5, event: "refresh", result: "asked" },
  ];
  t.deepEqual(
    entriesOf(told(entries).history ?? []).map(({ event }) => event),
    ["refresh", "flash", "battery"],
  );
});

test("the last 50 are kept, in the order in which they were told", (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 130 }), (count) => {
      const all = Array.from({ length: count }, (_, at) => battery(at));
      const { history = [] } = told(all);
      t.deepEqual(entriesOf(history), all.slice(-50).toReversed());
    }),
  );
});

test("what is told again is no news, and changes nothing", (t) => {
  const once = told([battery(1), battery(2)]);
  t.is(noted(once, battery(1)), once);
});

test("two orders that end alike in one millisecond are two", (t) => {
  const dropped = (order: number): HistoryEntry => ({ at: 1, event: "flash", result: "dropped", order });
  t.is(told([dropped(1), dropped(2), dropped(1)]).history?.length, 2);
});

test("what a transmission carried is told with each of its events, as long as its beginning is kept", (t) => {
  const begun: HistoryEntry = { at: 1, event: "picture", result: "begun", transmission: 7, page: "0", image: "abc" };
  const landed: HistoryEntry = { at: 2, event: "picture", result: "acknowledged", transmission: 7, transceiver: "T1" };
  t.deepEqual(entriesOf(told([begun, landed]).history ?? [])[0], { ...landed, page: "0", image: "abc" });
  t.deepEqual(entriesOf(told([landed]).history ?? [])[0], landed);
  const other: HistoryEntry = { ...landed, transmission: 8 };
  t.deepEqual(entriesOf(told([begun, other]).history ?? [])[0], other);
});

test("a long reason is cut, an empty one left away", (t) => {
  const entry: HistoryEntry = { at: 1, event: "flash", result: "refused" };
  t.is(entriesOf(told([{ ...entry, reason: "x".repeat(5000) }]).history ?? [])[0]?.reason?.length, 200);
  t.deepEqual(entriesOf(told([{ ...entry, reason: "" }]).history ?? []), [entry]);
});
