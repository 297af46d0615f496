import { failure, success } from "../../domain/items/outcome.ts";
import { sizesText } from "../../domain/items/page-sizes.ts";
import type { DrawnPages } from "../../drawing/decoding/draw-pages.ts";
import type { ApplyRows } from "../../queues/requests/stamped-rows.ts";
import { storeOf } from "../../schemas/keys.ts";
import type { ItemPageImage, PageDrawing, PageSource } from "../../schemas/page-image.ts";
import type { Outcome } from "../../schemas/request.ts";
import { type RowNotice, rowNotice } from "../../schemas/row-notice.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import { drawUpload } from "./draw-upload.ts";
import type { PagesWorld } from "./world.ts";

type World = Pick<
  PagesWorld,
  "pageSizesOf" | "readUpload" | "drawPages" | "putPictures" | "setImages" | "isUnavailable"
>;

/**
 * Draws uploads and sets them on their items' pages under the stamp of the upload's own row, so the order in which drawings end
 * does not matter. Rows are handled one by one, since each may take seconds.
 */
export function createDrawRows(world: World): ApplyRows<PageDrawing> {
  async function drawRow(store: string, row: PageDrawing, urgency: Urgency): Promise<Outcome> {
    const { itemId, page, resize, upload, stamp, isNewItem } = row;
    const drawn = await picturesOf(world, store, row);
    if ("code" in drawn) return failure(itemId, drawn);
    const { width, height, pictures } = drawn;
    await world.putPictures(
      store,
      pictures.map(({ file }) => file),
    );
    const source = { page, upload, resize, width, height, stamp };
    await world.setImages(store, itemId, drawnImages(source, pictures), urgency, source);
    return success(itemId, isNewItem);
  }

  return async (drawings, rows, urgency) => {
    const outcomes: Outcome[][] = [];
    for (const { row } of rows) outcomes.push([await drawRow(storeOf(drawings), row, urgency)]);
    return outcomes;
  };
}

/** Returns the images of a page from the pictures of its upload. */
export const drawnImages = (
  { page, stamp }: Pick<PageSource, "page" | "stamp">,
  pictures: DrawnPages["pictures"],
): ItemPageImage[] =>
  pictures.map(({ size, file }) => ({ page, ...size, colors: [...size.colors], image: file.sha256, stamp }));

/** Returns the pictures of an upload, or the reason if there are none. */
async function picturesOf(world: World, store: string, row: PageDrawing): Promise<DrawnPages | RowNotice> {
  const { itemId, page } = row;
  const sizes = await world.pageSizesOf(store, itemId, page);
  if (sizes.length === 0) return rowNotice("PAGE_UNKNOWN", { page });
  const drawn = await drawUpload(world, store, row, sizes);
  if (typeof drawn === "string") return rowNotice("PAGE_NOT_DRAWN", { detail: drawn });
  const { width, height, pictures } = drawn;
  return pictures.length > 0 ? drawn : rowNotice("PAGE_SIZE", { width, height, page, sizes: sizesText(sizes) });
}
