import type { Logger } from "pino";
import type { ImageFiles } from "../../records/files/image-files.ts";
import type { Uploads } from "../../records/files/uploads.ts";
import type { RecordKind } from "../../records/kind.ts";
import { canvasDesigns } from "../../records/kinds/canvas-design.ts";
import { eccEslImages } from "../../records/kinds/ecc-esl-image.ts";
import { eslImages } from "../../records/kinds/esl-image.ts";
import { itemPages } from "../../records/kinds/item-pages.ts";
import { labelStates } from "../../records/kinds/label-state.ts";
import { renderedImages } from "../../records/kinds/rendered-image.ts";
import { schedules } from "../../records/kinds/schedule.ts";
import type { IdempotencyKeys } from "../../records/leases/idempotency-keys.ts";
import type { Leases } from "../../records/leases/leases.ts";
import type { Records } from "../../records/records.ts";
import type { Journal } from "../../records/requests/journal.ts";
import type { OpenChunks } from "../../records/requests/open-chunks.ts";
import { forgetFailed } from "../../records/requests/scheduled-updates.ts";
import { imageFileKey, storeOf, tenantOf, uploadKey } from "../../schemas/keys.ts";
import type { PageRow } from "../../schemas/page-image.ts";
import type { Commit } from "./commit.ts";

interface Dependencies {
  records: Records;
  commit: Commit;
  journal: Journal;
  idempotencyKeys: IdempotencyKeys;
  imageFiles: ImageFiles;
  uploads: Uploads;
  openChunks: OpenChunks;
  leases: Leases;
  now(): Date;
  /** Seconds. */
  resultTtl: number;
  log: Logger;
}

export const CLEAN_UP_INTERVAL_MS = 3_600_000;
/** A picture is deleted once no record points to it and none has begun to for this time. */
const UNUSED_TTL_MS = 24 * 3_600_000;
/** A schedule without updates keeps its floor for this time: a slow process may still enter an applied update again. */
const EMPTY_SCHEDULE_TTL_MS = 24 * 3_600_000;

/**
 * Deletes expired data: applied requests, answers to calls with an Idempotency-Key and failed scheduled updates after
 * `RESULT_TTL`, pictures that no record points to, and uploads that no open request names. One process does it (lease).
 */
export async function cleanUp(dependencies: Dependencies): Promise<void> {
  const { journal, idempotencyKeys, imageFiles, uploads, leases, now, resultTtl, log } = dependencies;
  if (!(await leases.hold("clean-up", CLEAN_UP_INTERVAL_MS / 2))) return;
  const began = now().getTime();
  const expired = new Date(began - resultTtl * 1000);
  const chunks = await journal.forget(expired);
  await cleanSchedules(dependencies, expired, new Date(began - EMPTY_SCHEDULE_TTL_MS));
  const keys = await idempotencyKeys.forget(expired);
  const unusedSince = new Date(began - UNUSED_TTL_MS);
  await touchPictures(dependencies, unusedSince);
  // Safe against new records: a picture is marked as used before the record that points to it is written.
  const images = await imageFiles.forget(unusedSince);
  await touchUploads(dependencies);
  const files = await uploads.forget(unusedSince);
  if (chunks + keys + images + files > 0)
    log.info({ chunks, keys, images, files }, "dropped what is not needed any more");
}

/** Operations whose rows name uploads. */
const namesUploads: ReadonlySet<string> = new Set(["set-pages", "draw-pages"]);

/** Marks the uploads of open requests as used. A file is stored before its request is journaled. */
async function touchUploads({ journal, openChunks, uploads }: Dependencies): Promise<void> {
  for await (const page of openChunks.scan()) {
    const open = page.filter(({ operation }) => namesUploads.has(operation)).map(({ _id }) => _id);
    for (const { store, rows } of (await journal.read(open)).values()) {
      const names = (JSON.parse(rows) as PageRow[]).map(({ upload }) => uploadKey(storeOf(store), upload));
      await uploads.touch(names);
    }
  }
}

/** Removes failed updates that have expired, and schedules that have no updates any more. */
async function cleanSchedules({ records, commit }: Dependencies, expired: Date, emptySince: Date): Promise<void> {
  for await (const batch of records.scan(schedules, "t/")) {
    const changing = batch.filter((schedule) => forgetFailed(schedule, expired) !== schedule).map(({ _id }) => _id);
    await commit.change(schedules, changing, (_, current) => current && forgetFailed(current, expired), "bulk");
    const empty = batch.filter(({ updates, changedAt }) => updates.length === 0 && changedAt < emptySince);
    await records.remove(
      schedules,
      empty.map(({ _id, rev }) => ({ key: _id, rev })),
    );
  }
}

/** Marks the pictures that records point to as used. */
async function touchPictures({ records, imageFiles }: Dependencies, unusedSince: Date): Promise<void> {
  const touchImagesOf = async <Body, Field extends keyof Body & string>(
    kind: RecordKind<Body>,
    fields: readonly Field[],
    imagesOf: (body: Pick<Body, Field>) => readonly string[],
  ) => {
    for await (const batch of records.scanFields(kind, "t/", fields)) {
      const keys = batch.flatMap((record) =>
        imagesOf(record).map((image) => imageFileKey(tenantOf(record._id), image)),
      );
      await imageFiles.touch([...new Set(keys)], unusedSince);
    }
  };
  await touchImagesOf(renderedImages, ["image"], ({ image }) => [image]);
  await touchImagesOf(eccEslImages, ["image"], ({ image }) => [image]);
  await touchImagesOf(itemPages, ["images"], ({ images }) => images.map(({ image }) => image));
  await touchImagesOf(eslImages, ["pages"], ({ pages }) => pages.map(({ image }) => image));
  await touchImagesOf(labelStates, ["wanted", "sending"], ({ wanted, sending }) =>
    [...wanted, ...(sending ? [sending] : [])].map(({ image }) => image),
  );
  await touchImagesOf(canvasDesigns, ["elements", "variants"], ({ elements, variants = [] }) =>
    [...elements, ...variants.flatMap((variant) => variant.elements)].flatMap((element) =>
      element.kind === "image" ? [element.image] : [],
    ),
  );
}
