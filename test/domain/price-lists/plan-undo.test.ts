import test from "ava";
import { mergeCampaignRow } from "../../../domain/campaigns/merge-campaign-row.ts";
import { mergeItem } from "../../../domain/items/merge-item.ts";
import { joinListed, planUndo } from "../../../domain/price-lists/plan-undo.ts";
import { priceListPartKey } from "../../../schemas/keys.ts";
import { stampOf } from "../../../schemas/stamp.ts";

test("an undo's rows contain the regular prices to restore, even while a campaign shows another price", (t) => {
  const milk = mergeItem(undefined, { itemId: "milk", price: "1.00" }, 0, true);
  const wrong = mergeItem(milk, { itemId: "milk", price: "9.00" }, stampOf(1, 0), true, "wrong");
  const { item } = mergeCampaignRow(wrong, { itemId: "milk", campaign: "spring", price: "0.50" }, stampOf(2, 0));
  const rows = planUndo("wrong", [1], [{ listed: ["milk", "1.00", "9.00"], item, isScheduled: false }]);
  t.deepEqual(rows, [{ itemId: "milk", list: "wrong", first: 1, price: "1.00", sets: true }]);
});

test("an item in several requests has its price before the first request and after the last, ordered by number", (t) => {
  const partOf = (number: number) => priceListPartKey("t/demo/s/main", "spring", number, 0);
  const joined = joinListed(
    new Map([
      [partOf(10), [["milk", "9.00", "8.00"]]],
      [partOf(9), [["milk", null, "9.00"]]],
    ] as const),
  );
  t.deepEqual(joined, [["milk", null, "8.00"]]);
});
