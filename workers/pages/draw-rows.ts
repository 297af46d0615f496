import type { ApplyRows } from "../../queues/requests/apply-chunks.ts";
import { storeOf } from "../../schemas/keys.ts";
import type { ItemPageImage, PageDrawing } from "../../schemas/page-image.ts";
import type { Outcome } from "../../schemas/request.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import { failure, success } from "../item/rules/outcome.ts";
import { sizesText } from "../item/rules/page-sizes.ts";
import type { PagesWorld } from "./world.ts";

type World = Omit<PagesWorld, "applyChunks" | "deriveAssetFiles">;

/**
 * Draws uploads and sets them on their items' pages. The stamp is that of the upload's own row, so the order in which
 * drawings end changes nothing. Rows run one after the other: each may take seconds.
 */
export function createDrawRows(world: World): ApplyRows<PageDrawing> {
  async function drawRow(store: string, row: PageDrawing, urgency: Urgency): Promise<Outcome> {
    const { itemId, page, stamp, isNewItem } = row;
    const drawn = await picturesOf(world, store, row);
    if (typeof drawn === "string") return failure(itemId, [drawn]);
    await world.putPictures(
      store,
      drawn.map(({ file }) => file),
    );
    const images = drawn.map(({ size, file }): ItemPageImage => {
      return { page, ...size, colors: [...size.colors], image: file.sha256, stamp };
    });
    await world.setImages(store, itemId, images, urgency);
    return success(itemId, isNewItem);
  }

  return async (drawings, rows, urgency) => {
    const outcomes: Outcome[][] = [];
    for (const { row } of rows) outcomes.push([await drawRow(storeOf(drawings), row, urgency)]);
    return outcomes;
  };
}

/** The pictures of an upload, or a text with the reason where there are none. */
async function picturesOf(
  { pageSizesOf, readUpload, drawPages, isUnavailable }: World,
  store: string,
  { itemId, page, resize, upload }: PageDrawing,
) {
  const sizes = await pageSizesOf(store, itemId, page);
  if (sizes.length === 0) return `no label type that shows the item has a page ${page}`;
  const file = await readUpload(store, upload);
  if (file === undefined) return "the image that was sent is not there any more: send it again";
  try {
    const { width, height, pictures } = await drawPages({ file, resize, sizes });
    if (pictures.length > 0) return pictures;
    return `the image is ${width} x ${height} pixels, page ${page} of the item's labels ${sizesText(sizes)}`;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return `the image cannot be decoded: ${(error as Error).message}`;
  }
}
