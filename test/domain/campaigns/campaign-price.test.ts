import test from "ava";
import { campaignPrice } from "../../../domain/campaigns/campaign-price.ts";

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
