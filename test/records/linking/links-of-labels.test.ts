import { randomUUID } from "node:crypto";
import test from "ava";
import type { RecordKind } from "../../../records/kind.ts";
import { labels } from "../../../records/kinds/labels.ts";
import { models } from "../../../records/kinds/tenants.ts";
import {
  byLabelAndPosition,
  everyLinkOfLabel,
  linksByLabel,
  linksOfLabels,
  possibleLinks,
} from "../../../records/linking/links-of-labels.ts";
import { openRecords, type Records } from "../../../records/records.ts";
import { labelKey, linkIdOf, linkKey, modelKey } from "../../../schemas/keys.ts";
import { ownDatabase } from "../../harness/own.ts";

const STORE = "t/demo/s/main";
const database = ownDatabase();
let records: Records;
test.before(async () => {
  records = openRecords(database.db);
  for (const [tenant, name, linkPositions] of [
    ["t/demo", "single", 1],
    ["t/demo", "triple", 3],
    ["t/other", "single", 7],
  ] as const)
    await add(models, modelKey(tenant, name), { name, labelTypes: [1628], linkPositions });
  for (const [barcode, modelName] of [
    ["A", "single"],
    ["B", "triple"],
    ["C", "gone"],
  ] as const)
    await add(labels, key(barcode), { barcode, type: 1628, modelName, stamps: {} });
});

const key = (barcode: string) => labelKey(STORE, barcode);
const linksAt = (barcode: string, ...positions: number[]) =>
  positions.map((position) => linkKey(STORE, linkIdOf(barcode, position)));
const add = <Body>(kind: RecordKind<Body>, _id: string, body: Body) =>
  records.compareAndSet(kind, [{ key: _id, current: undefined, body }], { writeId: randomUUID(), at: new Date() });

test("a label may have one link for each position of its model, and one if its model is unknown", async (t) => {
  t.deepEqual(
    await linksByLabel(records, [key("A"), key("B"), key("C")]),
    new Map([
      [key("A"), linksAt("A", 0)],
      [key("B"), linksAt("B", 0, 1, 2)],
      [key("C"), linksAt("C", 0)],
    ]),
  );
  t.deepEqual(possibleLinks({ _id: key("B"), modelName: "triple" }, new Map()), linksAt("B", 0));
});

test("an unknown label has no links", async (t) => {
  t.deepEqual(await linksOfLabels(records, [key("unknown"), key("A")]), linksAt("A", 0));
});

test("links may exist at each position of the tenant's largest model, since a label may have had that model", async (t) => {
  t.deepEqual(await everyLinkOfLabel(records, key("A")), linksAt("A", 0, 1, 2));
  t.deepEqual(await everyLinkOfLabel(records, "t/bare/s/main/labels/A"), [linkKey("t/bare/s/main", linkIdOf("A", 0))]);
});

test("links are sorted by label and then by position", (t) => {
  const sorted = [
    { eslId: "A", displayPosition: 0 },
    { eslId: "A", displayPosition: 2 },
    { eslId: "A", displayPosition: 10 },
    { eslId: "B", displayPosition: 1 },
    { eslId: "C", displayPosition: 0 },
  ];
  for (const links of [sorted, sorted.toReversed()]) t.deepEqual(links.toSorted(byLabelAndPosition), sorted);
});
