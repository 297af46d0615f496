import type { PageSize } from "../../domain/items/page-sizes.ts";
import { missingSource } from "../../domain/items/page-sources.ts";
import type { JobHandler } from "../../queues/topology.ts";
import type { PageSizeOrder } from "../../schemas/jobs.ts";
import type { PageSource } from "../../schemas/page-image.ts";
import { drawnImages } from "./draw-rows.ts";
import { drawUpload } from "./draw-upload.ts";
import type { PagesWorld } from "./world.ts";

type World = Pick<
  PagesWorld,
  "readPages" | "readUpload" | "drawPages" | "putPictures" | "setImages" | "failSize" | "isUnavailable"
>;

/**
 * Draws pages at the sizes of labels that have started to show them, from the uploads that their items keep. A repeated order
 * finds the picture, or the reason why there is none, and does not draw again.
 */
export function createDrawSizes(world: World): JobHandler<PageSizeOrder> {
  const { readPages, putPictures, setImages, failSize } = world;
  return async (orders) => {
    for (const { store, itemId, page, width, height, colors, urgency } of orders) {
      const size = { width, height, colors };
      const pages = await readPages(store, itemId);
      const source = pages && missingSource(pages, { page, size });
      if (source === undefined) continue;
      const pictures = await pictureOf(world, store, source, size);
      if (typeof pictures === "string") {
        await failSize(store, itemId, source, size, pictures, urgency);
        continue;
      }
      await putPictures(
        store,
        pictures.map(({ file }) => file),
      );
      await setImages(store, itemId, drawnImages(source, pictures), urgency);
    }
    return [];
  };
}

/** Returns the picture of an upload at a size, or the reason as a string if there is no picture. */
async function pictureOf(world: World, store: string, source: PageSource, size: PageSize) {
  const drawn = await drawUpload(world, store, source, [size]);
  if (typeof drawn === "string") return drawn;
  return drawn.pictures.length > 0 ? drawn.pictures : `the image is ${drawn.width} x ${drawn.height} pixels`;
}
