import type { SicsPlan } from "../../domain/items/assign-sics.ts";
import type { Admission } from "../../queues/publish/interactive-rows.ts";
import type { ApplyJournaledRows, ApplyRows, StampedRow } from "../../queues/requests/stamped-rows.ts";
import type { JobHandler } from "../../queues/topology.ts";
import type { Actor } from "../../schemas/actor.ts";
import type { PriorPriceRules } from "../../schemas/charged.ts";
import type { Item, ItemPatch } from "../../schemas/item.ts";
import type { RequestChunk } from "../../schemas/jobs.ts";
import type { LabelPatch } from "../../schemas/label.ts";
import type { ItemPages, PageDrawing } from "../../schemas/page-image.ts";
import type { ListedItem } from "../../schemas/price-list.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Outcome, OutcomesElsewhere } from "../../schemas/request.ts";
import type { Schedule, ScheduleHeads } from "../../schemas/schedule.ts";
import type { Urgency } from "../../schemas/urgency.ts";

/** Stored items, by key. */
export type Items = ReadonlyMap<string, Stored<Item>>;

/** An order to draw an uploaded image, from a row of this chunk. */
export interface DrawingOfPage {
  store: string;
  /** Key of the row's chunk. */
  parent: string;
  row: PageDrawing;
  urgency: Urgency;
}

/** Codes that an item no longer lists, and the stamp of the row that freed the codes. */
export interface FreedSics {
  sics: readonly string[];
  stamp: number;
}

/** A price list's request, with the items that it changes. */
export interface RequestOfList {
  list: string;
  number: number;
  since: Date;
  by: Actor | undefined;
  /** The earliest time for which a row of the request is scheduled. */
  startsAt: Date | undefined;
  /** By part index: a row belongs to the same part each time it is applied. */
  parts: ReadonlyMap<number, readonly ListedItem[]>;
}

/** What the item worker needs from the world. */
export interface ItemWorld {
  /** Creates the handler of chunks: it reads the rows, waits for their turn, applies them and stores the outcomes. */
  applyChunks<Row>(
    apply: ApplyJournaledRows<Row>,
    refuse: (row: Row, error: Error) => Outcome,
  ): JobHandler<RequestChunk>;
  /** Returns a number up to which all requests of the store are applied: the largest, or any that is at least `enough`. */
  settledAtLeast(store: string, enough: number): Promise<number>;
  readItems(store: string, itemIds: readonly string[]): Promise<Items>;
  /** Assigns the codes of these rows to their items; returns the codes that other items have, by row index. */
  assignSics(store: string, rows: readonly StampedRow<ItemPatch>[], present: Items): Promise<SicsPlan["taken"]>;
  /** Drops the assignments of codes that these items no longer list; assignments that were stored later stay. */
  releaseSics(store: string, freed: ReadonlyMap<string, FreedSics>): Promise<void>;
  /**
   * Returns the ids of the items to which these codes are assigned, by code. An assignment counts only while its item lists the
   * code.
   */
  ownersOf(store: string, sics: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Changes items by compare-and-set and publishes the changes. `decide` first receives the item in `present`, if there is one;
   * after a conflict, it receives the stored item.
   */
  changeItems(
    store: string,
    itemIds: readonly string[],
    decide: (itemId: string, current: Item | undefined) => Item | undefined,
    urgency: Urgency,
    present?: Items,
  ): Promise<void>;
  /** Creates the links that item rows name. */
  linkLabels: ApplyRows<LabelPatch>;
  /**
   * Adds a request to a price list, with the items that it changes. Returns the number of the list's first request. Idempotent.
   */
  enterList(store: string, request: RequestOfList): Promise<number>;
  /** Returns the number of each price list's first request, for the lists whose records have not expired. */
  readListFirsts(store: string, lists: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Records in a price list the number of a request that undoes it. Idempotent. */
  enterUndo(store: string, list: string, undo: { number: number; at: Date; by: Actor | undefined }): Promise<void>;
  /** Decides the urgency of this many due updates of a store. They count among its tenant's interactive rows until released. */
  admit(store: string, rows: number): Promise<Admission>;
  /** Changes the schedules of items by compare-and-set. */
  changeSchedules(
    store: string,
    itemIds: readonly string[],
    decide: (itemId: string, current: Schedule | undefined) => Schedule | undefined,
    urgency: Urgency,
  ): Promise<void>;
  /**
   * Returns the uncommitted switches at these times, by epoch milliseconds. From then on, these switches can no longer be
   * committed.
   */
  closeUncommitted(store: string, times: readonly Date[]): Promise<ReadonlyMap<number, string>>;
  readSchedules(store: string, itemIds: readonly string[]): Promise<ReadonlyMap<string, Schedule>>;
  /** Finds the schedules of a store with an update that is due by `until`, without the updates' rows. */
  findDue(store: string, until: Date): Promise<ScheduleHeads[]>;
  /** Called when a scheduled update, or one of its links, could not be applied. */
  onScheduleFailed(store: string, itemId: string, errors: readonly string[]): void;
  /** Changes the page images of items by compare-and-set and publishes the changes. */
  changePages(
    store: string,
    itemIds: readonly string[],
    decide: (itemId: string, current: ItemPages | undefined) => ItemPages | undefined,
    urgency: Urgency,
  ): Promise<void>;
  /** Journals the drawing of an upload and enqueues it; returns the reference to its outcome. Idempotent. */
  orderDrawing(order: DrawingOfPage): Promise<OutcomesElsewhere>;
  /** Whether the store rejects page images of items that do not exist. */
  mustExist(store: string): Promise<boolean>;
  /** Whether an error means that a database is unreachable, so the row is not at fault. */
  isUnavailable(error: unknown): boolean;
  /** Returns the rules by which the store finds the prior price of a reduction. */
  priorPriceRulesOf(store: string): Promise<PriorPriceRules>;
  /** Returns the IANA name of the store's time zone. */
  timeZoneOf(store: string): Promise<string>;
  now(): Date;
}
