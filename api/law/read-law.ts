import { LRUCache } from "lru-cache";
import type { Db } from "mongodb";
import { designFindings, isPerishable, itemFindings, storeFindings } from "../../domain/law/law-findings.ts";
import { namedDesigns } from "../../queues/derivations/packs/known-packs.ts";
import { canvasDesigns, communicationPacks, designs } from "../../records/kinds/designs.ts";
import { items } from "../../records/kinds/items.ts";
import { stores, tenants } from "../../records/kinds/tenants.ts";
import { listRecords } from "../../records/list-records.ts";
import type { Records } from "../../records/records.ts";
import type { LawCounts } from "../../schemas/integrity.ts";
import type { Item } from "../../schemas/item.ts";
import { idOf, itemKey, storeKey, tenantIdOf, tenantOf } from "../../schemas/keys.ts";
import type { LawFinding, LawFindings } from "../../schemas/law.ts";
import type { StoreRecord } from "../../schemas/store.ts";
import type { ReadItemProperties } from "../management/item-properties.ts";

export interface LawWorld {
  db: Db;
  records: Records;
  readItemProperties: ReadItemProperties;
  now(): Date;
  /** Milliseconds of a monotonic clock. */
  clock(): number;
}

/** Reads findings under the law of a store's country; see `readPage` and `count`. */
export type ReadLaw = ReturnType<typeof createReadLaw>;

type StoreLaw = Pick<StoreRecord, "country" | "communicationPack" | "parameters" | "priorPrice">;

const FIELDS = ["country", "communicationPack", "parameters", "priorPrice"] as const;
const ITEM_FIELDS = ["itemId", "price", "properties", "charged"];
/** A report counts the findings of at most this many items. */
export const MAX_COUNTED = 20_000;

export const dateOf = (time: Date): string => time.toISOString().slice(0, 10);

/** Counts are cached because pages request them again and again, and each count reads all items. */
const [CACHE_TTL_MS, MAX_CACHED] = [60_000, 1_000];

export function createReadLaw({ db, records, readItemProperties, now, clock }: LawWorld) {
  const counted = new LRUCache<string, { counts: LawCounts; at: number }>({ max: MAX_CACHED });

  /** Returns findings about the designs that the store's pack names, and about the store itself. */
  async function ofDesigns(store: string, country: string, settings: StoreLaw): Promise<LawFinding[]> {
    const law = { country, date: dateOf(now()) };
    const tenant = tenantOf(store);
    const active = (await records.readFields(tenants, [tenant], ["communicationPack"])).get(tenant)?.communicationPack;
    const packKeys = [settings.communicationPack ?? active ?? []].flat();
    const packs = await records.readFields(communicationPacks, packKeys, ["scenarios"]);
    const designKeys = [...packs.values()].flatMap(({ scenarios }) => namedDesigns(scenarios));
    const named = await records.readFields(designs, designKeys, ["canvasId"]);
    const canvasKeys = [...new Set([...named.values()].map(({ canvasId }) => canvasId))].sort();
    const itemKeys = new Set((await readItemProperties(tenant)).properties.map(({ name }) => name));
    const found = storeFindings(law, idOf(store), settings);
    for await (const canvases of records.readInParts(canvasDesigns, canvasKeys))
      for (const canvas of canvases.filter(({ deleted }) => deleted !== true))
        found.push(...designFindings(law, { id: idOf(canvas._id), canvas }, { itemKeys }));
    return found;
  }

  const ofItems = (country: string, settings: StoreLaw, batch: readonly Item[]): LawFinding[] =>
    batch.flatMap((item) => itemFindings({ country, date: dateOf(now()) }, item, isPerishable(settings, item)));

  const listItems = (store: string, limit: number, after?: string) =>
    listRecords(db, items, {
      prefix: itemKey(store, ""),
      filter: { deleted: { $exists: false } },
      fields: ITEM_FIELDS,
      limit,
      ...(after !== undefined && { after: itemKey(store, after) }),
    });

  const read = async (store: string): Promise<StoreLaw> =>
    (await records.readFields(stores, [store], FIELDS)).get(store) ?? {};

  return {
    /** Returns one page: findings about up to `limit` items; the first page begins with findings about designs. */
    async readPage(
      store: string,
      { after, limit }: { after?: string | undefined; limit: number },
    ): Promise<LawFindings> {
      const settings = await read(store);
      const { country } = settings;
      if (country === undefined) return { country: null, findings: [], itemsRead: 0, next: null };
      const findings = after === undefined ? await ofDesigns(store, country, settings) : [];
      const batches = (await Array.fromAsync(listItems(store, limit, after))).flat();
      findings.push(...ofItems(country, settings, batches));
      const next = batches.length < limit ? undefined : batches.at(-1)?.itemId;
      return { country, findings, itemsRead: batches.length, next: next ?? null };
    },

    /**
     * Returns a store's counts of breaches and warnings, at most a minute old; null if the store names no country.
     * `isCut` says whether the store may have more items than were checked.
     */
    async count(store: string): Promise<LawCounts | null> {
      const settings = await read(store);
      const { country } = settings;
      if (country === undefined) return null;
      const known = counted.get(store);
      if (known?.counts.country === country && clock() - known.at < CACHE_TTL_MS) return known.counts;
      const counts = { country, breaches: 0, warnings: 0, isCut: false };
      const add = (findings: readonly LawFinding[]) => {
        for (const { level } of findings) counts[level === "breach" ? "breaches" : "warnings"] += 1;
      };
      add(await ofDesigns(store, country, settings));
      let itemsRead = 0;
      for await (const batch of listItems(store, MAX_COUNTED)) {
        add(ofItems(country, settings, batch));
        itemsRead += batch.length;
      }
      counts.isCut = itemsRead === MAX_COUNTED;
      counted.set(store, { counts, at: clock() });
      return counts;
    },
  };
}

/** Returns the countries that a tenant's stores name, sorted. */
export async function readCountries(records: Pick<Records, "scanFields">, tenant: string): Promise<string[]> {
  const found = new Set<string>();
  for await (const batch of records.scanFields(stores, storeKey(tenantIdOf(tenant), ""), ["country"]))
    for (const { country } of batch) if (country !== undefined) found.add(country);
  return [...found].sort();
}
