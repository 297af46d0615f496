import test from "ava";
import type { Change } from "../../../schemas/topics.ts";
import { renderer } from "../../../workers/renderer/index.ts";

test("only a store's own pictures are walked if its name, zone, currency, locale or a parameter changes", async (t) => {
  const begun: string[][] = [];
  const nothing = async () => {};
  const handlers = renderer({
    linksOfItems: async function* () {},
    linksOfLabels: async () => [],
    deriveImages: nothing,
    deriveEccImages: nothing,
    redraw: async (...one) => void begun.push(one),
  });
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
