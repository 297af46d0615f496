import type { ImageFiles } from "../../records/files/image-files.ts";
import type { RecordKind } from "../../records/kind.ts";
import { assetFiles, canvasDesigns } from "../../records/kinds/designs.ts";
import { itemPages } from "../../records/kinds/items.ts";
import { labelStates } from "../../records/kinds/labels.ts";
import { eccEslImages, eslImages, renderedImages } from "../../records/kinds/pictures.ts";
import type { Among } from "../../records/owners.ts";
import type { Records } from "../../records/records.ts";
import { type CanvasDesign, drawnElements } from "../../schemas/canvas.ts";
import { imageFileKey } from "../../schemas/keys.ts";
import type { ItemPageImage } from "../../schemas/page-image.ts";
import type { TimeSlice } from "./time-slice.ts";

interface Dependencies {
  records: Pick<Records, "scanFields">;
  imageFiles: Pick<ImageFiles, "nextUnused" | "touch" | "forget">;
  now(): Date;
}

/** A picture is deleted once no record has referred to it for this long. */
export const UNUSED_TTL_MS = 24 * 3_600_000;

/**
 * Deletes, for each tenant, the pictures among these ids to which no record refers. A tenant's records are read only if one of
 * its pictures has not been marked as used for `UNUSED_TTL_MS`. If so, every picture in use whose mark is at least half that old
 * is marked again. The records are then not read for at least half that time, no matter how many pictures are added or deleted.
 * If the marking is interrupted, none of the tenant's pictures is deleted.
 */
export async function forgetPictures(dependencies: Dependencies, among: Among, slice: TimeSlice): Promise<number> {
  const { imageFiles, now } = dependencies;
  const time = now().getTime();
  const unusedSince = new Date(time - UNUSED_TTL_MS);
  let forgotten = 0;
  let tenant = await imageFiles.nextUnused(unusedSince, "", among);
  while (tenant !== undefined) {
    const isMarked = await markPictures(dependencies, tenant, new Date(time - UNUSED_TTL_MS / 2), slice.renew);
    if (!isMarked) break;
    // Safe against new records, since a picture is marked as used before the record that refers to it is written.
    forgotten += await imageFiles.forget(tenant, unusedSince, slice.goOn);
    if (!(await slice.goOn())) break;
    tenant = await imageFiles.nextUnused(unusedSince, tenant, among);
  }
  return forgotten;
}

/** Marks as used the pictures to which a tenant's records refer; false if another process has taken the lease. */
async function markPictures(
  { records, imageFiles }: Dependencies,
  tenant: string,
  before: Date,
  renew: () => Promise<boolean>,
): Promise<boolean> {
  const markImagesOf = async <Body, Field extends keyof Body & string>(
    kind: RecordKind<Body>,
    fields: readonly Field[],
    imagesOf: (body: Pick<Body, Field>) => readonly string[],
  ): Promise<boolean> => {
    for await (const batch of records.scanFields(kind, `${tenant}/`, fields)) {
      const keys = batch.flatMap((record) => imagesOf(record).map((image) => imageFileKey(tenant, image)));
      await imageFiles.touch([...new Set(keys)], before);
      if (!(await renew())) return false;
    }
    return true;
  };
  return (
    (await markImagesOf(renderedImages, ["image"], ({ image }) => [image])) &&
    (await markImagesOf(eccEslImages, ["image"], ({ image }) => [image])) &&
    (await markImagesOf(itemPages, ["images"], imagesOfPages)) &&
    (await markImagesOf(eslImages, ["pages"], ({ pages }) => pages.map(({ image }) => image))) &&
    // A label that has been offline for a long time may show a picture to which nothing else refers.
    (await markImagesOf(
      labelStates,
      ["wanted", "sending", "shown", "later"],
      ({ wanted, sending, shown = [], later }) =>
        [...wanted, ...shown, ...(sending ? [sending] : []), ...(later?.pages ?? [])].map(({ image }) => image),
    )) &&
    (await markImagesOf(assetFiles, ["image"], ({ image }) => (image === undefined ? [] : [image]))) &&
    (await markImagesOf(canvasDesigns, ["elements", "variants"], imagesOfCanvas))
  );
}

/** Returns the pictures that were uploaded for an item's pages. */
export const imagesOfPages = ({ images }: { images: readonly Pick<ItemPageImage, "image">[] }): string[] =>
  images.map(({ image }) => image);

const FILE_NAME = /^[0-9a-f]{64}$/;

/** Returns the pictures that a canvas design names as files. */
export const imagesOfCanvas = ({ elements, variants = [] }: Pick<CanvasDesign, "elements" | "variants">): string[] =>
  drawnElements([...elements, ...variants.flatMap((variant) => variant.elements)]).flatMap((element) =>
    element.kind === "image" && FILE_NAME.test(element.image) ? [element.image] : [],
  );
