import type { ApplyRows, JournaledRow } from "../../queues/requests/apply-chunks.ts";
import type { Handlers, JobHandler } from "../../queues/topology.ts";
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
import { createMergeRows } from "./rows/merge-rows.ts";
import { createRemovePages, createSetPages } from "./rows/page-rows.ts";
import { createDeleteItems, createRemoveProperties, createRemoveSics } from "./rows/remove-rows.ts";
import { createApplyScheduled, createEnterRows } from "./rows/schedule-rows.ts";
import { failure, sicFailure } from "./rules/outcome.ts";
import type { PageSize } from "./rules/page-sizes.ts";
import { instantOf } from "./rules/valid-from.ts";

/** Items as they are stored, by key. */
export type Items = ReadonlyMap<string, Stored<Item>>;

/** What the item worker needs of the world. */
export interface Dependencies {
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

/** Item worker: applies journaled rows to storeitemvalues.v1 (specification, Items). */
export function itemWorker(dependencies: Dependencies): Handlers<"item"> {
  const { applyChunks, timeZoneOf } = dependencies;
  const mergeRows = createMergeRows(dependencies);
  const enterRows = createEnterRows(dependencies);

  const patchItems: ApplyRows<ItemPatch, JournaledRow<ItemPatch>> = async (store, rows, urgency) => {
    const dated = rows.some(({ row }) => row.validFrom);
    const due = dueTimes(rows, dated ? await timeZoneOf(store) : "UTC");
    if (due.size === 0) return mergeRows(store, rows, urgency);
    const present = rows.filter((row) => !due.has(row));
    const later = [...due].map(([row, at]) => ({ ...row, due: at }));
    const entered = await enterRows(store, later, urgency);
    const merged = await mergeRows(store, present, urgency);
    const outcomes = new Map([
      ...present.map((row, index) => [row, merged[index] ?? []] as const),
      ...[...due.keys()].map((row, index) => [row, entered[index] ?? []] as const),
    ]);
    return rows.map((row) => outcomes.get(row) ?? []);
  };

  const refuse = ({ itemId }: { itemId: string }, error: Error) => failure(itemId, [error.message]);
  return {
    "patch-items": applyChunks(patchItems, refuse),
    "delete-items": applyChunks(createDeleteItems(dependencies), refuse),
    "remove-sics": applyChunks(createRemoveSics(dependencies), ({ sic }, error) => sicFailure(sic, [error.message])),
    "remove-properties": applyChunks(createRemoveProperties(dependencies), refuse),
    "set-pages": applyChunks(createSetPages(dependencies), refuse),
    "remove-pages": applyChunks(createRemovePages(dependencies), refuse),
    "apply-scheduled": applyChunks(createApplyScheduled({ ...dependencies, mergeRows }), ({ until }, error) =>
      failure("", [`what is due by ${until} is not applied: ${error.message}`]),
    ),
  };
}

/**
 * When rows are due that wait for their time. Whether a row waits is decided by when it was accepted, not by when it is
 * applied: a chunk that is applied once more, its time come meanwhile, must do what it did.
 */
function dueTimes(rows: readonly JournaledRow<ItemPatch>[], timeZone: string): Map<JournaledRow<ItemPatch>, Date> {
  return new Map(
    rows.flatMap((row): [JournaledRow<ItemPatch>, Date][] => {
      const at = row.row.validFrom ? new Date(instantOf(row.row.validFrom, timeZone)) : undefined;
      return at !== undefined && at > row.acceptedAt ? [[row, at]] : [];
    }),
  );
}
