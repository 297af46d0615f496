import { auditKey } from "../../../queues/changes/audit-key.ts";
import { communicationPacks } from "../../../records/kinds/designs.ts";
import { storeLinks } from "../../../records/kinds/links.ts";
import { stores, tenants } from "../../../records/kinds/tenants.ts";
import { walks } from "../../../records/kinds/work.ts";
import type { Records } from "../../../records/records.ts";
import { CLOCKS_APART_MS } from "../../../schemas/clocks.ts";
import { itemKey, tenantOf } from "../../../schemas/keys.ts";
import type { ComparedLabel } from "./compare-label.ts";

/** The changes that determine which labels' design choices must be examined. Revs are times in milliseconds. */
export interface ChangedSince {
  /** Audits have confirmed every picture of the tenant that was made from revs older than this. */
  provenRev: number;
  /** The newest rev of the records that affect all links of a tenant. */
  tenantRev: number;
  /** Items whose store-level link is newer than `provenRev`. */
  storeLinks: ReadonlySet<string>;
}

/** The stages through which a choice reaches the glass, and which an audit verifies. */
export const choiceStages = ["evaluator", "link", "renderer", "merger"] as const;

/**
 * Reads what determines whether a design choice for a store's label may be out of date: four small reads and a scan of the
 * store's store-level links.
 */
export async function readChangedSince(records: Records, store: string, newestDesign: number): Promise<ChangedSince> {
  const tenant = tenantOf(store);
  const [audits, owners, ownStore] = await Promise.all([
    records.readFields(
      walks,
      choiceStages.map((stage) => auditKey(stage, tenant)),
      ["provenAt"],
    ),
    records.readFields(tenants, [tenant], ["communicationPack"]),
    records.readFields(stores, [store], ["communicationPack"]),
  ]);
  const owner = owners.get(tenant);
  const chosen = [owner?.communicationPack ?? [], ownStore.get(store)?.communicationPack ?? []].flat();
  const packs = await records.readRevs(communicationPacks, chosen);
  const proven = choiceStages.map((stage) => audits.get(auditKey(stage, tenant))?.provenAt?.getTime() ?? 0);
  // If clocks differ, a record may have been written after an audit started and still have an older rev.
  const provenRev = Math.min(...proven) - CLOCKS_APART_MS;
  const changed = new Set<string>();
  for await (const batch of records.scanFields(storeLinks, itemKey(store, ""), []))
    for (const { _id, rev } of batch) if (rev > provenRev) changed.add(_id);
  return {
    provenRev,
    tenantRev: Math.max(owner?.rev ?? 0, ownStore.get(store)?.rev ?? 0, newestDesign, ...packs.values()),
    storeLinks: changed,
  };
}

/**
 * Whether a label's picture may lack a newer design choice although it otherwise shows the newest revs. An unchanged choice is
 * not written (docs/rules.md#the-eleven-rules, 9), so no record shows from which revs it was made, but audits have verified
 * choices from older revs.
 */
export const mayHaveOtherChoice = (
  { image }: Pick<ComparedLabel, "image">,
  { provenRev, tenantRev, storeLinks }: ChangedSince,
): boolean =>
  (image?.shows ?? []).some(
    ({ linkRev, item, itemRev }) => Math.max(linkRev, itemRev, tenantRev) > provenRev || storeLinks.has(item),
  );
