import test from "ava";
import type { Change } from "../../../schemas/topics.ts";
import { renderer } from "../../../workers/renderer/index.ts";

/** A renderer that derives nothing, and the walks that it has begun. */
function walking() {
  const begun: string[][] = [];
  const nothing = async () => {};
  const handlers = renderer({
    linksOfItems: async function* () {},
    linksOfLabels: async () => [],
    deriveImages: nothing,
    deriveEccImages: nothing,
    redraw: async (...one) => void begun.push(one),
  });
  return { handlers, begun };
}

test("only a store's own pictures are walked if its name, zone, currency, locale or a parameter changes", async (t) => {
  const { handlers, begun } = walking();
  const fields = ["name", "timeZone", "currency", "locale", "parameters", "linkDepartments", "labelServer"];
  const changes = fields.map(
    (field): Change => ({ key: `t/a/s/${field}`, rev: 2, operation: "UPDATED", changed: [field], urgency: "bulk" }),
  );
  await handlers.store(changes);
  t.deepEqual(
    begun,
    fields.slice(0, 5).map((field) => [`t/a/s/${field}`, `t/a/s/${field} is at rev 2`]),
  );
});

test("a change to a label type causes its tenant's pictures to be walked only if it affects how they are drawn", async (t) => {
  const changeOf = (changed: string[]): Change => ({
    key: "t/a/labeltypes/1328",
    rev: 2,
    operation: "UPDATED",
    changed,
    urgency: "bulk",
  });
  const walked = async (...changes: Change[]) => {
    const { handlers, begun } = walking();
    await handlers.labeltype(changes);
    return begun;
  };
  for (const field of ["width", "height", "dpi", "colors", "display", "pages"])
    t.deepEqual(await walked(changeOf([field])), [["t/a", "t/a/labeltypes/1328 is at rev 2"]], field);
  for (const field of ["flash", "button", "images", "hardwareType", "fullRefreshAfter", "batteryRefreshes"])
    t.deepEqual(await walked(changeOf([field])), [], field);
  t.is((await walked(changeOf(["width"]), changeOf(["flash", "colors"]))).length, 1);
});

test("a changed label causes the pictures of its links to be derived, with ECC links handled separately", async (t) => {
  const derived: [string, readonly string[]][] = [];
  const handlers = renderer({
    linksOfItems: async function* () {},
    linksOfLabels: async (labels) => labels.map((label) => `${label} link`),
    deriveImages: async (links) => void derived.push(["all", links]),
    deriveEccImages: async (links) => void derived.push(["ECC", links]),
    redraw: async () => {},
  });
  const change: Change = { key: "label", rev: 2, operation: "UPDATED", changed: ["type"], urgency: "bulk" };
  await handlers["storeesl.v1"]([change]);
  t.deepEqual(derived, [
    ["all", ["label link"]],
    ["ECC", ["label link"]],
  ]);
});
