import test from "ava";
import { mergeCampaignRow } from "../../../domain/campaigns/merge-campaign-row.ts";
import { MAX_ITEM_BYTES, tooLarge } from "../../../domain/items/item-size.ts";
import type { Item } from "../../../schemas/item.ts";

const STAMP = Number.MAX_SAFE_INTEGER;
const bytesOf = (item: Item): number => Buffer.byteLength(JSON.stringify(item));

/** An item of this many bytes, mostly equal characters in one of its fields. */
function itemOf(bytes: number, character: string, fill: (item: Item, text: string) => Item): Item {
  const stamps = {
    itemName: STAMP,
    price: STAMP,
    itemGroup: STAMP,
    department: STAMP,
    presentation: STAMP,
    sics: STAMP,
  };
  const empty: Item = { itemId: "i", sics: [], properties: [], stamps, created: STAMP, floor: STAMP, deleted: true };
  const left = bytes - bytesOf(fill(empty, ""));
  const size = bytesOf(fill(empty, character)) - bytesOf(fill(empty, ""));
  return fill(empty, character.repeat(left / size) + "x".repeat(left % size));
}

const fills: Record<string, (item: Item, text: string) => Item> = {
  id: (item, itemId) => ({ ...item, itemId }),
  name: (item, itemName) => ({ ...item, itemName }),
  presentation: (item, presentation) => ({ ...item, presentation }),
  code: (item, sic) => ({ ...item, sics: [sic] }),
  key: (item, key) => ({ ...item, properties: [{ key, value: "", stamp: STAMP }] }),
  value: (item, value) => ({ ...item, properties: [{ key: "", value, stamp: STAMP }] }),
  "a value after many others": (item, value) => ({
    ...item,
    properties: [
      ...Array.from({ length: 255 }, () => ({ key: "", value: "", stamp: STAMP })),
      { key: "", value, stamp: 1 },
    ],
  }),
  "a code after many others": (item, sic) => ({ ...item, sics: [...Array<string>(99).fill(""), sic] }),
};

test("one byte above the limit makes an item too large, whichever field contains it", (t) => {
  for (const character of ["x", "\u0001", "\u20ac", '"'])
    for (const [where, fill] of Object.entries(fills)) {
      const largest = itemOf(MAX_ITEM_BYTES, character, fill);
      const larger = itemOf(MAX_ITEM_BYTES + 1, character, fill);
      t.deepEqual([bytesOf(largest), bytesOf(larger)], [MAX_ITEM_BYTES, MAX_ITEM_BYTES + 1]);
      t.is(tooLarge(largest, undefined), undefined, `${where} of ${JSON.stringify(character)}`);
      t.is(tooLarge(larger, undefined)?.code, "ITEM_TOO_LARGE", `${where} of ${JSON.stringify(character)}`);
    }
});

test("the size of an item with the most fields and shortest values is not underestimated", (t) => {
  for (let properties = 2_000; properties < 5_500; properties += 250) {
    const list = Array.from({ length: properties }, () => ({ key: "", value: "", stamp: STAMP }));
    const item: Item = { itemId: "", sics: [], properties: list, stamps: {}, created: 1 };
    t.is(tooLarge(item, undefined) !== undefined, bytesOf(item) > MAX_ITEM_BYTES, `${properties} properties`);
  }
});

test("a campaign, list versions and earlier prices do not reduce the space for a row", (t) => {
  const regular = itemOf(MAX_ITEM_BYTES, "x", fills.value ?? ((item) => item));
  const { deleted: _, ...largest } = regular;
  const long = "y".repeat(1_000);
  const properties = { "": long, shown: long };
  const { item = largest } = mergeCampaignRow(
    largest,
    { itemId: "i", campaign: "spring", price: "1.00", properties },
    STAMP,
  );
  const kept = { versions: [{ field: "price", versions: [{ stamp: 1, value: long }] }], prices: [long] };
  t.is(tooLarge({ ...item, ...kept }, undefined), undefined);
  const [property] = largest.properties;
  const larger = { ...largest, properties: [{ key: "", value: `${property?.value}${"x".repeat(100)}`, stamp: STAMP }] };
  const shown = mergeCampaignRow(larger, { itemId: "i", campaign: "spring", properties: { "": "y" } }, STAMP).item;
  t.is(tooLarge(shown ?? larger, undefined)?.code, "ITEM_TOO_LARGE");
});
