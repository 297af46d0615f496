import type { System } from "../../../../queues/system.ts";
import { items } from "../../../../records/kinds/items.ts";
import { labels } from "../../../../records/kinds/labels.ts";
import { stores, tenants } from "../../../../records/kinds/tenants.ts";
import { tenantKey } from "../../../../schemas/keys.ts";
import type { Tenant } from "../../../../schemas/tenant.ts";
import { assertTenant, readTenant } from "../assert-tenant.ts";
import { command, countOf, Refusal } from "../command.ts";

const DAY_MS = 86_400_000;

export const tenantRemove = command({
  name: "tenant remove",
  arguments: ["TENANT"],
  means: "hide a tenant from callers immediately, and delete all its data after a grace period",
  options: { "grace-days": { takes: "DAYS", initial: "30", means: "how long the removal can be undone" } },
  async run({ arguments: [id = ""], options, isDryRun, open }) {
    const days = countOf("--grace-days", options["grace-days"]);
    const system = await open();
    // Requesting the removal again must not postpone the date by mistake.
    await assertTenant(system.records, id);
    const since = system.now();
    const due = new Date(since.getTime() + days * DAY_MS);
    const counts = await countOfTenant(system, id);
    if (!isDryRun) await change(system, id, (tenant) => ({ ...tenant, removal: { since, due } }));
    const whole = `${counts.stores} stores, ${counts.items} items and ${counts.labels} labels`;
    return {
      data: { tenant: id, due: due.toISOString(), ...counts },
      lines: [
        `Tenant ${id} ${isDryRun ? "would be" : "is"} hidden from callers, with ${whole}.`,
        `All its data ${isDryRun ? "would be" : "is"} deleted from ${due.toISOString()} on; until then: tenant restore ${id}`,
      ],
    };
  },
});

export const tenantRestore = command({
  name: "tenant restore",
  arguments: ["TENANT"],
  means: "undo the removal of a tenant before its grace period has ended",
  options: {},
  async run({ arguments: [id = ""], isDryRun, open }) {
    const system = await open();
    const { removal } = await readTenant(system.records, id);
    if (removal === undefined) throw new Refusal(`Tenant "${id}" is not being removed.`);
    if (removal.due <= system.now())
      throw new Refusal(
        `The grace period of tenant "${id}" ended at ${removal.due.toISOString()}: it is being deleted.`,
      );
    if (!isDryRun) await change(system, id, (tenant) => ({ ...tenant, removal: undefined }));
    return {
      data: { tenant: id },
      lines: [`Tenant ${id} ${isDryRun ? "would be" : "is"} available to callers again, with all its data.`],
    };
  },
});

const change = ({ commit }: System, id: string, decide: (tenant: Tenant) => Tenant) =>
  commit.change(tenants, [tenantKey(id)], (_, current) => current && decide(current), "interactive");

async function countOfTenant({ records }: System, id: string) {
  const prefix = `${tenantKey(id)}/`;
  const [ofStores, ofItems, ofLabels] = await Promise.all([
    records.count(stores, prefix),
    records.count(items, prefix),
    records.count(labels, prefix),
  ]);
  return { stores: ofStores, items: ofItems, labels: ofLabels };
}
