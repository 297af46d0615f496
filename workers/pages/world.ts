import type { PageSize } from "../../domain/items/page-sizes.ts";
import type { DrawnPages, PageDrawingOrder } from "../../drawing/decoding/draw-pages.ts";
import type { ApplyRows } from "../../queues/requests/stamped-rows.ts";
import type { JobHandler } from "../../queues/topology.ts";
import type { ImageFile } from "../../schemas/image-file.ts";
import type { RequestChunk } from "../../schemas/jobs.ts";
import type { ItemPageImage, ItemPages, PageSource } from "../../schemas/page-image.ts";
import type { Outcome } from "../../schemas/request.ts";
import type { Urgency } from "../../schemas/urgency.ts";

/** What the pages worker needs from the world. A store is named by its own key, not by the key of its drawings. */
export interface PagesWorld {
  /** Derives the files that designs draw from these assets, if the assets changed. */
  deriveAssetFiles(keys: readonly string[], urgency: Urgency): Promise<void>;
  /** Creates the handler of chunks: it reads the rows, applies them and stores the outcomes. */
  applyChunks<Row>(apply: ApplyRows<Row>, refuse: (row: Row, error: Error) => Outcome): JobHandler<RequestChunk>;
  /** Returns the sizes and palettes at which the item's labels show a page. */
  pageSizesOf(store: string, itemId: string, page: number): Promise<PageSize[]>;
  /** Reads the bytes of an upload; undefined if it is no longer stored. */
  readUpload(store: string, sha256: string): Promise<Uint8Array | undefined>;
  /** Decodes an upload and draws its pictures in another process. Throws if it cannot be decoded. */
  drawPages(order: PageDrawingOrder): Promise<DrawnPages>;
  /** Stores pictures. Must be called before the record that refers to them is committed. */
  putPictures(store: string, files: readonly ImageFile[]): Promise<void>;
  readPages(store: string, itemId: string): Promise<ItemPages | undefined>;
  /**
   * Sets images of an item's pages, with their upload if it is to be kept. An image is not set if its stamp is smaller than a
   * deletion's or a newer image's.
   */
  setImages(
    store: string,
    itemId: string,
    images: readonly ItemPageImage[],
    urgency: Urgency,
    source?: PageSource,
  ): Promise<void>;
  /** Records and logs that a kept upload cannot be drawn at a size. */
  failSize(
    store: string,
    itemId: string,
    source: PageSource,
    size: PageSize,
    reason: string,
    urgency: Urgency,
  ): Promise<void>;
  /** Whether an error means that a database is unreachable, so the row is not at fault. */
  isUnavailable(error: unknown): boolean;
}
