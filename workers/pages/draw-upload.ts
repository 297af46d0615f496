import type { PageSize } from "../../domain/items/page-sizes.ts";
import type { DrawnPages } from "../../drawing/decoding/draw-pages.ts";
import { ThreadError } from "../../runtime/thread/thread.ts";
import type { PageSource } from "../../schemas/page-image.ts";
import type { PagesWorld } from "./world.ts";

/**
 * Draws an upload at these sizes, or returns the reason why it cannot be drawn. An upload that must not be scaled has no picture
 * in a different size. Throws while a database is unreachable, and if a busy machine takes too long.
 */
export async function drawUpload(
  { readUpload, drawPages, isUnavailable }: Pick<PagesWorld, "readUpload" | "drawPages" | "isUnavailable">,
  store: string,
  { upload, resize }: Pick<PageSource, "upload" | "resize">,
  sizes: readonly PageSize[],
): Promise<DrawnPages | string> {
  const file = await readUpload(store, upload);
  if (file === undefined) return "the uploaded image is no longer stored: send it again";
  try {
    return await drawPages({ file, resize, sizes });
  } catch (error) {
    // The time that a busy machine takes is not the file's fault: the upload is drawn later.
    if (isUnavailable(error) || (error instanceof ThreadError && error.isLate)) throw error;
    return `the image cannot be decoded: ${(error as Error).message}`;
  }
}
