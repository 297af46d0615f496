import { randomUUID } from "node:crypto";
import type { RecordKind } from "../../records/kind.ts";
import { eslImages } from "../../records/kinds/esl-image.ts";
import { items } from "../../records/kinds/item.ts";
import { itemLinks } from "../../records/kinds/item-links.ts";
import { labels } from "../../records/kinds/label.ts";
import { labelStates } from "../../records/kinds/label-state.ts";
import { links } from "../../records/kinds/link.ts";
import type { Records } from "../../records/records.ts";
import { inBatches } from "../../schemas/batches.ts";
import { itemKey, labelKey, linkIdOf, linkKey } from "../../schemas/keys.ts";
import type { Label } from "../../schemas/label.ts";
import { type LabelState, newLabelState } from "../../schemas/label-state.ts";
import type { Link } from "../../schemas/link.ts";

/** A label and the records that it shall have. */
export interface HungLabel {
  barcode: string;
  own?: Partial<Label>;
  /** Absent where the label server was never called for the label and never reported it. */
  state?: Partial<LabelState> | undefined;
  links?: readonly (Pick<Link, "itemId"> & Partial<Link>)[];
  /** Whether its wanted picture was made from the present state of its links. */
  isDrawn?: boolean;
}

const RECORDS_PER_WRITE = 5_000;

/**
 * Writes labels directly into the records of a store, with their states, links, items and pictures, where the pipeline
 * would take too long. Written without publishing: no topic announces these changes.
 */
export async function hangLabels(records: Records, store: string, hung: readonly HungLabel[]): Promise<void> {
  const at = new Date();
  /** Gives the keys that existed already. */
  async function write<Body>(kind: RecordKind<Body>, bodies: readonly (readonly [string, Body])[]): Promise<string[]> {
    const lost: string[] = [];
    for (const batch of inBatches(bodies, RECORDS_PER_WRITE)) {
      const proposals = batch.map(([key, body]) => ({ key, current: undefined, body }));
      lost.push(...(await records.compareAndSet(kind, proposals, { writeId: randomUUID(), at })).lost);
    }
    return lost;
  }
  const linked = hung.flatMap((label) => linksOf(label, at));
  const byItem = Map.groupBy(linked, ({ itemId }) => itemId);
  const keyOf = ({ barcode }: HungLabel) => labelKey(store, barcode);
  const [taken] = await write(
    labels,
    hung.map((label) => [keyOf(label), ownOf(label)] as const),
  );
  if (taken) throw new Error(`${taken} is there already`);
  await write(
    items,
    [...byItem.keys()].map(
      (itemId) => [itemKey(store, itemId), { itemId, sics: [], properties: [], stamps: {}, created: 1 }] as const,
    ),
  );
  const itemRevs = await records.readRevs(
    items,
    [...byItem.keys()].map((itemId) => itemKey(store, itemId)),
  );
  await write(
    itemLinks,
    [...byItem].map(([itemId, group]) => [itemKey(store, itemId), { links: group.map(entryOf) }] as const),
  );
  await write(
    links,
    linked.map((link) => [linkKey(store, entryOf(link).id), link] as const),
  );
  const shownOf = (label: HungLabel) =>
    linksOf(label, at)
      .filter(({ status }) => status === "ACTIVE")
      .map((link) => {
        const item = itemKey(store, link.itemId);
        return {
          link: linkKey(store, entryOf(link).id),
          linkRev: at.getTime(),
          item,
          itemRev: itemRevs.get(item) ?? 0,
        };
      });
  await write(
    eslImages,
    hung
      .filter(({ isDrawn }) => isDrawn)
      .map((label) => [keyOf(label), { pages: label.state?.wanted ?? [], shows: shownOf(label) }] as const),
  );
  await write(
    labelStates,
    hung.flatMap((label) => (label.state ? [[keyOf(label), { ...newLabelState(), ...label.state }] as const] : [])),
  );
}

const ownOf = ({ barcode, own }: HungLabel): Label => ({
  barcode,
  type: Number(barcode.slice(-5, -1)) || 0,
  modelName: "Medium",
  stamps: {},
  ...own,
});

const linksOf = ({ barcode, links = [] }: HungLabel, at: Date): Link[] =>
  links.map((link, displayPosition) => ({
    eslId: barcode,
    displayPosition,
    linkedItemId: link.itemId,
    status: "ACTIVE",
    origin: "studio",
    linkedAt: at,
    stamp: 1,
    ...link,
  }));

const entryOf = ({ eslId, displayPosition, stamp }: Link) => ({ id: linkIdOf(eslId, displayPosition), stamp });
