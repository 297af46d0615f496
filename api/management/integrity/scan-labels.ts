import type { RecordKind } from "../../../records/kind.ts";
import { canvasDesigns } from "../../../records/kinds/canvas-design.ts";
import { designs } from "../../../records/kinds/design.ts";
import { eslImages } from "../../../records/kinds/esl-image.ts";
import { items } from "../../../records/kinds/item.ts";
import { itemPages } from "../../../records/kinds/item-pages.ts";
import { labels } from "../../../records/kinds/label.ts";
import { labelStates } from "../../../records/kinds/label-state.ts";
import { links } from "../../../records/kinds/link.ts";
import type { Records } from "../../../records/records.ts";
import type { Shown } from "../../../schemas/image.ts";
import { labelKey, linkKey, tenantOf } from "../../../schemas/keys.ts";
import { mayHaveOtherChoice, readChangedSince } from "./changed-since.ts";
import { type ComparedLabel, mayBeBehind } from "./compare-label.ts";

/** A batch of labels that were compared. */
interface Scanned {
  /** How many labels were compared. */
  labels: number;
  /** Keys of those that may be behind. */
  suspects: string[];
  /** The links that the pictures of the others show, where no audit has proven their choice of a design yet. */
  unproven: Shown[];
}

/** Revs of a kind that are held at most. */
const MAX_REVS = 50_000;

/**
 * Compares every label of a store with the revs of its items, links and designs: what pictures are made from is read beside
 * them in the same order, batch by batch, so that the memory does not grow with the store. The next batches are read
 * while one is compared.
 */
export async function* scanLabels(records: Records, store: string): AsyncGenerator<Scanned> {
  const { newest, revs: designRevs } = await readDesignRevs(records, tenantOf(store));
  const since = await readChangedSince(records, store, newest);
  const [prefix, linkPrefix] = [labelKey(store, ""), linkKey(store, "")];
  const [images, states, linked] = [
    createReader(records.scanFields(eslImages, prefix, ["pages", "shows", "fault"])),
    createReader(records.scanFields(labelStates, prefix, ["wanted", "shown", "sendDue"])),
    createReader(records.scanFields(links, linkPrefix, ["status"])),
  ];
  const [itemRevs, pagesRevs] = [rememberRevs(records, items), rememberRevs(records, itemPages)];
  // By barcode. Of labels whose barcodes sort otherwise than their links, some were read earlier.
  const linksOf = new Map<string, ComparedLabel["links"][number][]>();
  try {
    for await (const keys of readAhead(records.scanKeys(labels, prefix))) {
      const last = keys.at(-1) ?? "";
      const barcodes = keys.map((key) => key.slice(prefix.length));
      const [imageRecords, stateRecords, linkRecords] = await Promise.all([
        images.takeThrough(last),
        states.takeThrough(last),
        linked.takeThrough(linkPrefix + lastLinkOf(barcodes)),
      ]);
      for (const link of linkRecords) {
        const barcode = link._id.slice(linkPrefix.length, link._id.lastIndexOf("-"));
        const others = linksOf.get(barcode);
        if (others) others.push(link);
        else linksOf.set(barcode, [link]);
      }
      const imageOf = new Map(imageRecords.map((image) => [image._id, image]));
      const stateOf = new Map(stateRecords.map((state) => [state._id, state]));
      const itemKeys = [...new Set(imageRecords.flatMap(({ shows }) => shows.map(({ item }) => item)))];
      const [items, pages] = await Promise.all([itemRevs(itemKeys), pagesRevs(itemKeys)]);
      const present = { items, pages, designs: designRevs };
      const suspects: string[] = [];
      const unproven: Shown[] = [];
      for (const [index, key] of keys.entries()) {
        const barcode = barcodes[index] ?? "";
        const compared = { image: imageOf.get(key), state: stateOf.get(key), links: linksOf.get(barcode) ?? [] };
        linksOf.delete(barcode);
        if (mayBeBehind(compared, present)) suspects.push(key);
        else if (mayHaveOtherChoice(compared, since)) unproven.push(...(compared.image?.shows ?? []));
      }
      yield { labels: keys.length, suspects, unproven };
    }
  } finally {
    await Promise.all([images.close(), states.close(), linked.close()]);
  }
}

/** The last of these barcodes' links ends before this: positions are numbers, and the colon follows the digits. */
const lastLinkOf = (barcodes: readonly string[]): string =>
  barcodes
    .map((barcode) => `${barcode}-:`)
    .toSorted()
    .at(-1) ?? "";

/** The revs of a tenant's designs with their canvases, and the newest rev of a design itself, which decides about choices. */
async function readDesignRevs(
  records: Records,
  tenant: string,
): Promise<{ newest: number; revs: Map<string, number> }> {
  const canvases = new Map<string, number>();
  for await (const batch of records.scanFields(canvasDesigns, `${tenant}/canvasdesigns/`, []))
    for (const { _id, rev } of batch) canvases.set(_id, rev);
  const revs = new Map<string, number>();
  let newest = 0;
  for await (const batch of records.scanFields(designs, `${tenant}/designs/`, ["canvasId"]))
    for (const { _id, rev, canvasId } of batch) {
      revs.set(_id, Math.max(rev, canvases.get(canvasId) ?? 0));
      newest = Math.max(newest, rev);
    }
  return { newest, revs };
}

/**
 * Present revs, each read once: many labels show one item. Where an item changes after its rev was read, a picture of the
 * newer one counts as different and is looked at more closely, and one of the older was right when the report began.
 */
function rememberRevs(records: Records, kind: RecordKind<unknown>) {
  const known = new Map<string, number | undefined>();
  return async (keys: readonly string[]): Promise<ReadonlyMap<string, number | undefined>> => {
    if (known.size > MAX_REVS) known.clear();
    const missing = keys.filter((key) => !known.has(key));
    const found = await records.readRevs(kind, missing);
    for (const key of missing) known.set(key, found.get(key));
    return known;
  };
}

/** Reads records in the order of their keys, piece by piece. */
function createReader<Found extends { _id: string }>(batches: AsyncIterable<Found[]>) {
  const iterator = readAhead(batches);
  let ahead: Found[] = [];
  let isOver = false;
  return {
    /** The next records up to this key. */
    async takeThrough(key: string): Promise<Found[]> {
      const taken: Found[] = [];
      for (;;) {
        const behind = ahead.findIndex(({ _id }) => _id > key);
        taken.push(...ahead.splice(0, behind < 0 ? ahead.length : behind));
        if (behind >= 0 || isOver) return taken;
        const { done, value } = await iterator.next();
        isOver = done === true;
        ahead = value ?? [];
      }
    },
    close: async () => void (await iterator.return(undefined)),
  };
}

/** The batches of a source; the next one is being read while its reader is at work on one. */
async function* readAhead<Batch>(source: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  const iterator = source[Symbol.asyncIterator]();
  const read = () => {
    const next = iterator.next();
    // Its failure is thrown where it is awaited, which may be later.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let next = read(); ; ) {
      const { done, value } = await next;
      if (done) return;
      next = read();
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
