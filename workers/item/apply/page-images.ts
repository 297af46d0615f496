import type { ApplyRows } from "../../../queues/requests/apply-chunks.ts";
import { exists, type Item } from "../../../schemas/item.ts";
import { itemKey } from "../../../schemas/keys.ts";
import type { ItemPageImage, PageRow } from "../../../schemas/page-image.ts";
import type { Outcome } from "../../../schemas/request.ts";
import type { Urgency } from "../../../schemas/topics.ts";
import { mergeItem } from "../rules/merge-item.ts";
import { removePage, setPages } from "../rules/merge-pages.ts";
import { failure, notFound, success } from "../rules/outcome.ts";
import { sizesText } from "../rules/page-sizes.ts";
import type { ItemWorld } from "../world.ts";

type World = Pick<
  ItemWorld,
  | "readItems"
  | "changeItems"
  | "changePages"
  | "pageSizesOf"
  | "readUpload"
  | "drawPages"
  | "putPictures"
  | "mustExist"
  | "isUnavailable"
>;

/** Sets images of pages. Each row is one upload; rows run one after the other, because a row may create its item. */
export function createSetPages(world: World): ApplyRows<PageRow> {
  const { readItems, changeItems, changePages, putPictures, mustExist } = world;

  async function setPage(store: string, row: PageRow, stamp: number, urgency: Urgency): Promise<Outcome> {
    const { itemId } = row;
    const item = (await readItems(store, [itemId])).get(itemKey(store, itemId));
    const isThere = item !== undefined && exists(item);
    if (!isThere && (await mustExist(store))) return failure(itemId, notFound(itemId).errors);
    const images = await drawRow(world, store, row, stamp);
    if (typeof images === "string") return failure(itemId, [images]);
    await putPictures(
      store,
      images.map(({ file }) => file),
    );
    let isNew = false;
    const made = (_: string, current: Item | undefined) => {
      const next = current && exists(current) ? current : mergeItem(current, { itemId }, stamp, true);
      isNew = next.created === stamp;
      return next;
    };
    await changeItems(store, [itemId], made, urgency);
    const set = images.map(({ image }) => image);
    await changePages(store, [itemId], (_, current) => setPages(current, itemId, set), urgency);
    return success(itemId, isNew);
  }

  return async (store, rows, urgency) => {
    const outcomes: Outcome[][] = [];
    for (const { row, stamp } of rows) outcomes.push([await setPage(store, row, stamp, urgency)]);
    return outcomes;
  };
}

/** Draws the pictures of an upload; gives a text with the reason where there are none. */
async function drawRow(
  { pageSizesOf, readUpload, drawPages, isUnavailable }: World,
  store: string,
  { itemId, page, resize, upload }: PageRow,
  stamp: number,
) {
  const sizes = await pageSizesOf(store, itemId, page);
  if (sizes.length === 0) return `no label type that shows the item has a page ${page}`;
  const file = await readUpload(store, upload);
  if (file === undefined) return "the image that was sent is not there any more: send it again";
  try {
    const { width, height, pictures } = await drawPages({ file, resize, sizes });
    if (pictures.length === 0)
      return `the image is ${width} x ${height} pixels, page ${page} of the item's labels ${sizesText(sizes)}`;
    return pictures.map(({ size, file: picture }) => {
      const image: ItemPageImage = { page, ...size, colors: [...size.colors], image: picture.sha256, stamp };
      return { file: picture, image };
    });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return `the image cannot be decoded: ${(error as Error).message}`;
  }
}

/** Removes images of pages, so that labels show the drawn picture again. Succeeds for a page without an image. */
export const createRemovePages =
  ({ readItems, changePages }: World): ApplyRows<{ itemId: string; page: number }> =>
  async (store, rows, urgency) => {
    const itemIds = [...new Set(rows.map(({ row }) => row.itemId))];
    const present = await readItems(store, itemIds);
    const known = new Set([...present.values()].filter(exists).map(({ itemId }) => itemId));
    for (const { row, stamp } of rows) {
      const { itemId, page } = row;
      await changePages(store, [itemId], (_, current) => current && removePage(current, page, stamp), urgency);
    }
    return rows.map(({ row: { itemId } }) => [known.has(itemId) ? success(itemId, false) : notFound(itemId)]);
  };
