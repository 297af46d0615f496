import type { ApplyRows, JournaledRow } from "../../queues/requests/apply-chunks.ts";
import type { JobHandler } from "../../queues/topology.ts";
import type { ImageFile } from "../../records/files/image-files.ts";
import type { Stored } from "../../records/kind.ts";
import type { Item, ItemPatch } from "../../schemas/item.ts";
import type { RequestChunk } from "../../schemas/jobs.ts";
import type { LabelPatch } from "../../schemas/label.ts";
import type { ItemPages } from "../../schemas/page-image.ts";
import type { Outcome } from "../../schemas/request.ts";
import type { Schedule } from "../../schemas/schedule.ts";
import type { Urgency } from "../../schemas/topics.ts";
import type { DrawnPages, PageDrawingOrder } from "./pages/draw-pages.ts";
import type { PageSize } from "./rules/page-sizes.ts";

/** Items as they are stored, by key. */
export type Items = ReadonlyMap<string, Stored<Item>>;

/** What the item worker needs of the world. */
export interface ItemWorld {
  /** Makes a chunk's handler: it reads the rows, waits for their turn, has them applied and keeps the outcomes. */
  applyChunks<Row>(
    apply: ApplyRows<Row, JournaledRow<Row>>,
    refuse: (row: Row, error: Error) => Outcome,
  ): JobHandler<RequestChunk>;
  /** All numbers up to this one are applied. */
  settledThrough(store: string): Promise<number>;
  readItems(store: string, itemIds: readonly string[]): Promise<Items>;
  /** Enters the claims of these rows' codes; gives back why rows may not have theirs, by place. */
  claimSics(store: string, rows: readonly ItemPatch[], present: Items): Promise<Map<number, string>>;
  /** Drops the claims that these items hold on codes that they no longer list. */
  releaseSics(store: string, freed: ReadonlyMap<string, readonly string[]>): Promise<void>;
  /** The items that claim these codes. A claim counts only while its item lists the code. */
  ownersOf(store: string, sics: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Changes items by their ids: decides on `present` where it is given, or on what they are, or have become meanwhile;
   * commits, publishes.
   */
  changeItems(
    store: string,
    itemIds: readonly string[],
    decide: (itemId: string, current: Item | undefined) => Item | undefined,
    urgency: Urgency,
    present?: Items,
  ): Promise<void>;
  /** Makes the links that item rows ask for. */
  linkLabels: ApplyRows<LabelPatch>;
  /** Changes what waits for its time, by items: decides on what is there, or has come meanwhile. */
  changeSchedules(
    store: string,
    itemIds: readonly string[],
    decide: (itemId: string, current: Schedule | undefined) => Schedule | undefined,
    urgency: Urgency,
  ): Promise<void>;
  readSchedules(store: string, itemIds: readonly string[]): Promise<ReadonlyMap<string, Schedule>>;
  /** The schedules of a store in which something is due by this time. */
  findDue(store: string, until: Date): Promise<Schedule[]>;
  /** Called where a scheduled update could not be applied, or not with all of its links. */
  onScheduleFailed(store: string, itemId: string, errors: readonly string[]): void;
  /** Changes the page images of items: decides on what is there, or has come meanwhile; commits, publishes. */
  changePages(
    store: string,
    itemIds: readonly string[],
    decide: (itemId: string, current: ItemPages | undefined) => ItemPages | undefined,
    urgency: Urgency,
  ): Promise<void>;
  /** The sizes and palettes at which an item's labels show a page. */
  pageSizesOf(store: string, itemId: string, page: number): Promise<PageSize[]>;
  /** A file that was sent; undefined where it is not there any more. */
  readUpload(store: string, sha256: string): Promise<Uint8Array | undefined>;
  /** Decodes an upload and makes its pictures, beside this thread. Throws where it cannot be decoded. */
  drawPages(order: PageDrawingOrder): Promise<DrawnPages>;
  /** Stores pictures; before the record that points to them is committed. */
  putPictures(store: string, files: readonly ImageFile[]): Promise<void>;
  /** Whether a page image is refused where its item does not exist. */
  mustExist(store: string): Promise<boolean>;
  /** Whether an error says that a store cannot be reached, so that no row is to blame. */
  isUnavailable(error: unknown): boolean;
  /** IANA name of the store's zone. */
  timeZoneOf(store: string): Promise<string>;
  now(): Date;
}
