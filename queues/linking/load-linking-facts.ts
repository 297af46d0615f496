import type { KnownDesigns } from "../../domain/linking/check-named-designs.ts";
import type { LinkingFacts } from "../../domain/linking/plan-label-rows.ts";
import { designs as designKind } from "../../records/kinds/designs.ts";
import { items, sics } from "../../records/kinds/items.ts";
import { labels } from "../../records/kinds/labels.ts";
import { links } from "../../records/kinds/links.ts";
import { labelTypes, models, stores } from "../../records/kinds/tenants.ts";
import type { SchemeOf } from "../../records/linking/barcode-schemes.ts";
import { type Records, readAll } from "../../records/records.ts";
import { exists } from "../../schemas/item.ts";
import { designKey, idOf, itemKey, labelKey, linkIdOf, linkKey, sicKey, tenantOf } from "../../schemas/keys.ts";
import type { Label, LabelPatch } from "../../schemas/label.ts";
import type { LinkDesign } from "../../schemas/link.ts";
import type { Stored } from "../../schemas/record.ts";
import type { StampedRow } from "../requests/stamped-rows.ts";

/** The facts, and the label records from which they were read. */
export interface LoadedLinkingFacts extends LinkingFacts {
  labelRecords: ReadonlyMap<string, Stored<Label>>;
}

/** Reads the facts about the store that these rows need, with a few reads for all rows together. */
export async function loadLinkingFacts(
  records: Records,
  schemeOf: SchemeOf,
  store: string,
  rows: readonly StampedRow<LabelPatch>[],
): Promise<LoadedLinkingFacts> {
  const tenant = tenantOf(store);
  const codes = rows.flatMap(({ row }) => (row.links ?? []).map((link) => link.linkedItemId || link.itemId || ""));
  const named = rows.flatMap(({ row }) => (row.links ?? []).flatMap(({ design }) => design ?? []));
  const [readType, storeRecords, types, known, present, itemOf, designs, repeated] = await Promise.all([
    schemeOf(store),
    records.read(stores, [store]),
    readAll(records, labelTypes, `${tenant}/labeltypes/`),
    readAll(records, models, `${tenant}/models/`),
    records.read(
      labels,
      rows.map(({ row }) => labelKey(store, row.barcode)),
    ),
    resolveCodes(records, store, codes),
    readDesigns(records, tenant, named),
    records.readFields(links, repeatableLinks(store, rows), ["itemId", "linkedItemId", "status"]),
  ]);
  const remodeled = rows.filter(({ row }) => row.modelName && present.has(labelKey(store, row.barcode)));
  return {
    readType,
    store: storeRecords.get(store) ?? { linkDepartments: [] },
    labelTypes: new Map(types.map((type) => [type.type, type])),
    models: known,
    labels: new Map([...present.values()].map((label) => [label.barcode, label])),
    labelRecords: present,
    occupied: await readOccupied(
      records,
      store,
      remodeled.map(({ row }) => row.barcode),
      Math.max(1, ...known.map((model) => model.linkPositions)),
    ),
    designs,
    itemOf,
    links: new Map([...repeated].map(([key, link]) => [idOf(key), link])),
  };
}

/** Returns the keys of the links that rows name with both an item and a different code, as responses do if a SIC was used. */
const repeatableLinks = (store: string, rows: readonly StampedRow<LabelPatch>[]): string[] =>
  rows.flatMap(({ row: { barcode, links: named } }) =>
    (named ?? [])
      .filter(({ itemId, linkedItemId }) => itemId && linkedItemId && itemId !== linkedItemId)
      .map(({ displayPosition }) => linkKey(store, linkIdOf(barcode, displayPosition ?? 0))),
  );

/**
 * Reads the designs that links name, or all of the tenant's designs if a link names only a canvas. Reads nothing if no link names
 * a design or a canvas.
 */
export async function readDesigns(
  records: Records,
  tenant: string,
  named: readonly Partial<LinkDesign>[],
): Promise<KnownDesigns> {
  if (named.some(({ origin, designId }) => origin === "designer" && designId === undefined)) {
    const all = await readAll(records, designKind, designKey(tenant, ""));
    return new Map(all.map((design) => [design._id, design]));
  }
  const keys = named.flatMap(({ origin, designId, forced_design_id }) => [
    ...(forced_design_id === undefined ? [] : [forced_design_id]),
    ...(origin === "designer" && designId !== undefined ? [designId] : []),
  ]);
  return records.read(designKind, keys);
}

/** Finds the item to which each code refers: by item id first, then by SIC. */
export async function resolveCodes(
  records: Records,
  store: string,
  codes: readonly string[],
): Promise<(code: string) => string | undefined> {
  const present = async (itemIds: readonly string[]) => {
    const keys = itemIds.map((itemId) => itemKey(store, itemId));
    const found = await records.readFields(items, keys, ["itemId", "deleted"]);
    return new Set([...found.values()].filter(exists).map(({ itemId }) => itemId));
  };
  const byId = await present(codes);
  const unresolved = codes.filter((code) => !byId.has(code));
  const assignments = await records.read(
    sics,
    unresolved.map((code) => sicKey(store, code)),
  );
  const ownerOf = (code: string) => itemKey(store, assignments.get(sicKey(store, code))?.itemId ?? "");
  const owners = await records.readFields(items, unresolved.map(ownerOf), ["itemId", "sics"]);
  return (code) => {
    if (byId.has(code)) return code;
    // An assignment counts only while its item lists the code: assignments of removed codes, or from a killed worker, may
    // remain.
    const owner = owners.get(ownerOf(code));
    return owner?.sics.includes(code) ? owner.itemId : undefined;
  };
}

/** Reads the positions that have an active link, by barcode. */
async function readOccupied(records: Records, store: string, barcodes: readonly string[], positions: number) {
  const keys = barcodes.flatMap((barcode) =>
    Array.from({ length: positions }, (_, position) => linkKey(store, linkIdOf(barcode, position))),
  );
  const active = [...(await records.read(links, keys)).values()].filter(({ status }) => status === "ACTIVE");
  const byLabel = Map.groupBy(active, ({ eslId }) => eslId);
  return new Map(
    [...byLabel].map(([barcode, group]) => [barcode, group.map(({ displayPosition }) => displayPosition)]),
  );
}
