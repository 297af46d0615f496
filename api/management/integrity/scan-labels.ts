import type { RecordKind } from "../../../records/kind.ts";
import { canvasDesigns, designs } from "../../../records/kinds/designs.ts";
import { itemPages, items } from "../../../records/kinds/items.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import { links } from "../../../records/kinds/links.ts";
import { eccEslImages, eslImages, renderedImages } from "../../../records/kinds/pictures.ts";
import type { Records } from "../../../records/records.ts";
import type { CauseName } from "../../../schemas/explanation.ts";
import type { Shown } from "../../../schemas/image.ts";
import { labelKey, linkKey, tenantOf } from "../../../schemas/keys.ts";
import type { Label } from "../../../schemas/label.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import { causeAtRest, isCovered, isWarned } from "../../labels/explain/verdict.ts";
import { mayHaveOtherChoice, readChangedSince } from "./changed-since.ts";
import { type ComparedLabel, comparedOfLink, comparedOfState, mayBeBehind, type PresentRevs } from "./compare-label.ts";
import { createReader, readAhead } from "./read-in-step.ts";

/** The time and the requests with which labels are compared. */
export interface Comparison {
  now: Date;
  offlineAfterMs: number;
  /** Whether a waiting accepted request names one of these ids. */
  isNamed(ids: readonly string[]): boolean;
  /** Whether the labels' own fields are also returned. */
  withOwn?: boolean;
}

/** Fields of a label's own records that are not compared. */
export type OwnOfLabel = Pick<Label, "type" | "plLocation"> & Partial<Pick<LabelState, "battery" | "care">>;

/** A label at rest, whose verdict needs no closer examination. */
export interface Rested {
  barcode: string;
  itemIds: string[];
  cause: CauseName;
}

/** A batch of labels that were compared. */
interface Scanned {
  /** Keys of the labels that may be behind. */
  suspects: string[];
  /** The other labels, by key. */
  rested: Map<string, Rested>;
  /** Keys of the labels whose drawing reported errors or warnings. */
  warned: Set<string>;
  /** The links in the pictures of the other labels, if no audit has verified their design choice yet. */
  unproven: Shown[];
  /** The own fields of all labels, by key, if they were requested. */
  own: Map<string, OwnOfLabel>;
}

/** Maximum number of revs of a kind that are held. */
const MAX_REVS = 50_000;

/**
 * Compares every label of a store with the revs of its items, links and designs. The inputs of pictures are read in the
 * same order, batch by batch, so that memory does not grow with the store. The next batches are read while one is
 * compared.
 */
export async function* scanLabels(records: Records, store: string, comparison: Comparison): AsyncGenerator<Scanned> {
  const { withOwn = false } = comparison;
  const { newest, revs: designRevs } = await readDesignRevs(records, tenantOf(store));
  const since = await readChangedSince(records, store, newest);
  const [prefix, linkPrefix] = [labelKey(store, ""), linkKey(store, "")];
  const [images, states, linked, drawnWith] = [
    createReader(records.scanFields(eslImages, prefix, ["pages", "shows", "fault"])),
    createReader(records.scanFields(labelStates, prefix, withOwn ? stateWithOwn : comparedOfState)),
    createReader(records.scanFields(links, linkPrefix, comparedOfLink)),
    createWarningReader(records, linkPrefix),
  ];
  const [itemRevs, pagesRevs] = [rememberRevs(records, items), rememberRevs(records, itemPages)];
  const linksByLabel = createLinksByLabel(linkPrefix);
  try {
    for await (const own of readAhead(scanOwn(records, prefix, withOwn))) {
      const keys = own.map(([key]) => key);
      const last = keys.at(-1) ?? "";
      const barcodes = keys.map((key) => key.slice(prefix.length));
      const lastLink = linkPrefix + lastLinkOf(barcodes);
      const [imageRecords, stateRecords, linkRecords, warnedLinks] = await Promise.all([
        images.takeThrough(last),
        states.takeThrough(last),
        linked.takeThrough(lastLink),
        drawnWith.takeThrough(lastLink),
      ]);
      linksByLabel.add(linkRecords);
      const imageOf = new Map(imageRecords.map((image) => [image._id, image]));
      const stateOf = new Map(stateRecords.map((state) => [state._id, state]));
      const itemKeys = [...new Set(imageRecords.flatMap(({ shows }) => shows.map(({ item }) => item)))];
      const [items, pages] = await Promise.all([itemRevs(itemKeys), pagesRevs(itemKeys)]);
      const batch = keys.map((key, index) => ({
        key,
        barcode: barcodes[index] ?? "",
        compared: { image: imageOf.get(key), state: stateOf.get(key), links: linksByLabel.take(barcodes[index] ?? "") },
      }));
      const present = { items, pages, designs: designRevs };
      const ownOf = ([key, label]: OwnEntry): [string, OwnOfLabel][] =>
        label ? [[key, { ...stateOf.get(key), ...label }]] : [];
      yield {
        ...compareLabels(batch, { ...comparison, since, warnedLinks, present }),
        own: new Map(own.flatMap(ownOf)),
      };
    }
  } finally {
    await Promise.all([images.close(), states.close(), linked.close(), drawnWith.close()]);
  }
}

const stateWithOwn = [...comparedOfState, "battery", "care"] as const;
type OwnEntry = readonly [key: string, own?: Pick<Label, "type" | "plLocation">];

/** Yields the keys of a store's labels, with their own fields if they are wanted. */
async function* scanOwn(records: Records, prefix: string, withOwn: boolean): AsyncGenerator<OwnEntry[]> {
  if (!withOwn) for await (const keys of records.scanKeys(labels, prefix)) yield keys.map((key) => [key]);
  else
    for await (const batch of records.scanFields(labels, prefix, ["type", "plLocation"]))
      yield batch.map(({ _id, ...own }) => [_id, own]);
}

/**
 * Keeps links that have been read until their label takes them, which happens later if its barcode sorts differently from its
 * links.
 */
function createLinksByLabel(linkPrefix: string) {
  const linksOf = new Map<string, ComparedLabel["links"][number][]>();
  return {
    add(linkRecords: readonly (ComparedLabel["links"][number] & { _id: string })[]): void {
      for (const link of linkRecords) {
        const barcode = link._id.slice(linkPrefix.length, link._id.lastIndexOf("-"));
        const others = linksOf.get(barcode);
        if (others) others.push(link);
        else linksOf.set(barcode, [link]);
      }
    },
    take(barcode: string): ComparedLabel["links"] {
      const taken = linksOf.get(barcode) ?? [];
      linksOf.delete(barcode);
      return taken;
    },
  };
}

/** Separates labels that may be behind from labels at rest, and finds labels whose drawing reported errors or warnings. */
function compareLabels(
  batch: readonly { key: string; barcode: string; compared: ComparedLabel }[],
  {
    now,
    offlineAfterMs,
    isNamed,
    since,
    warnedLinks,
    present,
  }: Comparison & {
    since: Awaited<ReturnType<typeof readChangedSince>>;
    warnedLinks: Set<string>;
    present: PresentRevs;
  },
): Omit<Scanned, "own"> {
  const scanned: Omit<Scanned, "own"> = { suspects: [], rested: new Map(), warned: new Set(), unproven: [] };
  for (const { key, barcode, compared } of batch) {
    const { image, links } = compared;
    const itemIds = links.flatMap(({ status, itemId }) => (status === "DELETED" ? [] : [itemId]));
    const ofWarnings = links.filter(({ _id }) => warnedLinks.delete(_id));
    if (ofWarnings.length > 0 && !(image && isCovered(image))) scanned.warned.add(key);
    if (mayBeBehind(compared, present) || isNamed([barcode, ...itemIds])) {
      scanned.suspects.push(key);
      continue;
    }
    scanned.rested.set(key, { barcode, itemIds, cause: causeAtRest(compared, now, offlineAfterMs) });
    if (mayHaveOtherChoice(compared, since)) scanned.unproven.push(...(image?.shows ?? []));
  }
  return scanned;
}

/** Reads, in key order, which links have a picture whose drawing reported errors or warnings. */
function createWarningReader(records: Records, linkPrefix: string) {
  const studio = createReader(records.scanFields(renderedImages, linkPrefix, ["errors", "warnings", "isEcc"]));
  const ecc = createReader(records.scanFields(eccEslImages, linkPrefix, ["errors", "warnings"]));
  // Kept, because the links of a barcode that sorts differently from them may have been read with an earlier batch.
  const warned = new Set<string>();
  return {
    /** Returns the links, up to this key, that have a warning. */
    async takeThrough(key: string): Promise<Set<string>> {
      const [drawn, drawnByEcc] = await Promise.all([studio.takeThrough(key), ecc.takeThrough(key)]);
      // The record of an ECC model's picture also exists for links that the model drew only in the past.
      for (const { _id, isEcc, ...one } of drawn) if (!isEcc && isWarned(one)) warned.add(_id);
      const isEcc = new Set(drawn.flatMap(({ _id, isEcc }) => (isEcc ? [_id] : [])));
      for (const one of drawnByEcc) if (isEcc.has(one._id) && isWarned(one)) warned.add(one._id);
      return warned;
    },
    close: async () => void (await Promise.all([studio.close(), ecc.close()])),
  };
}

/** A key after the last link of these barcodes, since positions are digits and the colon sorts after them. */
const lastLinkOf = (barcodes: readonly string[]): string =>
  barcodes
    .map((barcode) => `${barcode}-:`)
    .toSorted()
    .at(-1) ?? "";

/**
 * For each of a tenant's designs, reads its own rev or its canvas's, whichever is larger. Also reads the newest of the designs'
 * own revs, since a changed design can affect which design is chosen.
 */
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
 * Caches current revs, since many labels show the same item. If an item changes after its rev was read, a picture of the
 * newer item counts as different and is examined more closely, and a picture of the older one was correct when the report
 * started.
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
