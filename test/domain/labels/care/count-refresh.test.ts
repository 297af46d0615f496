import test from "ava";
import fc from "fast-check";
import { applyReport } from "../../../../domain/labels/apply-report.ts";
import { countRefresh } from "../../../../domain/labels/care/count-refresh.ts";
import { dayOf, REFRESH_DAYS, type RefreshKind, refreshKinds } from "../../../../schemas/care.ts";
import { type LabelState, newLabelState, type Transmission } from "../../../../schemas/label-state.ts";

const at = new Date("2026-03-01T12:00:00Z");
const hours = (count: number): Date => new Date(at.getTime() + count * 3_600_000);
const sent = (number: number, changes?: RefreshKind): Transmission => ({
  ...{ number, page: 0, image: `image ${number}` },
  ...(changes && { changes }),
});
const label = (...transmissions: Transmission[]): LabelState => ({
  ...newLabelState(),
  sent: transmissions,
  transmissions: transmissions.length,
});
const acknowledge = (state: LabelState, number: number, when: Date): LabelState =>
  applyReport(
    state,
    { store: "t/demo/s/main", barcode: "A1", kind: "acknowledged", at: when.toISOString(), transmission: number },
    when,
  );

test("an acknowledged picture is counted on the day of its delivery, under the kind of change that caused it", (t) => {
  const state = acknowledge(acknowledge(label(sent(1, "link"), sent(2, "price")), 1, hours(0)), 2, hours(24));
  t.deepEqual(state.care, {
    since: at.getTime(),
    refreshes: 2,
    days: [
      { day: dayOf(at), link: 1 },
      { day: dayOf(at) + 1, price: 1 },
    ],
  });
});

test("reports in any order, each applied twice, count every transmission once", (t) => {
  const numbers = [1, 2, 3, 4];
  const reports = fc.shuffledSubarray([...numbers, ...numbers], { minLength: 8 });
  fc.assert(
    fc.property(reports, (order) => {
      const state = order.reduce(
        (before, number) => acknowledge(before, number, hours(number)),
        label(sent(1, "link"), sent(2, "price"), sent(3, "design"), sent(4, "price")),
      );
      t.like(state.care, { refreshes: 4, days: [{ day: dayOf(at), link: 1, price: 2, design: 1 }] });
    }),
  );
});

test("every n-th refresh is a full refresh, and is counted as such in addition to its cause", (t) => {
  const at1 = { store: "t/demo/s/main", barcode: "A1", kind: "acknowledged", at: at.toISOString() } as const;
  const transmissions = [1, 2, 3, 4].map((number) => ({ ...sent(number, "price"), nth: number }));
  const state = transmissions.reduce(
    (before, { number }) => applyReport(before, { ...at1, transmission: number }, at, { fullRefreshAfter: 2 }),
    label(...transmissions),
  );
  t.deepEqual(state.care?.days, [{ day: dayOf(at), price: 4, full: 2 }]);
});

test("failures, check-ins and transmissions of earlier releases are not counted", (t) => {
  const report = { store: "t/demo/s/main", barcode: "A1", at: at.toISOString() };
  const failed = applyReport(label(sent(1, "price")), { ...report, kind: "failed", transmission: 1 }, at);
  const heard = applyReport(failed, { ...report, kind: "check-in" }, at);
  t.is(heard.care, undefined);
  t.is(acknowledge(label(sent(1)), 1, at).care, undefined);
});

test("whatever is reported, at most 31 days are kept, including the newest", (t) => {
  const kinds = fc.constantFrom(...refreshKinds);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 2_000 }), kinds), { minLength: 1 }), (refreshes) => {
      const state = refreshes.reduce(
        (before, [hour, kind], index) => countRefresh(before, sent(index, kind), hours(hour), false),
        newLabelState(),
      );
      const days = state.care?.days ?? [];
      const newest = Math.max(...refreshes.map(([hour]) => dayOf(hours(hour))));
      t.true(days.length <= REFRESH_DAYS);
      t.is(days.at(-1)?.day, newest);
      t.true(days.every(({ day }) => day > newest - REFRESH_DAYS));
      t.is(state.care?.refreshes, refreshes.length);
    }),
  );
});
