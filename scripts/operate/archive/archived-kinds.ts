import type { RecordKind } from "../../../records/kind.ts";
import { canvasDesigns, communicationPacks, designs } from "../../../records/kinds/designs.ts";
import { itemLinks, itemPages, items, schedules, sics } from "../../../records/kinds/items.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import { links, storeLinks } from "../../../records/kinds/links.ts";
import { labelTypes, models, stores, tenants } from "../../../records/kinds/tenants.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { ItemPages } from "../../../schemas/page-image.ts";

/** A kind of record. An archive contains all records of this kind that belong to the store, or to its tenant. */
export interface ArchivedKind {
  kind: RecordKind<unknown>;
  of: "tenant" | "store";
}

const kindOf =
  (of: ArchivedKind["of"]) =>
  (kind: RecordKind<never>): ArchivedKind => ({ kind: kind as RecordKind<unknown>, of });

/**
 * The contents of an archive, in order. Derived records are left out, since workers derive them again. The store's own record
 * comes last. Until an import has written it, callers do not know the store, and the import may be repeated.
 */
export const archivedKinds: readonly ArchivedKind[] = [
  ...[labelTypes, models, canvasDesigns, designs, communicationPacks, tenants].map(kindOf("tenant")),
  ...[items, sics, itemPages, labels, links, storeLinks, itemLinks, schedules, labelStates, stores].map(
    kindOf("store"),
  ),
];

/**
 * Returns a label's state as exported: with its history, battery and dates, but without what it shows and what is being sent to
 * it, which only the old installation's label server knows. So each label's pictures are sent to it once.
 */
export function withoutTransmissions(state: LabelState): LabelState {
  const { sending, sendDue, givenUp, woken, fault, refreshing, later, ...lasting } = state;
  return { ...lasting, wanted: [], shown: [], sent: [], tries: 0 };
}

/** Returns an item's page images as exported: with their pictures, but without uploads, which no archive contains. */
export function withoutUploads({ sources, ...pages }: ItemPages): ItemPages {
  return pages;
}
