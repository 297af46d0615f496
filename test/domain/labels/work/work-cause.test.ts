import test from "ava";
import fc from "fast-check";
import { stateOfCause } from "../../../../api/pages/browser/state-of-cause.ts";
import { rankOf, troubles, workCauseOf } from "../../../../domain/labels/work/work-cause.ts";
import { countsFor, markAfter } from "../../../../domain/labels/work/work-mark.ts";
import type { Actor } from "../../../../schemas/actor.ts";
import { type CauseName, causeNames } from "../../../../schemas/explanation.ts";
import { type WorkCauseName, workCauseNames } from "../../../../schemas/work-list.ts";

const cases: readonly [string, CauseName, { isBatteryDue?: true; isHeld?: true }, WorkCauseName | undefined][] = [
  ["a label without a fault and with a lasting battery needs no work", "UP_TO_DATE", {}, undefined],
  ["an empty label needs no work", "NOT_LINKED", {}, undefined],
  ["a picture on its way needs no work", "ON_ITS_WAY", {}, undefined],
  ["a picture that cannot be drawn leaves the label blank", "PICTURE_FAULT", {}, "BLANK"],
  [
    "a label that does not respond must be checked, whatever its battery",
    "LABEL_OFFLINE",
    { isBatteryDue: true },
    "NOT_ANSWERING",
  ],
  ["a picture that failed is sent again", "GIVEN_UP", { isHeld: true }, "NOT_TAKEN"],
  ["an unreachable label server is work for the operator", "LABEL_SERVER_AWAY", {}, "NOT_SENT"],
  ["a worn battery precedes a held price", "UP_TO_DATE", { isBatteryDue: true, isHeld: true }, "BATTERY"],
  ["a held price is work on an otherwise correct label", "UP_TO_DATE", { isHeld: true }, "HELD_PRICE"],
];

for (const [name, cause, facts, expected] of cases)
  test(name, (t) => t.is(workCauseOf({ cause, isBatteryDue: false, isHeld: false, ...facts }), expected));

test("the overview counts a label as in trouble if and only if its cause precedes batteries", (t) => {
  t.deepEqual(
    workCauseNames.filter((cause) => troubles.has(cause)),
    workCauseNames.slice(0, rankOf("BATTERY")),
  );
  for (const cause of causeNames) {
    const isTroubled = ["ERROR", "OFFLINE"].includes(stateOfCause[cause]);
    for (const isBatteryDue of [true, false])
      for (const isHeld of [true, false]) {
        const work = workCauseOf({ cause, isBatteryDue, isHeld });
        t.is(work !== undefined && troubles.has(work), isTroubled, cause);
      }
  }
});

const HOUR_MS = 3_600_000;
const START = new Date(Date.UTC(2026, 2, 3, 10));
const by: Actor = { kind: "user", id: "ana", channel: "pages" };

test("a mark counts for its cause until it expires, and the next mark replaces it", (t) => {
  const step = fc.record({
    cause: fc.constantFrom<WorkCauseName>("BATTERY", "NOT_TAKEN"),
    state: fc.constantFrom<"ASSIGNED" | "DONE" | "OPEN">("ASSIGNED", "DONE", "OPEN"),
    assignee: fc.constantFrom(undefined, "ana", "ivo"),
    hours: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), fc.integer({ min: 0, max: 200 }), (steps, later) => {
      let [mark, now]: [ReturnType<typeof markAfter>, Date] = [undefined, START];
      let model: { cause: WorkCauseName; state: string; assignee: string | undefined; ends: number } | undefined;
      for (const { hours, assignee, ...order } of steps) {
        now = new Date(now.getTime() + hours * HOUR_MS);
        mark = markAfter(mark, { ...order, ...(assignee && { assignee }) }, by, now) ?? mark;
        const holds = model?.cause === order.cause && model.ends > now.getTime();
        const ends = now.getTime() + (order.state === "DONE" ? 24 : 168) * HOUR_MS;
        if (order.state !== "OPEN")
          model = { ...order, assignee: assignee ?? (holds ? model?.assignee : undefined), ends };
        else if (holds) model = undefined;
      }
      now = new Date(now.getTime() + later * HOUR_MS);
      for (const cause of ["BATTERY", "NOT_TAKEN"] as const) {
        const expected = model?.cause === cause && model.ends > now.getTime() ? model : undefined;
        const found = countsFor(mark, cause, now) ? mark : undefined;
        t.is<string | undefined, string | undefined>(found?.state, expected?.state);
        t.is(found?.assignee, expected?.assignee);
      }
    }),
  );
});
