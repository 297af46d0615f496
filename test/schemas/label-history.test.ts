import test from "ava";
import { entriesOf, type HistoryEntry, noted } from "../../schemas/label-history.ts";

const stateAfter = (entries: readonly HistoryEntry[]) =>
  entries.reduce((state: { history?: string[] }, entry) => noted(state, entry), {});
const battery = (at: number): HistoryEntry => ({ at, event: "battery", result: at % 2 ? "LOW" : "OK" });

test("a history is sorted newest first", (t) => {
  const { history = [] } = stateAfter([battery(1), battery(2), battery(3)]);
  t.deepEqual(
    entriesOf(history).map(({ at }) => at),
    [3, 2, 1],
  );
});

test("entries are sorted by time, and of two entries for the same time the one recorded later comes first", (t) => {
  const entries: HistoryEntry[] = [
    { at: 5, event: "flash", result: "sent" },
    { at: 3, event: "battery", result: "LOW" },
    { at: 5, event: "refresh", result: "asked" },
  ];
  t.deepEqual(
    entriesOf(stateAfter(entries).history ?? []).map(({ event }) => event),
    ["refresh", "flash", "battery"],
  );
});

test("a duplicate entry, such as one from a repeated report, counts once", (t) => {
  const { history = [] } = stateAfter([battery(1), battery(2)]);
  t.deepEqual(entriesOf([...history, ...history]), [battery(2), battery(1)]);
});

test("an entry recorded twice in one write is added once", (t) => {
  const once = stateAfter([battery(1), battery(2)]);
  t.is(noted(once, battery(1)), once);
});

test("two orders with the same result in the same millisecond are two entries", (t) => {
  const dropped = (order: number): HistoryEntry => ({ at: 1, event: "flash", result: "dropped", order });
  t.is(stateAfter([dropped(1), dropped(2), dropped(1)]).history?.length, 2);
});

test("each entry of a transmission shows its page and image, as long as the history has the transmission's first entry", (t) => {
  const begun: HistoryEntry = { at: 1, event: "picture", result: "begun", transmission: 7, page: "0", image: "abc" };
  const landed: HistoryEntry = { at: 2, event: "picture", result: "acknowledged", transmission: 7, transceiver: "T1" };
  t.deepEqual(entriesOf(stateAfter([begun, landed]).history ?? [])[0], { ...landed, page: "0", image: "abc" });
  t.deepEqual(entriesOf(stateAfter([landed]).history ?? [])[0], landed);
  const unrelated: HistoryEntry = { ...landed, transmission: 8 };
  t.deepEqual(entriesOf(stateAfter([begun, unrelated]).history ?? [])[0], unrelated);
});

test("a long reason is truncated, and an empty one is absent", (t) => {
  const entry: HistoryEntry = { at: 1, event: "flash", result: "refused" };
  t.is(entriesOf(stateAfter([{ ...entry, reason: "x".repeat(5000) }]).history ?? [])[0]?.reason?.length, 200);
  t.deepEqual(entriesOf(stateAfter([{ ...entry, reason: "" }]).history ?? []), [entry]);
});
