import test from "ava";
import { mergeRow, withLinks } from "../../../domain/items/merge-row.ts";
import type { ItemPatch } from "../../../schemas/item.ts";
import type { RowStatus } from "../../../schemas/request.ts";

const NONE = new Map<string, string>();
const manyProperties = (prefix: string) =>
  Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${prefix}${index}`, "x".repeat(4_096)]));

test("if properties would make an item too large they are omitted, and its price is stored", (t) => {
  const { item: before } = mergeRow(undefined, { itemId: "milk", properties: manyProperties("a") }, 1, true, NONE);
  const row = { itemId: "milk", price: "2", sics: ["1"], properties: manyProperties("b") };
  const { item, outcome } = mergeRow(before, row, 2, true, NONE);
  t.is(item.price, "2");
  t.deepEqual([item.properties, item.sics], [before.properties, []]);
  t.is(outcome.status, "PARTIAL");
  t.regex(outcome.errors.join(), /bytes, more than the maximum of 262144: remove or shorten properties/);
});

test("a row that sets only too many properties is an ERROR", (t) => {
  const { item: before } = mergeRow(undefined, { itemId: "milk", properties: manyProperties("a") }, 1, true, NONE);
  const { outcome } = mergeRow(before, { itemId: "milk", properties: manyProperties("b") }, 2, true, NONE);
  t.is(outcome.status, "ERROR");
});

const stored = { itemId: "milk", status: "SUCCESS" as const, errors: [] };
const made = { barcode: "A1", status: "SUCCESS" as const, errors: [] };
const failed = { barcode: "A2", status: "UNKNOWN" as const, errors: ["A2 is no label"] };
const rows: [rule: string, row: ItemPatch, links: (typeof made | typeof failed)[], status: RowStatus][] = [
  ["every part of a row took effect", { itemId: "milk", price: "1" }, [made], "SUCCESS"],
  ["a price is stored and a link fails", { itemId: "milk", price: "1" }, [failed], "PARTIAL"],
  ["a property is stored and a link fails", { itemId: "milk", properties: { a: "b" } }, [failed], "PARTIAL"],
  ["one of two links is made", { itemId: "milk" }, [made, failed], "PARTIAL"],
  ["all links fail, and the row sets nothing", { itemId: "milk", price: "", properties: { a: "" } }, [failed], "ERROR"],
];
for (const [rule, row, links, status] of rows)
  test(`a row is ${status} if ${rule}`, (t) => t.is(withLinks(row, stored, links).status, status));
