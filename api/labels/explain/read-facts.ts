import type { Db } from "mongodb";
import type { Expressions } from "../../../drawing/expressions/expressions.ts";
import type { studioLinkDerivation } from "../../../queues/derivations/studio-link.ts";
import type { System } from "../../../queues/system.ts";
import { digestOf, partsOfInput, partsOfValueInput } from "../../../records/kind.ts";
import { canvasDesigns, designs } from "../../../records/kinds/designs.ts";
import { itemPages, items, schedules } from "../../../records/kinds/items.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import { designerLinks, eccLinks, links, storeLinks, studioLinks } from "../../../records/kinds/links.ts";
import { eccEslImages, eslImages, renderedImages } from "../../../records/kinds/pictures.ts";
import { drawnFields, drawnTypeFields, labelTypes, stores } from "../../../records/kinds/tenants.ts";
import { type Failure, failures, type Walk, walks } from "../../../records/kinds/work.ts";
import { possibleLinks, readPositions } from "../../../records/linking/links-of-labels.ts";
import { readOldestUnpublished } from "../../../records/outbox/outbox.ts";
import type { Records } from "../../../records/records.ts";
import { openRequestsNaming } from "../../../records/requests/requests-naming.ts";
import { itemKey, labelKey, labelOfLink, labelTypeKey, tenantOf } from "../../../schemas/keys.ts";
import type { Label } from "../../../schemas/label.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import type { Link } from "../../../schemas/link.ts";
import type { Stored } from "../../../schemas/record.ts";
import { type ExplanationFacts, type PositionFacts, stages } from "./explanation-facts.ts";
import { type LabelServersFacts, readLabelServers } from "./read-label-servers.ts";
import { readTrace } from "./read-trace.ts";

export interface ExplainDependencies
  extends Pick<System, "db" | "records" | "publisher" | "redis" | "findStale" | "databaseNow"> {
  studioLinkRule: ReturnType<typeof studioLinkDerivation>;
  offlineAfterMs: number;
}

/** The facts that are the same for every label of a store and are read once. */
export type StoreFacts = Pick<ExplanationFacts, "failures" | "unpublishedSince" | "walks" | "offlineAfterMs"> &
  LabelServersFacts;

/** Maximum number of failures per store that are examined for many labels. */
const MAX_FAILURES = 1000;

export async function readStoreFacts(dependencies: ExplainDependencies, store: string): Promise<StoreFacts> {
  const { db, records, offlineAfterMs } = dependencies;
  const [failed, unpublishedSince, underWay, ofLabelServers] = await Promise.all([
    readFirst(records.scan(failures, `${store}/`)),
    readOldestUnpublished(db),
    readWalks(db, tenantOf(store)),
    readLabelServers(dependencies, store),
  ]);
  return { failures: failed, unpublishedSince, walks: underWay, ...ofLabelServers, offlineAfterMs };
}

async function readFirst(batches: AsyncIterable<Stored<Failure>[]>): Promise<Stored<Failure>[]> {
  const found: Stored<Failure>[] = [];
  for await (const batch of batches) {
    found.push(...batch);
    if (found.length >= MAX_FAILURES) break;
  }
  return found;
}

/** Reads the facts that explain what these labels of a store show, except for rule traces and waiting requests. */
export async function readLabelFacts(
  dependencies: ExplainDependencies,
  store: string,
  labelKeys: readonly string[],
  { serverOf, ...shared }: StoreFacts,
): Promise<ExplanationFacts[]> {
  const { records } = dependencies;
  // Derived records are read before their inputs, so a change in between may make a record look stale, but never up to date.
  const [labelRecords, states, images, positionsOfModels] = await Promise.all([
    records.read(labels, labelKeys),
    records.read(labelStates, labelKeys),
    records.read(eslImages, labelKeys),
    readPositions(records, [tenantOf(store)]),
  ]);
  const linkKeysOf = (label: Stored<Label>) => possibleLinks(label, positionsOfModels);
  const found = [...labelRecords.values()];
  const positions = await readPositionFacts(dependencies, store, found.flatMap(linkKeysOf));
  const ofLabel = (label: Stored<Label>) => linkKeysOf(label).flatMap((key) => positions.get(key) ?? []);
  const derived = [...images.values(), ...[...positions.values()].flatMap(derivedOf)];
  const typeKeyOf = ({ type }: Label) => labelTypeKey(tenantOf(store), type);
  const [revs, digestOfStore, types] = await Promise.all([
    readInputRevs(records, derived),
    readStoreDigest(records, store),
    records.read(labelTypes, found.map(typeKeyOf)),
  ]);
  const digests = new Map([...digestOfStore, ...digestsOfTypes(types)]);
  const failuresOf = Map.groupBy(shared.failures, ({ change }) => change.key);
  return found.map((label) => {
    const own = ofLabel(label);
    const keys = [label._id, ...own.flatMap(({ key, link }) => [key, ...(link ? [itemKey(store, link.itemId)] : [])])];
    return {
      ...shared,
      ...serverOf(label),
      label,
      labelType: types.get(typeKeyOf(label)),
      state: states.get(label._id),
      image: images.get(label._id),
      positions: own,
      revs,
      digests,
      failures: keys.flatMap((key) => failuresOf.get(key) ?? []),
      requests: { naming: [], isCut: false },
    };
  });
}

/** Reads all facts that explain what a label shows; undefined if the label does not exist. */
export function createReadFacts(dependencies: ExplainDependencies & { expressions: Pick<Expressions, "trace"> }) {
  const { db } = dependencies;
  const requestsNaming = openRequestsNaming(db);
  return async (store: string, barcode: string, isTraced: boolean): Promise<ExplanationFacts | undefined> => {
    const shared = await readStoreFacts(dependencies, store);
    const [facts] = await readLabelFacts(dependencies, store, [labelKey(store, barcode)], shared);
    if (facts === undefined) return undefined;
    const { label, positions } = facts;
    const [traceOf, requests] = await Promise.all([
      readTrace(dependencies, store, isTraced ? positions.flatMap(({ link }) => link ?? []) : []),
      requestsNaming(store, idsOf(facts)),
    ]);
    const traces = await Promise.all(
      positions.map(({ link, item }) => (isTraced && link && item ? traceOf(link, item, label.type) : undefined)),
    );
    const traced = positions.map((position, index) => ({ ...position, trace: traces[index] }));
    return { ...facts, positions: traced, requests };
  };
}

/** The ids by which requests name a label or its items. */
export const idsOf = ({ label, positions }: Pick<ExplanationFacts, "label" | "positions">): string[] => [
  ...new Set([label.barcode, ...positions.flatMap(({ link, item }) => [link?.itemId ?? [], item?.sics ?? []].flat())]),
];

async function readPositionFacts(
  dependencies: ExplainDependencies,
  store: string,
  linkKeys: readonly string[],
): Promise<Map<string, PositionFacts>> {
  const { records, findStale, studioLinkRule } = dependencies;
  const [rendered, eccImages, designerRecords, eccRecords, studioRecords, stale] = await Promise.all([
    records.read(renderedImages, linkKeys),
    records.read(eccEslImages, linkKeys),
    records.read(designerLinks, linkKeys),
    records.read(eccLinks, linkKeys),
    records.read(studioLinks, linkKeys),
    findStale(studioLinkRule, linkKeys),
  ]);
  const undecided = new Set(stale);
  const linkRecords = await records.read(links, linkKeys);
  const itemKeyOf = ({ itemId }: Link) => itemKey(store, itemId);
  const itemKeys = [...linkRecords.values()].map(itemKeyOf);
  const [itemRecords, storeLevel, pages, planned, designRecords] = await Promise.all([
    records.read(items, itemKeys),
    records.read(storeLinks, itemKeys),
    records.read(itemPages, itemKeys),
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
  const factsOf = (key: string): PositionFacts => {
    const link = linkRecords.get(key);
    const design = designRecords.get(designerRecords.get(key)?.design_id ?? "");
    return {
      key,
      displayPosition: labelOfLink(key).displayPosition,
      link,
      item: link && itemRecords.get(itemKeyOf(link)),
      nextScheduled: link && planned.get(itemKeyOf(link))?.due,
      storeLink: link && storeLevel.get(itemKeyOf(link)),
      isUndecided: undecided.has(key),
      studioLink: studioRecords.get(key),
      designerLink: designerRecords.get(key),
      eccLink: eccRecords.get(key),
      design,
      canvasRev: design && canvasRevs.get(design.canvasId),
      rendered: rendered.get(key),
      eccImage: eccImages.get(key),
      pages: link && pages.get(itemKeyOf(link)),
      trace: undefined,
    };
  };
  return new Map(linkKeys.map((key) => [key, factsOf(key)]));
}

const derivedOf = ({ designerLink, eccLink, rendered, eccImage }: PositionFacts): (Stored<unknown> | undefined)[] => [
  designerLink,
  eccLink,
  rendered,
  eccImage,
];

/** Returns the current revs of everything that these records were made from, by `{kind} {key}`. */
async function readInputRevs(
  records: Records,
  derived: readonly (Stored<unknown> | undefined)[],
): Promise<Map<string, number>> {
  const inputs = derived.flatMap((record) =>
    (record?.inputs ?? []).flatMap((input) => partsOfInput(input) ?? partsOfValueInput(input) ?? []),
  );
  const byKind = [...Map.groupBy(inputs, ({ kind }) => kind)].map(async ([name, group]) => {
    const revs = await records.readRevs(
      { name },
      group.map(({ key }) => key),
    );
    return [...revs].map(([key, rev]) => [`${name} ${key}`, rev] as const);
  });
  return new Map((await Promise.all(byKind)).flat());
}

/** Returns a digest of the fields of a store that its pictures show, by `{kind} {key}`. */
async function readStoreDigest(records: Records, store: string): Promise<Map<string, string>> {
  const found = await records.readFields(stores, [store], drawnFields);
  return new Map([[`${stores.name} ${store}`, digestOf(found.get(store), drawnFields)]]);
}

/** Returns, for each label type, a digest of the fields from which pictures are drawn, by `{kind} {key}`. */
const digestsOfTypes = (types: ReadonlyMap<string, Stored<LabelType>>): [string, string][] =>
  [...types].map(([key, type]) => [`${labelTypes.name} ${key}`, digestOf(type, drawnTypeFields)]);

/** Returns the walks over a tenant's records that are in progress. */
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
