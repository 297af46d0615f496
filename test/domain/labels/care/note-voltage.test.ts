import test from "ava";
import { noteVoltage } from "../../../../domain/labels/care/note-voltage.ts";
import { DAY_MS } from "../../../../schemas/care.ts";
import { type LabelState, newLabelState } from "../../../../schemas/label-state.ts";

const start = Date.UTC(2026, 2, 1);
type Measured = readonly [day: number, millivolts: number];

const measure = (measured: readonly Measured[], state: LabelState = newLabelState()): LabelState =>
  measured.reduce((before, [day, millivolts]) => noteVoltage(before, { at: start + day * DAY_MS, millivolts }), state);
const keptOf = (state: LabelState): Measured[] =>
  (state.care?.voltages ?? []).map(({ at, millivolts }) => [(at - start) / DAY_MS, millivolts] as const);

const cases: [rule: string, measured: Measured[], kept: Measured[]][] = [
  ["the first voltage is kept", [[0, 3_000]], [[0, 3_000]]],
  [
    "one voltage a week is kept",
    [
      [0, 3_000],
      [3, 2_990],
      [7, 2_980],
      [10, 2_970],
    ],
    [
      [0, 3_000],
      [7, 2_980],
    ],
  ],
  [
    "a changed voltage is kept earlier, but at most daily",
    [
      [0, 3_000],
      [0.5, 2_900],
      [1, 2_900],
      [1.1, 2_840],
    ],
    [
      [0, 3_000],
      [1, 2_900],
    ],
  ],
  [
    "a late report of an older voltage is not kept",
    [
      [7, 2_900],
      [0, 3_000],
    ],
    [[7, 2_900]],
  ],
  [
    "a new battery's voltage replaces the earlier voltages",
    [
      [0, 2_500],
      [8, 2_400],
      [9, 3_000],
    ],
    [[9, 3_000]],
  ],
];
for (const [rule, measured, kept] of cases)
  test(`voltages: ${rule}`, (t) => t.deepEqual(keptOf(measure(measured)), kept));

test("at most twelve voltages are kept, the newest ones", (t) => {
  const kept = keptOf(measure(Array.from({ length: 30 }, (_, week): Measured => [7 * week, 3_000 - week])));
  t.is(kept.length, 12);
  t.deepEqual(kept.at(-1), [203, 2_971]);
});

test("a new battery is not due for replacement, and the refresh counts are kept", (t) => {
  const care = { since: start, refreshes: 4, days: [{ day: 20_000, price: 4 }], replaceSince: start };
  const old = measure(
    [
      [0, 2_400],
      [8, 2_390],
    ],
    { ...newLabelState(), care },
  );
  t.is(old.care?.replaceSince, start);
  const replaced = measure([[9, 3_000]], old);
  t.like(replaced.care, { refreshes: 4, days: care.days });
  t.is(replaced.care?.replaceSince, undefined);
});
