import test from "ava";
import { repeatsLink } from "../../../domain/linking/repeats-link.ts";

const link = { itemId: "milk", linkedItemId: "385" };

for (const [what, row, stored, expected] of [
  ["names the item and the code of the link", link, link, true],
  ["names another code for the item", { ...link, linkedItemId: "386" }, link, false],
  ["names another item for the code", { ...link, itemId: "bread" }, link, false],
  ["contains only the code", { linkedItemId: "385" }, link, false],
  ["targets a link that is not stored", {}, undefined, false],
] as const)
  test(`a row ${expected ? "repeats" : "does not repeat"} a link if it ${what}`, (t) =>
    t.is(repeatsLink(row, stored), expected));
