import type { Surroundings } from "../../drawing/links/surroundings.ts";
import type { RecordKind } from "../../records/kind.ts";
import { items } from "../../records/kinds/items.ts";
import { labels } from "../../records/kinds/labels.ts";
import { drawnFields, labelTypes, stores } from "../../records/kinds/tenants.ts";
import type { Records } from "../../records/records.ts";
import type { LinkProjection } from "../../schemas/design.ts";
import type { Shown } from "../../schemas/image.ts";
import { exists } from "../../schemas/item.ts";
import { itemKey, labelOfLink, labelTypeKey, ownerOf, tenantOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import { type Source, sourceOf, valuesOf } from "../changes/derive.ts";

/** The facts of a picture, and what its record says that it shows. */
export type WithShown<Facts> = Facts & { shows: Shown };

/** A link with its surroundings, and the records from which they were read. */
export interface Surrounded<Link extends LinkProjection> extends WithShown<Surroundings> {
  link: Stored<Link>;
  sources: readonly Source[];
}

/** The kinds from which surroundings are read. */
export const surroundingKinds = [items, labels, labelTypes, stores] as const;

/**
 * Loads the surroundings of these projections of links, with one read for each kind of record. A link without a label
 * type or store is left out.
 */
export async function loadSurroundings<Link extends LinkProjection>(
  records: Records,
  kind: RecordKind<Link>,
  links: readonly Stored<Link>[],
): Promise<Surrounded<Link>[]> {
  const itemOf = (link: Stored<Link>): string => itemKey(ownerOf(link._id), link.itemId);
  const labelOf = (link: Stored<Link>): string => labelOfLink(link._id).label;
  const [itemRecords, labelRecords, storeRecords] = await Promise.all([
    records.read(items, links.map(itemOf)),
    records.read(labels, links.map(labelOf)),
    records.read(
      stores,
      links.map(({ _id }) => ownerOf(_id)),
    ),
  ]);
  const typeOf = (link: Stored<Link>) => labelTypeKey(tenantOf(link._id), labelRecords.get(labelOf(link))?.type ?? 0);
  const typeRecords = await records.read(labelTypes, links.map(typeOf));

  return links.flatMap((link) => {
    const labelType = typeRecords.get(typeOf(link));
    const store = storeRecords.get(ownerOf(link._id));
    if (labelType === undefined || store === undefined) return [];
    const item = itemRecords.get(itemOf(link));
    const background = [
      sourceOf(kind, link._id, link),
      sourceOf(labels, labelOf(link), labelRecords.get(labelOf(link))),
      sourceOf(labelTypes, labelType._id, labelType),
    ];
    // An inactive link shows only the background, so its picture does not depend on the item or the store.
    const drawn = [sourceOf(items, itemOf(link), item), valuesOf(stores, store._id, store, drawnFields)];
    return [
      {
        link,
        displayPosition: labelOfLink(link._id).displayPosition,
        item: item && exists(item) ? item : undefined,
        labelType,
        store,
        shows: {
          link: link._id,
          linkRev: link.linkRev,
          item: itemOf(link),
          itemRev: item?.rev ?? 0,
          ...(item?.price !== undefined && exists(item) && { price: item.price }),
          ...(link.status === "ACTIVE" && { otherRev: Math.max(labelType.rev, store.rev) }),
        },
        sources: link.status === "ACTIVE" ? [...background, ...drawn] : background,
      },
    ];
  });
}
