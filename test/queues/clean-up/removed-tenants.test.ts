import test from "ava";
import { createStoreFinder, createTenantFinder } from "../../../api/find-owners.ts";
import { forgetRemovedTenants } from "../../../queues/clean-up/removed-tenants.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { labels } from "../../../records/kinds/labels.ts";
import { apiUsers, stores, tenants } from "../../../records/kinds/tenants.ts";
import { apiUserKey, labelKey, storeKey, tenantKey } from "../../../schemas/keys.ts";
import { demoStore } from "../../../scripts/demo/catalogue.ts";
import { ownSystem } from "../../harness/own.ts";
import { runAdminHere } from "../../harness/processes/run-command.ts";

const world = ownSystem();
const DAY_MS = 86_400_000;
const onAndOn = { renew: async () => true, goOn: async () => true };

/** A tenant with a store, a label, a request, a picture and a user. */
async function makeTenant(id: string): Promise<void> {
  const { commit, db, accept } = world.system;
  const [tenant, store] = [tenantKey(id), storeKey(id, "main")];
  await commit.change(tenants, [tenant], () => ({ name: id }), "bulk");
  await commit.change(stores, [store], () => demoStore, "bulk");
  const label = { barcode: "x", type: 1328, modelName: "Medium", stamps: {} };
  await commit.change(labels, [labelKey(store, "x")], () => label, "bulk");
  const picture = { sha256: "0".repeat(64), png: Buffer.of(1), width: 1, height: 1 };
  await openImageFiles(db, () => new Date()).put(tenant, [picture]);
  await accept({ store, operation: "patch-items", rows: [{}], ordered: false });
  const password = { cost: 1, blockSize: 1, parallelization: 1, salt: "", hash: "" };
  const user = { name: `till-${id}`, tenant: id, stores: "*" as const, scope: "*", password };
  await commit.change(apiUsers, [apiUserKey(user.name)], () => user, "bulk");
}

/** The number of a tenant's documents in all collections. */
async function documentsOf(id: string): Promise<number> {
  const { db } = world.system;
  const filters = [{ _id: { $regex: `^t/${id}(/|$)` } }, { tenant: id }];
  const collections = await db.collections();
  const counts = await Promise.all(collections.map((one) => one.countDocuments({ $or: filters } as object)));
  return counts.reduce((sum, count) => sum + count, 0);
}

const keysOfLabels = { _id: { $regex: "^t/large/" } } as object;
const pass = (now: () => Date) => forgetRemovedTenants({ ...world.system, now }, onAndOn);
const run = (...args: string[]) => runAdminHere(world.system, ["tenant", ...args]);
const storeOf = (id: string) => createStoreFinder(world.system.db, () => 0)(id, "main");
const tenantOf = (id: string) => createTenantFinder(world.system.records)(id);

test.serial("a dry run only reports what a removal would delete", async (t) => {
  // The other tenant is stored first, because a faulty deletion mostly hits the oldest documents.
  await makeTenant("stays");
  await makeTenant("gone");
  const { code, out } = await run("remove", "gone", "--dry-run", "--json");
  t.is(code, 0);
  t.like(JSON.parse(out), { command: "tenant remove", isDryRun: true, tenant: "gone", stores: 1, items: 0, labels: 1 });
  t.truthy(await tenantOf("gone"));
});

test.serial(
  "a tenant under removal is unknown to callers, and known again when the removal is cancelled",
  async (t) => {
    const { code, out } = await run("remove", "gone");
    t.is(code, 0);
    t.regex(out, /^Tenant gone is hidden from callers, with 1 stores, 0 items and 1 labels\./);
    t.deepEqual([await tenantOf("gone"), await storeOf("gone")], [undefined, undefined]);
    t.truthy(await storeOf("stays"));
    t.is((await run("restore", "gone")).code, 0);
    t.truthy(await tenantOf("gone"));
    t.truthy(await storeOf("gone"));
    const again = await run("restore", "gone");
    t.deepEqual([again.code, again.err], [1, 'Tenant "gone" is not being removed.\n']);
  },
);

test.serial("a tenant's data is deleted after its grace period, and no other tenant's", async (t) => {
  const begun = Date.now();
  t.is((await run("remove", "gone", "--grace-days", "7")).code, 0);
  const [before, others] = [await documentsOf("gone"), await documentsOf("stays")];
  t.is(before, others);
  t.true(before >= 7);

  t.is(await pass(() => new Date(begun + 7 * DAY_MS - 1)), 0);
  t.is(await documentsOf("gone"), before);
  const due = () => new Date(begun + 8 * DAY_MS);
  t.is(await pass(due), before - 1, "the tenant's own record stays until nothing else is found");
  t.is(await documentsOf("gone"), 1);
  await pass(due);
  t.deepEqual([await documentsOf("gone"), await documentsOf("stays")], [0, others]);
  t.is(await pass(due), 0);
});

test.serial("a removal works in batches, and continues in the next pass when its slice is over", async (t) => {
  const { commit, db } = world.system;
  const due = new Date(Date.now() - 1);
  for (const id of ["large", "next"]) {
    await makeTenant(id);
    await commit.change(
      tenants,
      [tenantKey(id)],
      (_, tenant) => tenant && { ...tenant, removal: { since: due, due } },
      "bulk",
    );
  }
  const many = Array.from({ length: 1_500 }, (_, index) => ({ _id: `${storeKey("large", "main")}/many/${index}` }));
  await db.collection<{ _id: string }>(labels.name).insertMany(many);
  const [before, next] = [await documentsOf("large"), await documentsOf("next")];
  const over = { ...onAndOn, goOn: async () => false };
  const deleted = await forgetRemovedTenants({ ...world.system, now: () => new Date() }, over);
  t.is(await db.collection(labels.name).countDocuments(keysOfLabels), 501, "a slice that is over ends after a batch");
  t.deepEqual([await documentsOf("large"), await documentsOf("next")], [before - deleted, next]);
  t.is(await pass(() => new Date()), before - deleted - 1 + next - 1);
});

test.serial("a removal whose grace period has ended cannot be cancelled", async (t) => {
  const due = new Date(Date.now() - 1);
  const { commit } = world.system;
  await commit.change(tenants, [tenantKey("late")], () => ({ name: "late", removal: { since: due, due } }), "bulk");
  const { code, err } = await run("restore", "late");
  t.is(code, 1);
  t.regex(err, /^The grace period of tenant "late" ended at .*: it is being deleted\.\n$/);
});

for (const [args, why] of [
  [["remove", "nobody"], /The tenant "nobody" does not exist/],
  [["restore", "nobody"], /The tenant "nobody" does not exist/],
  [["remove", "stays", "--grace-days", "0"], /--grace-days must be a number from 1 /],
] as const) {
  test.serial(`the command tenant ${args.join(" ")} is refused`, async (t) => {
    const { code, err } = await run(...args);
    t.is(code, 1);
    t.regex(err, why);
  });
}
