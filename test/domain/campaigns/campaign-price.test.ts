import test from "ava";
import { periodIn } from "../../../domain/campaigns/campaign-period.ts";
import { campaignPrice } from "../../../domain/campaigns/campaign-price.ts";
import { stateOf } from "../../../domain/campaigns/campaign-state.ts";

const item = (price: string, clubPrice?: string) => ({
  price,
  properties: clubPrice === undefined ? [] : [{ key: "clubPrice", value: clubPrice, stamp: 1 }],
});

const prices = [
  [{ fixed: "1.99" }, item("5.00"), "1.99"],
  [{ percent: 20 }, item("9.99"), "7.99"],
  [{ percent: 20 }, item("10.00"), "8.00"],
  [{ percent: 50 }, item("0.05"), "0.03"],
  [{ percent: 33.33 }, item("1000"), "667"],
  [{ percent: 20, ending: "9" }, item("9.95"), "7.89"],
  [{ percent: 20, ending: "99" }, item("10.00"), "7.99"],
  [{ percent: 20, ending: "99" }, item("1.00"), "0.80"],
  [{ percent: 20 }, item("2 for 5"), undefined],
  [{ percent: 20 }, item("0.00"), undefined],
  [{ property: "clubPrice" }, item("5.00", "4.50"), "4.50"],
  [{ property: "clubPrice" }, item("5.00"), undefined],
] as const;

for (const [rule, given, expected] of prices)
  test(`${JSON.stringify(rule)} turns ${given.price} into ${expected ?? "no price"}`, (t) => {
    t.is(campaignPrice(rule, given), expected);
  });

test("a campaign follows its store's clock, even across clock changes", (t) => {
  const period = { from: "2026-03-29 02:30:00", until: "2026-10-25 02:30:00" };
  const { begins, ends } = periodIn(period, "Europe/Zagreb", new Date("2026-01-01T00:00:00Z"));
  // The hour does not exist in March and occurs twice in October.
  t.is(new Date(begins).toISOString(), "2026-03-29T01:00:00.000Z");
  t.is(new Date(ends).toISOString(), "2026-10-25T00:30:00.000Z");
});

test("a scheduled campaign becomes live and ends by the clock", (t) => {
  const campaign = { state: "SCHEDULED" as const, begins: new Date(1000), ends: new Date(2000) };
  t.deepEqual(
    [999, 1000, 1999, 2000].map((at) => stateOf(campaign, new Date(at))),
    ["SCHEDULED", "LIVE", "LIVE", "ENDED"],
  );
  t.is(stateOf({ ...campaign, state: "CANCELLED" }, new Date(1500)), "CANCELLED");
});
