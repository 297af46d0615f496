import { randomUUID } from "node:crypto";
import { choiceStages } from "../../api/management/integrity/changed-since.ts";
import { auditKey } from "../../queues/changes/audit-key.ts";
import type { QueueName } from "../../queues/topology.ts";
import type { RecordKind } from "../../records/kind.ts";
import { itemLinks, items } from "../../records/kinds/items.ts";
import { labelStates, labels } from "../../records/kinds/labels.ts";
import { links } from "../../records/kinds/links.ts";
import { eslImages } from "../../records/kinds/pictures.ts";
import { walks } from "../../records/kinds/work.ts";
import type { Records } from "../../records/records.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import { itemKey, labelKey, linkIdOf, linkKey, tenantOf } from "../../schemas/keys.ts";
import type { Label } from "../../schemas/label.ts";
import { type LabelState, newLabelState } from "../../schemas/label-state.ts";
import type { Link } from "../../schemas/link.ts";

/** A label and the records that it should have. */
export interface HungLabel {
  barcode: string;
  own?: Partial<Label>;
  /** Absent if the label server was never called for the label and never reported it. */
  state?: Partial<LabelState> | undefined;
  links?: readonly (Pick<Link, "itemId"> & Partial<Link>)[];
  /** Whether the label's requested picture was made from the current state of its links. */
  isDrawn?: boolean;
}

const RECORDS_PER_WRITE = 5_000;

/**
 * Writes labels directly into the records of a store, with their states, links, items and pictures, because the pipeline would
 * take too long. Written without publishing: no topic announces these changes.
 */
export async function hangLabels(records: Records, store: string, hung: readonly HungLabel[]): Promise<void> {
  const at = new Date();
  /** Creates records. Returns the keys that already existed. */
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

/** Records, as an audit would, that all labels of the store's tenant that were linked before `provenAt` are correct. */
export async function proveLabels(
  records: Records,
  store: string,
  provenAt: Date,
  queues: readonly QueueName[] = choiceStages,
): Promise<void> {
  const tenant = tenantOf(store);
  const keyOf = (queue: QueueName) => auditKey(queue, tenant);
  const present = await records.read(walks, queues.map(keyOf));
  const proposals = queues.map((queue) => {
    const current = present.get(keyOf(queue));
    const begun = { queue, scope: `${tenant}/`, reason: "hung", epoch: 1, startedAt: provenAt, finishedAt: provenAt };
    const unwalked = { ...begun, stage: 0, checked: 0, stale: 0, holder: "", heldUntil: provenAt };
    return { key: keyOf(queue), current, body: { ...(current ?? unwalked), provenAt } };
  });
  const { lost } = await records.compareAndSet(walks, proposals, { writeId: randomUUID(), at: new Date() });
  if (lost.length > 0) throw new Error(`an audit is under way: ${lost.join(", ")}`);
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
