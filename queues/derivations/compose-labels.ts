import { setImmediate } from "node:timers/promises";
import { type Composed, drawingPictures, type LabelImages, replacesDrawn } from "../../domain/labels/merge-images.ts";
import { imageFileOf } from "../../drawing/pixels/image-file.ts";
import { overlayPictures } from "../../drawing/pixels/overlay-pictures.ts";
import { readPicture } from "../../drawing/pixels/read-picture.ts";
import type { ImageFiles } from "../../records/files/image-files.ts";
import { notice } from "../../schemas/drawing-notice.ts";
import { faultOf, type RenderedImage } from "../../schemas/image.ts";
import type { ImageFile } from "../../schemas/image-file.ts";
import { labelOfLink, tenantOf } from "../../schemas/keys.ts";

/** Number of labels composed before control returns to the event loop, which must happen well within a job's lock duration. */
const LABELS_PER_PAUSE = 20;

interface LabelToCompose {
  key: string;
  pictures: readonly [RenderedImage, ...RenderedImage[]];
}

/**
 * Composes the pictures of labels that show several positions; returns them by label. The files are stored before a record
 * refers to them.
 */
export async function composeLabels(
  imageFiles: ImageFiles,
  cases: readonly { key: string; facts: LabelImages }[],
): Promise<Map<string, Composed>> {
  const composed = new Map<string, Composed>();
  const several = cases.flatMap(({ key, facts }): LabelToCompose[] => {
    const [first, ...others] = replacesDrawn(facts) ? [] : drawingPictures(facts.drawn);
    return first && others.length > 0 ? [{ key, pictures: [first, ...others] }] : [];
  });
  for (const [tenant, labels] of Map.groupBy(several, ({ key }) => tenantOf(key))) {
    const names = labels.flatMap(({ pictures }) => pictures.map(({ image }) => image));
    const files = await imageFiles.read(tenant, [...new Set(names)]);
    const made = new Map<string, ImageFile>();
    for (const [index, label] of labels.entries()) {
      if (index % LABELS_PER_PAUSE === 0) await setImmediate();
      const { file, ...result } = composeLabel(label, files);
      if (file) made.set(file.sha256, file);
      composed.set(label.key, result);
    }
    await imageFiles.put(tenant, [...made.values()]);
  }
  return composed;
}

function composeLabel(
  { key, pictures }: LabelToCompose,
  files: ReadonlyMap<string, ImageFile>,
): Composed & { file?: ImageFile } {
  const [first, ...others] = pictures;
  // A segment label shows a single string.
  if (first.text !== undefined) return { image: first.image, ...overlap(others) };
  const pictureOf = ({ image }: RenderedImage) => {
    const file = files.get(image);
    if (file === undefined) throw new Error(`the picture ${image} of ${key} is not stored`);
    return readPicture(file.png);
  };
  const { picture, leftOut } = overlayPictures([pictureOf(first), ...others.map(pictureOf)]);
  const file = imageFileOf(picture);
  return { image: file.sha256, file, ...overlap(leftOut.flatMap((index) => pictures[index] ?? [])) };
}

function overlap(pictures: readonly RenderedImage[]): Pick<Composed, "fault" | "leftOut"> {
  const leftOut = pictures.map(({ shows }) => shows.link);
  const positions = leftOut.map((link) => labelOfLink(link).displayPosition);
  if (positions.length === 0) return {};
  const overlapping = notice("POSITIONS_OVERLAP", { positions: positions.join(", ") });
  return { leftOut, fault: faultOf("POSITIONS_OVERLAP", overlapping) };
}
