import test from "ava";
import { labelStates } from "../../../records/kinds/labels.ts";
import { type Care, DAY_MS, dayOf } from "../../../schemas/care.ts";
import { labelKey } from "../../../schemas/keys.ts";
import { newLabelState } from "../../../schemas/label-state.ts";
import { labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { bodyOf, readItem, writeItems, writeLabels } from "../calls.ts";

const shelfwire = ownStack({ workers: ["item", "link"] });
const [milk, both, bread] = ["milk", "both", "bread"].map((name) => labelFor(`cost of ${name}`)) as [
  string,
  string,
  string,
];

const cost = async (rows: object[]) => bodyOf<object>(await shelfwire.call("PATCH", "/items?dryRun=true", rows));

test.serial.before(async () => {
  await writeItems(shelfwire, [
    { itemId: "milk", price: "1.99" },
    { itemId: "bread", price: "2.49" },
    { itemId: "salt", price: "0.49" },
  ]);
  await writeLabels(shelfwire, [
    { barcode: milk, links: [{ itemId: "milk" }] },
    { barcode: bread, links: [{ itemId: "bread" }] },
    { barcode: both, links: [{ itemId: "milk" }] },
  ]);
  // Half a refresh per day.
  const today = dayOf(new Date());
  const care: Care = { since: Date.now() - 30 * DAY_MS, refreshes: 15, days: [{ day: today, price: 15 }] };
  const keys = [milk, both].map((barcode) => labelKey("t/demo/s/main", barcode));
  await shelfwire.system.commit.change(labelStates, keys, () => ({ ...newLabelState(), care }), "bulk");
});

test.serial("a dry run says how many labels would refresh, and what each refresh costs", async (t) => {
  t.deepEqual(await cost([{ itemId: "milk", price: "1.79" }]), { items: 1, labels: 2, daysEach: 0.31 });
  const list = [
    { itemId: "milk", price: "1.79" },
    { itemId: "bread", price: "2.29" },
    { itemId: "salt", price: "0.59" },
  ];
  t.deepEqual(await cost(list), { items: 3, labels: 3, daysEach: 0.33 });
});

test.serial("a change without effect costs nothing, and neither does a change that no label shows", async (t) => {
  t.deepEqual(await cost([{ itemId: "milk", price: "1.99" }]), { items: 0, labels: 0, daysEach: null });
  t.deepEqual(await cost([{ itemId: "new", price: "9.99" }]), { items: 1, labels: 0, daysEach: null });
});

test.serial("labels that a row links are counted unless they already show its item", async (t) => {
  const linkTo = (...barcodes: string[]) => [{ itemId: "milk", links: barcodes.map((barcode) => ({ barcode })) }];
  t.like(await cost(linkTo(milk, both)), { items: 0, labels: 0 });
  t.like(await cost(linkTo(milk, bread)), { items: 1, labels: 1 });
});

test.serial("dry runs stored nothing", async (t) => {
  t.is((await readItem(shelfwire, "milk")).price, "1.99");
  t.is((await shelfwire.call("GET", "/items/new")).status, 404);
});
