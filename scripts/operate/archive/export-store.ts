import { imagesOfCanvas, imagesOfPages } from "../../../queues/clean-up/pictures.ts";
import type { System } from "../../../queues/system.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { canvasDesigns } from "../../../records/kinds/designs.ts";
import { itemPages } from "../../../records/kinds/items.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { stores, tenants } from "../../../records/kinds/tenants.ts";
import { lastNumber } from "../../../records/requests/numbers.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import { inBatches } from "../../../schemas/in-batches.ts";
import { pageDrawingsKey, storeKey, tenantKey } from "../../../schemas/keys.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { ItemPages } from "../../../schemas/page-image.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { Tenant } from "../../../schemas/tenant.ts";
import { Refusal } from "../admin/command.ts";
import { type ArchiveLine, headOf, type Picture, type RecordLine } from "./archive-lines.ts";
import { type ArchivedKind, archivedKinds, withoutTransmissions, withoutUploads } from "./archived-kinds.ts";

/** The store whose archive is written. */
export interface StoreIds {
  tenant: string;
  store: string;
}

export type ArchiveWorld = Pick<System, "db" | "records" | "numbers" | "now">;

const PICTURES_PER_READ = 50;

/** Counts the records in an archive of the store. */
export async function countRecords({ records }: ArchiveWorld, ids: StoreIds): Promise<number> {
  const counts = await Promise.all(
    archivedKinds.map((archived) =>
      isOwner(archived) ? 1 : records.count(archived.kind, `${ownerKey(archived, ids)}/`),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Yields the lines of a store's archive, all from one moment. Throws a Refusal if requests are waiting to be applied, or if
 * the store accepts one before the last line.
 */
export async function* readStore(world: ArchiveWorld, ids: StoreIds): AsyncGenerator<ArchiveLine> {
  const key = storeKey(ids.tenant, ids.store);
  if (!(await world.records.readRevs(stores, [key])).has(key))
    throw new Refusal(`The store "${ids.store}" of tenant "${ids.tenant}" does not exist.`);
  const number = await lastNumber(world.db, key);
  for (const numbered of [key, pageDrawingsKey(key)])
    if (!(await world.numbers.isSettledBefore(numbered)))
      throw new Refusal("Requests of the store are waiting to be applied: export it once they have been.");
  yield headOf({ ...ids, number, exportedAt: world.now().toISOString() });
  const end = { records: 0, pictures: 0 };
  for await (const line of readContent(world, ids)) {
    end["picture" in line ? "pictures" : "records"] += 1;
    yield line;
  }
  const taken = (await lastNumber(world.db, key)) - number;
  if (taken > 0)
    throw new Refusal(`The store accepted ${taken} requests during the export: export it while nothing writes to it.`);
  yield { end };
}

async function* readContent(world: ArchiveWorld, ids: StoreIds): AsyncGenerator<RecordLine | Picture> {
  const pictures = new Set<string>();
  for (const archived of archivedKinds) {
    if (archived.kind.name === stores.name) yield* readPictures(world, ids.tenant, [...pictures]);
    for await (const batch of readKind(world, archived, ids)) {
      for (const record of batch) {
        for (const picture of picturesOf(archived, record)) pictures.add(picture);
        yield { kind: archived.kind.name, key: record._id, body: bodyOf(archived, record) };
      }
    }
  }
}

async function* readKind(
  { records }: ArchiveWorld,
  archived: ArchivedKind,
  ids: StoreIds,
): AsyncGenerator<Stored<unknown>[]> {
  const owner = ownerKey(archived, ids);
  if (isOwner(archived)) yield [...(await records.read(archived.kind, [owner])).values()];
  else yield* records.scan(archived.kind, `${owner}/`);
}

async function* readPictures(
  { db, now }: ArchiveWorld,
  tenant: string,
  names: readonly string[],
): AsyncGenerator<Picture> {
  const files = openImageFiles(db, now);
  for (const some of inBatches(names, PICTURES_PER_READ)) {
    for (const { sha256, png, width, height } of (await files.read(tenantKey(tenant), some)).values())
      yield { picture: sha256, width, height, png: Buffer.from(png).toString("base64") };
  }
}

/** Whether the kind's records are the store or the tenant itself. */
const isOwner = ({ kind }: ArchivedKind): boolean => kind.name === stores.name || kind.name === tenants.name;

const ownerKey = ({ of }: ArchivedKind, { tenant, store }: StoreIds): string =>
  of === "tenant" ? tenantKey(tenant) : storeKey(tenant, store);

function picturesOf({ kind }: ArchivedKind, body: unknown): string[] {
  if (kind.name === canvasDesigns.name) return imagesOfCanvas(body as CanvasDesign);
  return kind.name === itemPages.name ? imagesOfPages(body as ItemPages) : [];
}

function bodyOf({ kind }: ArchivedKind, record: Stored<unknown>): RecordLine["body"] {
  const { _id, store, rev, writeId, changedAt, inputs, ...body } = record;
  if (kind.name === labelStates.name) return { ...withoutTransmissions(body as LabelState) };
  if (kind.name === itemPages.name) return withoutUploads(body as ItemPages);
  if (kind.name !== tenants.name) return body;
  // A store of a tenant that is being removed may still be moved, because at the destination its tenant is not being removed.
  const { removal, ...tenant } = body as Tenant;
  return tenant;
}
