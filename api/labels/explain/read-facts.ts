import type { Db } from "mongodb";
import type { System } from "../../../queues/system.ts";
import { partsOfInput, type RecordKind, type Stored } from "../../../records/kind.ts";
import { canvasDesigns } from "../../../records/kinds/canvas-design.ts";
import { designs } from "../../../records/kinds/design.ts";
import { designerLinks } from "../../../records/kinds/designer-link.ts";
import { eccEslImages } from "../../../records/kinds/ecc-esl-image.ts";
import { eccLinks } from "../../../records/kinds/ecc-link.ts";
import { eslImages } from "../../../records/kinds/esl-image.ts";
import { failures } from "../../../records/kinds/failure.ts";
import { items } from "../../../records/kinds/item.ts";
import { itemPages } from "../../../records/kinds/item-pages.ts";
import { labels } from "../../../records/kinds/label.ts";
import { labelStates } from "../../../records/kinds/label-state.ts";
import { links } from "../../../records/kinds/link.ts";
import { renderedImages } from "../../../records/kinds/rendered-image.ts";
import { schedules } from "../../../records/kinds/schedule.ts";
import { stores } from "../../../records/kinds/store.ts";
import { storeLinks } from "../../../records/kinds/store-link.ts";
import { studioLinks } from "../../../records/kinds/studio-link.ts";
import { type Walk, walks } from "../../../records/kinds/walk.ts";
import { possibleLinks, readPositions } from "../../../records/linking/links-of-labels.ts";
import { type Records, readAll } from "../../../records/records.ts";
import { openRequestsNaming } from "../../../records/requests/requests-naming.ts";
import { itemKey, labelKey, labelOfLink, labelServerKey, tenantOf } from "../../../schemas/keys.ts";
import type { Link } from "../../../schemas/link.ts";
import type { studioLinkDerivation } from "../../../workers/evaluator/packs/studio-link-derivation.ts";
import { type ExplanationFacts, type PositionFacts, stages } from "./explanation-facts.ts";
import { readQueues } from "./read-queues.ts";
import { readTrace } from "./read-trace.ts";

export interface ExplainDependencies extends Pick<System, "db" | "records" | "publisher" | "redis" | "findStale"> {
  studioLinkRule: ReturnType<typeof studioLinkDerivation>;
  offlineAfterMs: number;
}

/** Reads everything that says why a label shows what it shows; undefined where there is no such label. */
export function createReadFacts(dependencies: ExplainDependencies) {
  const { db, records, offlineAfterMs } = dependencies;
  const requestsNaming = openRequestsNaming(db);
  return async (store: string, barcode: string): Promise<ExplanationFacts | undefined> => {
    const key = labelKey(store, barcode);
    const label = await readOne(records, labels, key);
    if (label === undefined) return undefined;
    // What is derived is read before what it is derived from: a change in between shows a record behind, never one right.
    const [state, image] = await Promise.all([readOne(records, labelStates, key), readOne(records, eslImages, key)]);
    const linkKeys = possibleLinks(label, await readPositions(records, [tenantOf(store)]));
    const positions = await readPositionFacts(dependencies, store, label.type, linkKeys);
    const itemKeys = positions.flatMap(({ link }) => (link ? [itemKey(store, link.itemId)] : []));
    const ids = positions.flatMap(({ link, item }) => [link?.itemId ?? [], item?.sics ?? []].flat());
    const [revs, failed, requests, unpublishedSince, underWay, waiting] = await Promise.all([
      readInputRevs(records, [image, ...positions.flatMap(derivedOf)]),
      readFailures(records, [key, ...linkKeys, ...itemKeys]),
      requestsNaming(store, [...new Set([barcode, ...ids])]),
      readUnpublished(db),
      readWalks(db, tenantOf(store)),
      readQueues(dependencies, await readLabelServer(records, store)),
    ]);
    return {
      label,
      state,
      image,
      positions,
      revs,
      failures: failed,
      requests,
      unpublishedSince,
      walks: underWay,
      ...waiting,
      offlineAfterMs,
    };
  };
}

/** The key of the label server that the store is on; the installation's is empty. */
async function readLabelServer(records: Records, store: string): Promise<string> {
  const id = (await readOne(records, stores, store))?.labelServer;
  return id === undefined ? "" : labelServerKey(tenantOf(store), id);
}

async function readPositionFacts(
  dependencies: ExplainDependencies,
  store: string,
  labelType: number,
  linkKeys: readonly string[],
): Promise<PositionFacts[]> {
  const { records, findStale, studioLinkRule } = dependencies;
  const [rendered, eccImages, designerRecords, eccRecords, studioRecords, undecided] = await Promise.all([
    records.read(renderedImages, linkKeys),
    records.read(eccEslImages, linkKeys),
    records.read(designerLinks, linkKeys),
    records.read(eccLinks, linkKeys),
    records.read(studioLinks, linkKeys),
    findStale(studioLinkRule, linkKeys),
  ]);
  const linkRecords = await records.read(links, linkKeys);
  const itemKeyOf = ({ itemId }: Link) => itemKey(store, itemId);
  const itemKeys = [...linkRecords.values()].map(itemKeyOf);
  const [itemRecords, storeLevel, pages, planned, designRecords] = await Promise.all([
    records.read(items, itemKeys),
    records.read(storeLinks, itemKeys),
    records.readFields(itemPages, itemKeys, []),
    records.readFields(schedules, itemKeys, ["due"]),
    records.read(
      designs,
      [...designerRecords.values()].flatMap(({ design_id }) => design_id ?? []),
    ),
  ]);
  const canvasRevs = await records.readRevs(
    canvasDesigns,
    [...designRecords.values()].map(({ canvasId }) => canvasId),
  );
  const traceOf = await readTrace(records, tenantOf(store), [...linkRecords.values()]);
  return linkKeys.map((key) => {
    const link = linkRecords.get(key);
    const item = link && itemRecords.get(itemKeyOf(link));
    const design = designRecords.get(designerRecords.get(key)?.design_id ?? "");
    return {
      key,
      displayPosition: labelOfLink(key).displayPosition,
      link,
      item,
      nextScheduled: link && planned.get(itemKeyOf(link))?.due,
      storeLink: link && storeLevel.get(itemKeyOf(link)),
      isUndecided: undecided.includes(key),
      studioLink: studioRecords.get(key),
      designerLink: designerRecords.get(key),
      eccLink: eccRecords.get(key),
      design,
      canvasRev: design && canvasRevs.get(design.canvasId),
      rendered: rendered.get(key),
      eccImage: eccImages.get(key),
      pages: link && pages.get(itemKeyOf(link)),
      trace: link && item && traceOf(link, item, labelType),
    };
  });
}

const readOne = async <Body>(
  records: Records,
  kind: RecordKind<Body>,
  key: string,
): Promise<Stored<Body> | undefined> => (await records.read(kind, [key])).get(key);

const derivedOf = ({ designerLink, eccLink, rendered, eccImage }: PositionFacts): (Stored<unknown> | undefined)[] => [
  designerLink,
  eccLink,
  rendered,
  eccImage,
];

/** The present revs of everything that these records were made from, by `{kind} {key}`. */
async function readInputRevs(
  records: Records,
  derived: readonly (Stored<unknown> | undefined)[],
): Promise<Map<string, number>> {
  const inputs = derived.flatMap((record) => (record?.inputs ?? []).flatMap((input) => partsOfInput(input) ?? []));
  const byKind = [...Map.groupBy(inputs, ({ kind }) => kind)].map(async ([name, group]) => {
    const revs = await records.readRevs(
      { name },
      group.map(({ key }) => key),
    );
    return [...revs].map(([key, rev]) => [`${name} ${key}`, rev] as const);
  });
  return new Map((await Promise.all(byKind)).flat());
}

async function readFailures(records: Records, keys: readonly string[]) {
  const found = await Promise.all(keys.map((key) => readAll(records, failures, `${key}/failures/`)));
  return found.flat();
}

/** When the oldest change was written that is not published. */
async function readUnpublished(db: Db): Promise<Date | undefined> {
  const oldest = await db
    .collection<{ _id: string; since: Date }>("outbox")
    .find({}, { projection: { since: 1 } })
    .sort({ since: 1 })
    .limit(1)
    .next();
  return oldest?.since;
}

/** Walks over a tenant's records that are under way. */
async function readWalks(db: Db, tenant: string): Promise<Stored<Walk>[]> {
  const found = stages.map((queue) =>
    db
      .collection<Stored<Walk>>(walks.name)
      .find({ queue, finishedAt: { $exists: false } })
      .toArray(),
  );
  return (await Promise.all(found))
    .flat()
    .filter(({ scope }) => `${tenant}/`.startsWith(scope) || scope.startsWith(`${tenant}/`));
}
