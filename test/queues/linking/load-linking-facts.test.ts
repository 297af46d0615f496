import test from "ava";
import { loadLinkingFacts, readDesigns } from "../../../queues/linking/load-linking-facts.ts";
import { designs } from "../../../records/kinds/design.ts";
import { links } from "../../../records/kinds/link.ts";
import { designKey, linkIdOf, linkKey } from "../../../schemas/keys.ts";
import type { Link, LinkDesign } from "../../../schemas/link.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();
const TENANT = "t/demo";
const STORE = `${TENANT}/s/main`;
const key = (id: string) => designKey(TENANT, id);

test.before(async () => {
  const { commit } = world.system;
  const design = { name: "a design", canvasId: `${TENANT}/canvasdesigns/a`, compatible_esltype_ids: [1328] };
  const keys = [key("one"), key("two"), designKey("t/other", "one")];
  await commit.change(designs, keys, () => design, "bulk");
});

/** What links name, and the designs that are read for them. */
const cases: [string, Partial<LinkDesign>[], string[]][] = [
  ["no design", [], []],
  ["a design", [{ origin: "designer", designId: key("one") }], ["one"]],
  ["a design for some types of labels", [{ forced_design_id: key("two") }], ["two"]],
  ["designs and a canvas", [{ origin: "designer", designId: key("one") }, { origin: "designer" }], ["one", "two"]],
  ["no design, since the rules choose it", [{ origin: "studio" }], []],
  ["the design of another origin", [{ origin: "ecc", designId: key("one") } as Partial<LinkDesign>], []],
];
for (const [what, named, expected] of cases)
  test(`links that name ${what} have ${expected.join(" and ") || "none"} read`, async (t) => {
    const read = await readDesigns(world.system.records, TENANT, named);
    t.deepEqual([...read.keys()].toSorted(), expected.map(key));
  });

test("of the links at positions that rows name, those are read that name an item and another code", async (t) => {
  const { commit, records } = world.system;
  const ends = { itemId: "apple", linkedItemId: "3850000000017", linkedAt: new Date(0), stamp: 1 };
  const link = { eslId: "A", displayPosition: 0, origin: "studio", status: "ACTIVE", ...ends } satisfies Link;
  const linkIds = [0, 1, 2].map((position) => linkIdOf("A", position));
  await commit.change(
    links,
    linkIds.map((id) => linkKey(STORE, id)),
    () => link,
    "bulk",
  );
  const named = [
    { itemId: "apple", linkedItemId: "3850000000017" },
    { itemId: "apple", linkedItemId: "apple", displayPosition: 1 },
    { linkedItemId: "3850000000017", displayPosition: 2 },
  ];
  const rows = [{ row: { barcode: "A", links: named }, stamp: 2 }];
  const facts = await loadLinkingFacts(records, async () => () => undefined, STORE, rows);
  t.deepEqual([...facts.links.keys()], [linkIdOf("A", 0)]);
});
