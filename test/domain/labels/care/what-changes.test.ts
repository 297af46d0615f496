import test from "ava";
import { whatChanges } from "../../../../domain/labels/care/what-changes.ts";
import type { RefreshKind } from "../../../../schemas/care.ts";
import type { Content } from "../../../../schemas/glass.ts";

const at = new Date("2026-03-01T12:00:00Z");
const milk = { itemId: "milk", price: "1.99", rev: 1 };
const bread = { itemId: "bread", price: "2.49", rev: 1 };
const content = (...items: Content["items"]): Content => ({ items, changedAt: 0 });
const shown = [{ page: 0, image: "old", deliveredAt: at, through: 1 }];
const sentWith = (of: Content | undefined) => [{ page: 0, image: "old", number: 1, ...(of && { content: of }) }];

const cases: [rule: string, before: Content | undefined, image: string, after: Content | undefined, is: RefreshKind][] =
  [
    ["the same picture again is a repeat", content(milk), "old", content(milk), "repeat"],
    ["a different price", content(milk), "new", content({ ...milk, price: "1.79", rev: 2 }), "price"],
    ["a new price", content({ itemId: "milk", rev: 1 }), "new", content(milk), "price"],
    ["another design of the same item", content(milk), "new", content({ ...milk, rev: 2 }), "design"],
    ["another item, even for the same price", content(milk), "new", content({ ...bread, price: "1.99" }), "link"],
    ["an additional item", content(milk), "new", content(milk, bread), "link"],
    [
      "the price of the second of two items",
      content(milk, bread),
      "new",
      content(milk, { ...bread, price: "2" }),
      "price",
    ],
    ["an item that is removed", content(milk), "new", undefined, "link"],
    ["an item on a label that was empty", undefined, "new", content(milk), "link"],
    ["another picture of a label without an item", undefined, "new", undefined, "design"],
  ];
for (const [rule, before, image, after, is] of cases)
  test(`what a picture changes: ${rule}`, (t) => {
    t.is(whatChanges({ shown, sent: sentWith(before) }, { page: 0, image }, after), is);
  });

test("a page's first picture counts as a link", (t) => {
  t.is(whatChanges({ shown, sent: sentWith(content(milk)) }, { page: 1, image: "old" }, content(milk)), "link");
  t.is(whatChanges({ shown: [], sent: [] }, { page: 0, image: "new" }, content(milk)), "link");
});

test("if the former picture is not among the last transmissions, only a change of the design is certain", (t) => {
  t.is(whatChanges({ shown, sent: [] }, { page: 0, image: "new" }, content(milk)), "design");
});
