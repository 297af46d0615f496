import test from "ava";
import { mergeCampaignRow } from "../../../domain/campaigns/merge-campaign-row.ts";
import { mergeItem } from "../../../domain/items/merge-item.ts";
import { changesItem, changesShown } from "../../../domain/items/would-change.ts";
import type { ItemPatch } from "../../../schemas/item.ts";

const row = { itemId: "milk", itemName: "Milk", price: "1.99", sics: ["385"], properties: { unit: "1 l" } };
const item = mergeItem(undefined, row, 5, true);

const cases: [rule: string, patch: Partial<ItemPatch>, changes: boolean][] = [
  ["the same row again", row, false],
  ["a row with only the ID", {}, false],
  ["empty fields", { itemName: "", price: null, properties: {} }, false],
  ["a different price", { price: "1.79" }, true],
  ["a price written in another form", { price: "1.990" }, true],
  ["a different value of a property", { properties: { unit: "2 l" } }, true],
  ["an additional property", { properties: { brand: "Alpine" } }, true],
  ["other codes", { sics: ["386"] }, true],
];
for (const [rule, patch, changes] of cases)
  test(`whether a row changes its item: ${rule}`, (t) => {
    t.is(changesItem(item, { ...patch, itemId: "milk" }), changes);
  });

test("a row for an item that does not exist creates it", (t) => {
  t.true(changesItem(undefined, { itemId: "milk" }));
  t.true(changesItem({ ...item, deleted: true }, { itemId: "milk" }));
});

const offered = mergeCampaignRow(item, { itemId: "milk", campaign: "a", price: "1.49" }, 9).item;
for (const [rule, patch, shows] of [
  ["a price below a campaign's", { price: "1.79" }, false],
  ["the campaign's price as the regular price", { price: "1.49" }, false],
  ["a property that the campaign does not set", { properties: { unit: "2 l" } }, true],
  ["a different name", { itemName: "Fresh milk" }, true],
] as const)
  test(`whether a row changes what labels show: ${rule}`, (t) => {
    t.true(changesItem(offered, { ...patch, itemId: "milk" }));
    t.is(changesShown(offered, { ...patch, itemId: "milk" }), shows);
    t.true(changesShown(item, { ...patch, itemId: "milk" }), "without a campaign");
  });
