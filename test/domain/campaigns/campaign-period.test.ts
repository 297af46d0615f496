import test from "ava";
import { periodIn } from "../../../domain/campaigns/campaign-period.ts";

test("a campaign follows its store's clock, even across clock changes", (t) => {
  const period = { from: "2026-03-29 02:30:00", until: "2026-10-25 02:30:00" };
  const { begins, ends } = periodIn(period, "Europe/Zagreb", new Date("2026-01-01T00:00:00Z"));
  // The hour does not exist in March and occurs twice in October.
  t.is(new Date(begins).toISOString(), "2026-03-29T01:00:00.000Z");
  t.is(new Date(ends).toISOString(), "2026-10-25T00:30:00.000Z");
});
