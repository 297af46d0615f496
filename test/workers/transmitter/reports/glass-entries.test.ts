import test from "ava";
import type { LabelReport } from "../../../../schemas/label-report.ts";
import { glassEntries } from "../../../../workers/transmitter/reports/glass-entries.ts";

const now = new Date("2026-03-03T10:00:05Z");
const changedAt = Date.parse("2026-03-03T10:00:00Z");
const content = { items: [{ itemId: "apple", price: "1.99", rev: changedAt }], changedAt };
const state = {
  shown: [],
  sent: [
    { number: 7, page: 0, image: "a", content },
    { number: 8, page: 0, image: "a", content },
    { number: 9, page: 0, image: "b" },
  ],
};
const report = (transmission: number, kind: LabelReport["kind"] = "acknowledged"): LabelReport => ({
  kind,
  store: "t/demo/s/main",
  barcode: "A",
  transmission,
  at: "2026-03-03T10:00:04Z",
});

test("a picture that landed is recorded with its contents and the time since its change", (t) => {
  const [entry] = glassEntries(state, [report(7)], now);
  t.like(entry, { label: "t/demo/s/main/labels/A", image: "a", transmission: 7, items: content.items, tookMs: 5_000 });
});

test("a picture that the page already showed is recorded without a time", (t) => {
  const [, second] = glassEntries(state, [report(7), report(8)], now);
  t.is(second?.transmission, 8);
  t.is(second?.tookMs, undefined);
});

test("a picture with a fault is recorded with the reason, and any other picture without", (t) => {
  const faulty = { shown: [], sent: [{ number: 7, page: 0, image: "a", fault: "no design" }] };
  t.is(glassEntries(faulty, [report(7)], now)[0]?.fault, "no design");
  t.false("fault" in (glassEntries(state, [report(7)], now)[0] ?? {}));
});

test("if a page already showed the picture before these reports, its entry has no duration", (t) => {
  const entry = { page: 0, image: "a", deliveredAt: now, through: 6 };
  t.is(glassEntries({ ...state, shown: [entry] }, [report(7)], now)[0]?.tookMs, undefined);
  t.is(glassEntries({ ...state, shown: [{ ...entry, page: 1 }] }, [report(7)], now)[0]?.tookMs, 5_000);
});

test("a picture that landed without items is recorded without items, and a failed or unknown transmission is not recorded", (t) => {
  t.like(glassEntries(state, [report(9)], now)[0], { image: "b", items: [] });
  t.deepEqual(glassEntries(state, [report(7, "failed"), report(99)], now), []);
  t.deepEqual(glassEntries(undefined, [report(7)], now), []);
});
