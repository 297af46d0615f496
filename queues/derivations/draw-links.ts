import type { Drawing } from "../../drawing/thread/draw-within-limits.ts";
import type { DrawnLink } from "../../drawing/thread/drawing-order.ts";
import type { ImageFiles } from "../../records/files/image-files.ts";
import type { Uploads } from "../../records/files/uploads.ts";
import type { LinkProjection } from "../../schemas/design.ts";
import { noticeText } from "../../schemas/drawing-notice.ts";
import type { RenderedImage, Shown } from "../../schemas/image.ts";
import { imageFileKey, tenantOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Case, Loaded } from "../changes/derivation.ts";
import type { LinkOrders } from "./link-orders.ts";
import { fileLoader } from "./named-files.ts";

/** The dependencies for drawing pictures of links. */
export interface DrawingWorld {
  imageFiles: ImageFiles;
  /** Contains the font files. */
  uploads: Pick<Uploads, "read">;
  drawing: Drawing;
  /** Called with a tenant's key and the number of pictures drawn for it. */
  onDrawn?(tenant: string, pictures: number): void;
  /** Identifies the drawing code and its fonts; by default, those of this process. */
  mark?: string;
}

/** Finds the records of pictures whose file is not stored. */
export const lostPictures = (imageFiles: ImageFiles) => async (records: readonly Stored<RenderedImage>[]) => {
  const fileOf = ({ _id, image }: Stored<RenderedImage>) => imageFileKey(tenantOf(_id), image);
  const missing = await imageFiles.findMissing(records.map(fileOf));
  return records.filter((record) => missing.has(fileOf(record))).map(({ _id }) => _id);
};

/** Adds the mark to the inputs of active links. Other links show nothing, so their pictures are the same in every release. */
export function marked<Facts>(
  loaded: ReadonlyMap<string, Loaded<Facts>>,
  mark: string,
  linkOf: (facts: Facts) => LinkProjection,
): Map<string, Loaded<Facts>> {
  return new Map(
    [...loaded].map(([key, input]) => [key, linkOf(input.facts).status === "ACTIVE" ? { ...input, mark } : input]),
  );
}

/** Draws pictures, and stores their files before any record points to them. */
export async function drawAll(
  { imageFiles, uploads, drawing, onDrawn }: Pick<DrawingWorld, "imageFiles" | "uploads" | "drawing" | "onDrawn">,
  cases: readonly Case<{ shows: Shown }, RenderedImage>[],
  { orders, design }: LinkOrders,
): Promise<RenderedImage[]> {
  const drawn = await drawing.draw(orders, { design, ...fileLoader({ imageFiles, uploads }) });
  const ofTenants = Map.groupBy(drawn.entries(), ([index]) => tenantOf(cases[index]?.key ?? ""));
  for (const [tenant, group] of ofTenants) {
    const files = new Map(group.map(([, { picture }]) => [picture.sha256, picture]));
    await imageFiles.put(tenant, [...files.values()]);
    onDrawn?.(tenant, group.length);
  }
  return cases.map(({ facts }, index) => imageOf(facts.shows, drawn[index] as DrawnLink));
}

function imageOf(shows: Shown, { picture, text, isEmpty, isEcc, fault, errors, warnings }: DrawnLink): RenderedImage {
  return {
    shows,
    image: picture.sha256,
    width: picture.width,
    height: picture.height,
    ...(text !== undefined && { text }),
    empty: isEmpty,
    ...(isEcc && { isEcc }),
    ...(fault && { fault }),
    ...(errors.length > 0 && { errors: errors.map(noticeText) }),
    warnings: warnings.map(noticeText),
    ...(errors.length + warnings.length > 0 && { notices: [...errors, ...warnings] }),
  };
}
