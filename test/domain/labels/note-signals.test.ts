import test from "ava";
import { noteSignals, pressToAnnounce, sensorsToAnnounce } from "../../../domain/labels/note-signals.ts";
import type { LabelState } from "../../../schemas/label-state.ts";

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const pressed = (seconds: number, button = 1) => ({
  at: at(seconds + 1).toISOString(),
  press: { button, at: at(seconds).toISOString() },
});
const measured = (seconds: number, temperature: number) => ({
  at: at(seconds).toISOString(),
  sensors: { temperature },
});
const none: Pick<LabelState, "press" | "sensors"> = {};

test("the last press by the label server's clock counts, whatever the order of the reports", (t) => {
  const reports = [pressed(5, 2), pressed(3), pressed(5, 2), { at: at(9).toISOString() }];
  t.deepEqual(reports.reduce(noteSignals, none), { press: { button: 2, at: at(5) } });
});

test("a sensor's last value is the one with the latest report time", (t) => {
  const reports = [measured(5, 21.5), measured(3, 40)];
  t.deepEqual(reports.reduce(noteSignals, none), { sensors: { temperature: { value: 21.5, at: at(5) } } });
});

test("a report without signals leaves the state unchanged", (t) => {
  const state = noteSignals(none, pressed(1));
  t.is(noteSignals(state, { at: at(2).toISOString() }), state);
});

const announcedPresses: [
  rule: string,
  announced: number | undefined,
  reported: number[],
  expected: number | undefined,
][] = [
  ["the first press is announced", undefined, [4], 4],
  ["a repeated press is not announced again", 4, [4], undefined],
  ["an older press is not announced", 4, [3], undefined],
  ["the last of several presses is announced", 4, [6, 8, 7], 8],
  ["without a press nothing is announced", 4, [], undefined],
];
for (const [rule, announced, reported, expected] of announcedPresses) {
  test(rule, (t) => {
    const before = announced === undefined ? undefined : { button: 1, pressedAt: at(announced) };
    const press = pressToAnnounce(
      before,
      reported.map((second) => pressed(second)),
    );
    t.deepEqual(press?.pressedAt, expected === undefined ? undefined : at(expected));
  });
}

const temperatures: [rule: string, announced: number | undefined, value: number, expected: number | undefined][] = [
  ["a sensor's first value is announced", undefined, 21, 21],
  ["a value near the announced one is not announced", 21, 22.9, undefined],
  ["a value that is 2 °C higher is announced", 21, 23, 23],
  ["a value that is 2 °C lower is announced", 21, 19, 19],
];
for (const [rule, announced, value, expected] of temperatures) {
  test(rule, (t) => {
    const before = announced === undefined ? undefined : { temperature: announced };
    const values = sensorsToAnnounce(before, { temperature: { value, at: at(1) } });
    t.is(values?.temperature, expected);
  });
}

test("a slowly rising value is compared with the announced value, not with the previous one", (t) => {
  const announced: number[] = [];
  for (const value of [21, 22, 23, 24, 25]) {
    const last = announced.at(-1);
    const before = last === undefined ? undefined : { temperature: last };
    const values = sensorsToAnnounce(before, { temperature: { value, at: at(value) } });
    if (values?.temperature !== undefined) announced.push(values.temperature);
  }
  t.deepEqual(announced, [21, 23, 25]);
});
