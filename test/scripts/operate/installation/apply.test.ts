import test from "ava";
import { labels } from "../../../../records/kinds/labels.ts";
import { labelKey, storeKey } from "../../../../schemas/keys.ts";
import { planInstallation } from "../../../../scripts/operate/installation/plan-installation.ts";
import { ownSystem } from "../../../harness/own.ts";
import { adminOn, matrix, store } from "./admin-on.ts";

const world = ownSystem();
const { fileOf, removeFiles, run } = adminOn(world);
test.after.always(() => removeFiles());

const acme = {
  name: "Acme",
  labelTypes: { "1328": matrix, "1314": { ...matrix, width: 400, height: 300 } },
  models: { Double: { labelTypes: [1328], linkPositions: 2 } },
  stores: { harbour: store, station: { ...store, name: "Station" } },
};
const apply = async (tenant: object, ...options: string[]) => {
  const { code, out, err } = await run("apply", fileOf({ tenants: { acme: tenant } }), "--json", ...options);
  return { code, err, ...(out === "" ? {} : JSON.parse(out)) };
};
const texts = (steps: { effect: string; noun: string; id: string }[]) =>
  steps.map(({ effect, noun, id }) => `${effect} ${noun} ${id}`);

test.serial("a dry run lists what it would create, in order, and creates nothing", async (t) => {
  const { code, steps, kept, isDryRun } = await apply(acme, "--dry-run");
  t.deepEqual([code, kept, isDryRun], [0, 0, true]);
  t.deepEqual(texts(steps), [
    "make tenant acme",
    "make label-type 1314",
    "make label-type 1328",
    "make model Double",
    "make store harbour",
    "make store station",
  ]);
  t.is((await run("tenant", "list")).out, "");
});

test.serial("the contents of a file are created, and only once", async (t) => {
  t.like(await apply(acme), { code: 0, kept: 0 });
  t.is((await run("tenant", "list")).out, '{"tenantId":"acme","name":"Acme"}\n');
  t.deepEqual(JSON.parse((await run("store", "show", "acme", "harbour")).out), { storeId: "harbour", ...store });
  t.like(await apply(acme), { code: 0, steps: [], kept: 6 });
});

test.serial("created, changed and removed entries are counted", async (t) => {
  const counts = async (tenant: object, ...options: string[]) =>
    (await run("apply", fileOf({ tenants: { counted: tenant } }), ...options)).out.trim().split("\n").at(-1);
  t.is(await counts(acme, "--dry-run"), "6 would be created; 0 resources already match the file.");
  t.is(await counts(acme), "6 created; 0 resources already match the file.");
  t.is(await counts(acme), "6 resources already match the file.");
  const { station, ...stores } = acme.stores;
  const further = { north: { ...store, name: "North" } };
  const changed = { ...acme, name: "Counted", stores: { ...stores, ...further } };
  t.is(await counts(changed, "--prune"), "1 created, 1 changed, 1 removed; 4 resources already match the file.");
});

test.serial("every command reports a tenant that is being removed", async (t) => {
  const orders = { leaving: { ...acme, name: "Leaving" } };
  t.is((await run("apply", fileOf({ tenants: orders }))).code, 0);
  t.is((await run("tenant", "remove", "leaving")).code, 0);
  const said =
    /Tenant "leaving" is being removed: all its data is deleted from \d{4}-.*admin -- tenant restore leaving/;
  for (const line of [
    ["store", "list", "leaving"],
    ["store", "put", "leaving", "harbour", fileOf(store)],
    ["token", "issue", "leaving", "--stores", "*", "--scope", "*"],
    ["tenant", "remove", "leaving"],
    ["explain", "A", "--tenant", "leaving", "--store", "harbour"],
    ["integrity", "--tenant", "leaving"],
  ]) {
    const { code, err } = await run(...line);
    t.is(code, 1, line.join(" "));
    t.regex(err, said, line.join(" "));
  }
  t.regex((await run("apply", fileOf({ tenants: orders }))).err, said);
  t.regex((await run("tenant", "show", "leaving")).out, /"removal": \{\s*"since": .*,\s*"due": /);
  t.is((await run("tenant", "put", "leaving", fileOf((await run("tenant", "show", "leaving")).out))).code, 0);
  t.is((await run("tenant", "restore", "leaving")).code, 0);
  t.is((await run("store", "list", "leaving")).code, 0);
});

test.serial("only differences are changed, and without --prune nothing is removed", async (t) => {
  const { station, ...stores } = acme.stores;
  const changed = { ...acme, name: "Acme Ltd", labelTypes: { "1328": acme.labelTypes["1328"] }, stores };
  const { code, steps, kept } = await apply(changed);
  t.deepEqual([code, texts(steps), kept], [0, ["change tenant acme"], 3]);
  t.regex((await run("store", "list", "acme")).out, /"storeId":"station"/);

  const pruned = await apply(changed, "--prune", "--dry-run");
  t.deepEqual(texts(pruned.steps), ["remove store station", "remove label-type 1314"]);
  t.is((await apply(changed, "--prune")).code, 0);
  t.notRegex((await run("store", "list", "acme")).out, /station/);
  t.deepEqual(JSON.parse((await run("label-type", "list", "acme", "--json")).out).all.length, 1);
});

test.serial("a section that a file does not name is left unchanged, even with --prune", async (t) => {
  t.like(await apply({ name: "Acme Ltd" }, "--prune"), { code: 0, steps: [], kept: 1 });
});

test.serial(
  "the command stops at an entry that cannot be removed, with the reason and a report of its changes",
  async (t) => {
    const label = { barcode: "x", type: 1328, modelName: "Double", stamps: {} };
    await world.system.commit.change(labels, [labelKey(storeKey("acme", "harbour"), "x")], () => label, "bulk");
    const { code, steps, failed } = await apply({ name: "Acme", models: {}, stores: {} }, "--prune");
    t.deepEqual([code, texts(steps)], [1, ["change tenant acme"]]);
    t.like(failed, {
      effect: "remove",
      noun: "store",
      id: "harbour",
      reason: 'The store "harbour" has labels, such as x.',
    });
  },
);

test.serial(
  "one file creates a store and its tenant's label server; secrets are created once and shown once",
  async (t) => {
    const tenant = {
      name: "Own",
      labelServers: { cellar: { url: "https://labels.example" } },
      stores: { one: { ...store, labelServer: "cellar" } },
      users: { "own-till": { stores: ["one"], scope: "items:read" } },
    };
    const file = fileOf({ tenants: { own: tenant } });
    const { code, out, err } = await run("apply", file);
    t.is(code, 0, err);
    t.regex(
      out,
      /label-server cellar of own is created\nits secret, shown only here: \S{32}\nstore one of own is created\n/,
    );
    t.regex(out, /user own-till of own is created\nits password, shown only here: \S{32}\n/);
    t.is((await run("apply", file)).out, "4 resources already match the file.\n");
    t.is(JSON.parse((await run("store", "show", "own", "one")).out).labelServer, "cellar");
  },
);

test.serial("with --dry-run refusals are reported as well, and before anything is changed", async (t) => {
  const changed = {
    name: "Own",
    stores: { one: { ...store, labelServer: "nowhere" } },
    labelServers: { cellar: { url: "https://elsewhere.example" } },
  };
  for (const options of [["--dry-run"], []]) {
    const { code, err } = await run(
      "apply",
      fileOf({ tenants: { own: { name: "Own", stores: changed.stores } } }),
      ...options,
    );
    t.is(code, 1);
    t.regex(err, /would be rejected:\n {2}store one of own: .*\n.*\/labelServer .*"nowhere"/);
  }
  const { code, out } = await run("apply", fileOf({ tenants: { own: changed } }));
  t.is(code, 1, "the label server is changed first, and then the store is refused");
  t.regex(out, /label-server cellar of own is changed\n.*Failed and stopped here: store one of own/s);
});

test.serial("a file that is not JSON is refused", async (t) => {
  const { code, err } = await run("apply", fileOf("{"));
  t.is(code, 1);
  t.regex(err, /is not valid JSON: /);
});

for (const [what, content, why] of [
  ["no installation", [], /An installation must have the form \{"tenants": /],
  [
    "another section",
    { tenants: { acme: { name: "A", shops: {} } } },
    /\/tenants\/acme\/shops is not a field of this object/,
  ],
  [
    "a wrong value",
    { tenants: { acme: { name: "A", labelTypes: { "1328": { ...matrix, width: 0 } } } } },
    /\/tenants\/acme\/labelTypes\/1328\/width .*0/,
  ],
  [
    "a mistyped field",
    { tenants: { acme: { name: "A", stores: { one: { ...store, timezone: "x" } } } } },
    /\/tenants\/acme\/stores\/one\/timezone is not a field of this object; the nearest is `timeZone`/,
  ],
  ["a wrong id", { tenants: { "a b": { name: "A" } } }, /\/tenants\/a b /],
] as const) {
  test.serial(`a file with ${what} is refused before anything is created`, async (t) => {
    const options = { barcodePattern: "^(?<type>[0-9]{4})", isPruning: false };
    await t.throwsAsync(planInstallation(world.system, content, options), { name: "Refusal", message: why });
  });
}

test.serial("the demo's file can be applied", async (t) => {
  t.is((await run("apply", "scripts/demo/installation.json")).code, 0);
  t.like(JSON.parse((await run("apply", "scripts/demo/installation.json", "--json")).out), { steps: [] });
});
