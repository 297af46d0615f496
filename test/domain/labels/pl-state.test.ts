import test from "ava";
import { plStateOf } from "../../../domain/labels/pl-state.ts";
import type { PlState } from "../../../schemas/label.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const OFFLINE_AFTER_MS = 60_000;
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);

const state = (fields: Partial<LabelState> = {}): LabelState => ({ ...newLabelState(), ...fields });
const wanted = [{ page: 0, image: "new" }];
const shownOf = (image: string) => [{ page: 0, image, deliveredAt: ago(5_000), through: 1 }];
const arrived = { wanted, shown: shownOf("new") };
const gone = { lastSeen: ago(60_001), checksIn: true } as const;
const notShown = { wanted, shown: shownOf("old") };

const table: [string, LabelState | undefined, boolean, PlState][] = [
  ["a label without a state is NEW", undefined, false, "NEW"],
  ["a label without a picture is NEW", state(), false, "NEW"],
  ["a label without a picture is NEW while its first picture is derived", state(), true, "NEW"],
  ["a label that was seen but has no picture is NEW", state({ lastSeen: ago(1) }), false, "NEW"],
  ["a label that shows its picture is OK", state(arrived), false, "OK"],
  ["a label that shows an older picture is PENDING", state(notShown), false, "PENDING"],
  ["a label that shows nothing yet is PENDING", state({ wanted }), false, "PENDING"],
  ["a label whose wanted pages are stale is PENDING", state(arrived), true, "PENDING"],
  ["a picture that failed is an ERROR", state({ ...notShown, givenUp: "refused" }), false, "ERROR"],
  ["the next change ends an ERROR", state({ ...notShown, givenUp: "refused" }), true, "PENDING"],
  [
    "a picture with a fault is an ERROR although it is shown",
    state({ ...arrived, fault: "no design" }),
    false,
    "ERROR",
  ],
  ["a label that checks in is OFFLINE if it is silent for too long", state({ ...arrived, ...gone }), false, "OFFLINE"],
  [
    "a label that never checked in is UNKNOWN after that time",
    state({ ...arrived, lastSeen: ago(60_001) }),
    false,
    "UNKNOWN",
  ],
  ["PENDING wins over UNKNOWN", state({ ...notShown, lastSeen: ago(60_001) }), false, "PENDING"],
  ["ERROR wins over UNKNOWN", state({ ...arrived, fault: "x", lastSeen: ago(60_001) }), false, "ERROR"],
  [
    "a label that was seen just in time is not OFFLINE",
    state({ ...arrived, ...gone, lastSeen: ago(60_000) }),
    false,
    "OK",
  ],
  ["OFFLINE wins over PENDING", state({ ...notShown, ...gone }), true, "OFFLINE"],
  ["OFFLINE wins over ERROR", state({ ...arrived, fault: "x", ...gone }), false, "OFFLINE"],
  ["a label that was never seen is not OFFLINE", state({ ...notShown }), false, "PENDING"],
];

for (const [rule, facts, isStale, expected] of table) {
  test(`plState: ${rule}`, (t) => {
    t.is(plStateOf(facts, isStale, NOW, OFFLINE_AFTER_MS), expected);
  });
}
