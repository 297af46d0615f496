import test from "ava";
import { designs } from "../../../../records/kinds/designs.ts";
import { studioLinks } from "../../../../records/kinds/links.ts";
import { designKey, linkKey } from "../../../../schemas/keys.ts";
import type { PackFinding, PackOrder } from "../../../../schemas/pack.ts";
import { eventually } from "../../../harness/eventually.ts";
import { labelFor } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, pointersOf, refused, writeItems, writeLabels } from "../../calls.ts";
import { manage } from "../calls.ts";

const shelfwire = ownStack({ workers: ["item", "link", "evaluator"] });
let designIds: string[];
test.before(async () => {
  const listed = await bodyOf<{ key: string; compatible_esltype_ids: number[] }[]>(
    await manage(shelfwire, "GET", "/designs"),
  );
  designIds = listed.filter(({ compatible_esltype_ids: types }) => types.includes(1328)).map(({ key }) => key);
});

const always = (designId: string, name = "one"): PackOrder => ({
  name,
  scenarios: [{ id: "all", name: "All", design_ids: [designId] }],
});
const put = (id: string, order: unknown, headers = {}) =>
  manage(shelfwire, "PUT", `/communication-packs/${id}`, order, headers);
const get = (id: string) => manage(shelfwire, "GET", `/communication-packs/${id}`);
const activate = (id: string, headers = {}) =>
  manage(shelfwire, "POST", `/communication-packs/${id}/activate`, undefined, headers);
const progress = async (id: string) =>
  bodyOf<{ state: string; checked: number; changing: number; total: number; finishedAt: string | null }>(
    await manage(shelfwire, "GET", `/communication-packs/${id}/progress`),
  );

test.serial(
  "an inactive pack is saved, read, listed, replaced and deleted; designs are stored by their full keys",
  async (t) => {
    const [design = ""] = designIds;
    const bare = design.slice(design.lastIndexOf("/") + 1);
    const saved = await bodyOf<object>(await put("inactive", always(bare)));
    t.like(saved, { packId: "inactive", active: false, name: "one", warnings: [] });
    const { warnings: _, ...shown } = saved as { warnings: unknown };
    t.deepEqual(await bodyOf(await get("inactive")), shown);
    t.like(shown, { scenarios: [{ id: "all", design_ids: [design], children: [] }] });
    const listed = await bodyOf<{ packId: string; active: boolean }[]>(
      await manage(shelfwire, "GET", "/communication-packs"),
    );
    t.deepEqual(
      listed.map(({ packId, active }) => ({ packId, active })),
      [
        { packId: "inactive", active: false },
        { packId: "shelf-prices", active: true },
      ],
    );
    t.like(await bodyOf(await put("inactive", always(bare, "two"))), { name: "two" });
    t.is((await manage(shelfwire, "DELETE", "/communication-packs/inactive")).status, 204);
    await refused(t, await get("inactive"), 404);
    await refused(t, await activate("inactive"), 404);
    await refused(t, await manage(shelfwire, "DELETE", "/communication-packs/inactive"), 404);
    await refused(t, await manage(shelfwire, "GET", "/communication-packs/inactive/progress"), 404);
  },
);

const faulty = {
  name: "faulty",
  scenarios: [
    {
      name: "Offers",
      cel_expression: 'item.priceKind ==\n  "special" &&',
      design_ids: ["none"],
      children: [{ name: "Cheap", cel_expression: "nothing.price == 1", design_ids: ["t/other/designs/one"] }],
    },
    { name: "Open", design_ids: [] },
    { name: "Behind", cel_expression: "true", design_ids: [] },
  ],
};

test.serial(
  "every fault of a pack is reported with its path, its position in the expression and its scenario",
  async (t) => {
    const { errors, warnings } = await bodyOf<{ errors: PackFinding[]; warnings: PackFinding[] }>(
      await manage(shelfwire, "POST", "/communication-packs/validate", faulty),
    );
    t.deepEqual(errors.map(({ pointer, scenario }) => [pointer, scenario]).sort(), [
      ["/scenarios/0/cel_expression", "Offers"],
      ["/scenarios/0/children/0/cel_expression", "Cheap"],
      ["/scenarios/0/children/0/design_ids/0", "Cheap"],
      ["/scenarios/0/design_ids/0", "Offers"],
    ]);
    t.is(errors.find(({ pointer }) => pointer === "/scenarios/0/cel_expression")?.line, 2);
    t.true(warnings.some(({ scenario, detail }) => scenario === "Open" && detail.includes("never reached")));
    t.is((await refused(t, await put("faulty", faulty), 400)).type, "/problems/invalid-request");
    t.deepEqual(
      pointersOf(await refused(t, await put("faulty", faulty), 400)),
      errors.map(({ pointer }) => pointer).sort(),
    );
    await refused(t, await get("faulty"), 404);
  },
);

test.serial("a write with an outdated tag is refused", async (t) => {
  const [design = ""] = designIds;
  const first = await put("guarded", always(design), { "if-none-match": "*" });
  const tag = first.headers.get("etag") ?? "";
  t.is((await get("guarded")).headers.get("etag"), tag);
  await refused(t, await put("guarded", always(design), { "if-none-match": "*" }), 412);
  const [one, other] = await Promise.all(
    ["by one", "by another"].map((name) => put("guarded", always(design, name), { "if-match": tag })),
  );
  t.deepEqual([one?.status, other?.status].sort(), [200, 412]);
  await refused(t, await activate("guarded", { "if-match": tag }), 412);
  const deleted = await manage(shelfwire, "DELETE", "/communication-packs/guarded", undefined, { "if-match": tag });
  await refused(t, deleted, 412);
  await refused(t, await put("unheard", always(design), { "if-match": tag }), 412);
  t.is((await manage(shelfwire, "DELETE", "/communication-packs/guarded")).status, 204);
});

test.serial("an activated pack decides for every label, and its progress can be read", async (t) => {
  const [first = "", second = ""] = designIds;
  const barcodes = ["pack 1", "pack 2", "pack 3"].map((name) => labelFor(name));
  await writeItems(shelfwire, [{ itemId: "ruled", price: "1.00" }]);
  await writeLabels(
    shelfwire,
    barcodes.map((barcode) => ({ barcode, links: [{ itemId: "ruled" }] })),
  );
  const keys = barcodes.map((barcode) => linkKey("t/demo/s/main", `${barcode}-0`));
  const chosen = async () => {
    const found = await shelfwire.system.records.read(studioLinks, keys);
    return keys.map((key) => found.get(key)?.design_id);
  };
  for (const design of [first, second]) {
    const id = design === first ? "rules-1" : "rules-2";
    await put(id, always(design));
    t.like(await bodyOf(await activate(id)), { packId: id, active: true });
    await eventually(`${design} is chosen`, async () => (await chosen()).every((one) => one === design));
    await eventually("the evaluation is done", async () => (await progress(id)).state === "done");
    const { checked, total, finishedAt } = await progress(id);
    t.is(checked, total);
    t.true(total >= 3);
    t.truthy(finishedAt);
  }
  t.is((await progress("rules-1")).state, "superseded");
  t.like(await bodyOf(await get("rules-1")), { active: false });
  await refused(t, await manage(shelfwire, "DELETE", "/communication-packs/rules-2"), 409);
  // Saving the active pack evaluates every link again.
  await put("rules-2", always(first, "changed"));
  await eventually("the change is evaluated", async () => (await chosen()).every((one) => one === first));
  t.like(await bodyOf(await get("rules-2")), { active: true, name: "changed" });
});

test.serial("a pack cannot name a deleted design", async (t) => {
  const { records, commit } = shelfwire.system;
  const key = designKey("t/demo", "gone");
  const [design = ""] = designIds;
  const present = (await records.read(designs, [design])).get(design);
  const { canvasId = "" } = present ?? {};
  await commit.change(designs, [key], () => ({ name: "Gone", canvasId, compatible_esltype_ids: [1328] }), "bulk");
  t.is((await put("names-it", always(key))).status, 200);
  t.is((await manage(shelfwire, "DELETE", "/designs/gone")).status, 204);
  t.deepEqual(pointersOf(await refused(t, await put("names-it", always(key)), 400)), ["/scenarios/0/design_ids/0"]);
});
