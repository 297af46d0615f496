import type { Surroundings } from "../../drawing/links/surroundings.ts";
import type { RecordKind } from "../../records/kind.ts";
import { items } from "../../records/kinds/items.ts";
import { labels } from "../../records/kinds/labels.ts";
import { drawnFields, drawnTypeFields, labelTypes, stores } from "../../records/kinds/tenants.ts";
import { placesOf } from "../../records/linking/places.ts";
import type { LinkProjection } from "../../schemas/design.ts";
import type { Shown } from "../../schemas/image.ts";
import { exists, type Item } from "../../schemas/item.ts";
import { itemNamedBy, labelOfLink, labelTypeKey, ownerOf, tenantOf } from "../../schemas/keys.ts";
import type { Label } from "../../schemas/label.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Store } from "../../schemas/store.ts";
import { type Source, sourceOf, valuesOf } from "../changes/derivation.ts";

/** The facts of a picture, and the contents that its record lists. */
export type WithShown<Facts> = Facts & { shows: Shown };

/** A link with its surroundings, and the records from which the surroundings were read. */
export interface Surrounded<Link extends LinkProjection> extends WithShown<Surroundings> {
  link: Stored<Link>;
  sources: readonly Source[];
}

/** The kinds from which surroundings are read. */
export const surroundingKinds = [items, labels, labelTypes, stores] as const;

/** The records that surround links, by key. */
interface Neighbours {
  items: ReadonlyMap<string, Stored<Item>>;
  labels: ReadonlyMap<string, Stored<Label>>;
  labelTypes: ReadonlyMap<string, Stored<LabelType>>;
  stores: ReadonlyMap<string, Stored<Store>>;
}

const labelOf = (link: string): string => labelOfLink(link).label;
const typeOf = (link: string, found: Neighbours["labels"]): string =>
  labelTypeKey(tenantOf(link), found.get(labelOf(link))?.type ?? 0);

/** The reads of the labels and stores that the links' keys name. */
export const placesOfLinks = (linkKeys: readonly string[]) => placesOf(linkKeys.map(labelOf));

/** The reads of the links' items and label types, once their labels are read. */
export const partsOf = (links: readonly Stored<LinkProjection>[], found: Neighbours["labels"]) =>
  [
    { kind: items, keys: links.map(itemNamedBy) },
    { kind: labelTypes, keys: links.map(({ _id }) => typeOf(_id, found)) },
  ] as const;

/** Combines links with their surroundings. A link without a label type or store is left out. */
export function surround<Link extends LinkProjection>(
  kind: RecordKind<Link>,
  links: readonly Stored<Link>[],
  neighbours: Neighbours,
): Surrounded<Link>[] {
  return links.flatMap((link) => {
    const labelType = neighbours.labelTypes.get(typeOf(link._id, neighbours.labels));
    const store = neighbours.stores.get(ownerOf(link._id));
    if (labelType === undefined || store === undefined) return [];
    const item = neighbours.items.get(itemNamedBy(link));
    const label = labelOf(link._id);
    const background = [
      sourceOf(kind, link._id, link),
      sourceOf(labels, label, neighbours.labels.get(label)),
      valuesOf(labelTypes, labelType._id, labelType, drawnTypeFields),
    ];
    // An inactive link shows only the background, so its picture does not depend on the item or the store.
    const drawn = [sourceOf(items, itemNamedBy(link), item), valuesOf(stores, store._id, store, drawnFields)];
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
          item: itemNamedBy(link),
          itemRev: item?.rev ?? 0,
          ...(item?.price !== undefined && exists(item) && { price: item.price }),
          ...(link.status === "ACTIVE" && { otherRev: Math.max(labelType.rev, store.rev) }),
        },
        sources: link.status === "ACTIVE" ? [...background, ...drawn] : background,
      },
    ];
  });
}
