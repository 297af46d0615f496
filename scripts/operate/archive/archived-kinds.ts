import type { RecordKind } from "../../../records/kind.ts";
import { canvasDesigns } from "../../../records/kinds/canvas-design.ts";
import { communicationPacks } from "../../../records/kinds/communication-pack.ts";
import { designs } from "../../../records/kinds/design.ts";
import { items } from "../../../records/kinds/item.ts";
import { itemLinks } from "../../../records/kinds/item-links.ts";
import { itemPages } from "../../../records/kinds/item-pages.ts";
import { labels } from "../../../records/kinds/label.ts";
import { labelStates } from "../../../records/kinds/label-state.ts";
import { labelTypes } from "../../../records/kinds/label-type.ts";
import { links } from "../../../records/kinds/link.ts";
import { models } from "../../../records/kinds/model.ts";
import { schedules } from "../../../records/kinds/schedule.ts";
import { sics } from "../../../records/kinds/sic.ts";
import { stores } from "../../../records/kinds/store.ts";
import { storeLinks } from "../../../records/kinds/store-link.ts";
import { tenants } from "../../../records/kinds/tenant.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { ItemPages } from "../../../schemas/page-image.ts";

/** A kind of records of which an archive has all those of the store, or of its tenant. */
export interface ArchivedKind {
  kind: RecordKind<unknown>;
  of: "tenant" | "store";
}

const kindOf =
  (of: ArchivedKind["of"]) =>
  (kind: RecordKind<never>): ArchivedKind => ({ kind: kind as RecordKind<unknown>, of });

/**
 * What an archive holds, in its order. Derived records are made again by the workers. The store's own record is the last:
 * until an import has written it, the store is unknown to callers, and the import may be repeated.
 */
export const archivedKinds: readonly ArchivedKind[] = [
  ...[labelTypes, models, canvasDesigns, designs, communicationPacks, tenants].map(kindOf("tenant")),
  ...[items, sics, itemPages, labels, links, storeLinks, itemLinks, schedules, labelStates, stores].map(
    kindOf("store"),
  ),
];

/**
 * A label's state as it is exported: with its history, its battery and its dates, and without what it shows and what is
 * on its way to it, which only the old installation's label server knows. So each label is sent its pictures once.
 */
export function withoutTransmissions(state: LabelState): LabelState {
  const { sending, sendDue, givenUp, woken, fault, refreshing, ...lasting } = state;
  return { ...lasting, wanted: [], shown: [], sent: [], tries: 0 };
}

/** An item's page images as they are exported: their pictures, and no uploads, which no archive holds. */
export function withoutUploads({ sources, ...pages }: ItemPages): ItemPages {
  return pages;
}
