import test from "ava";
import { localTimeOf } from "../../../api/tolerance/time-with-offset.ts";

for (const [text, local] of [
  ["2026-07-01T08:00:00", "2026-07-01 08:00:00"],
  ["2026-07-01T08:00", "2026-07-01 08:00:00"],
  ["2026-07-01T08:00:00.999Z", "2026-07-01 10:00:00"],
  ["2026-07-01t08:00:00+02:00", "2026-07-01 08:00:00"],
  ["2026-07-01T08:00:00+0200[Europe/Zagreb]", "2026-07-01 08:00:00"],
  ["2026-10-25T00:30:00Z", "2026-10-25 02:30:00"],
  ["2026-10-25T01:30:00Z", "twice"],
  ["2026-07-01", undefined],
  ["2026-07-01 08:00:00", undefined],
  ["tomorrow", undefined],
] as const)
  test(`the time ${text} becomes ${local} in Zagreb`, (t) => t.is(localTimeOf(text, "Europe/Zagreb"), local));
