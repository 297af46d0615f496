import { setPages } from "../../../domain/items/merge-pages.ts";
import type { ApplyJournaledRows } from "../../../queues/requests/stamped-rows.ts";
import type { CampaignRow } from "../../../schemas/campaign-row.ts";
import type { Item, ItemPatch } from "../../../schemas/item.ts";
import { idOf, itemKey, pageDrawingsKey } from "../../../schemas/keys.ts";
import type { ItemPageImage, ItemPages, PageDrawing, PageRow, PageSource } from "../../../schemas/page-image.ts";
import type { UndoRow } from "../../../schemas/price-list.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { KeptOutcome, Outcome } from "../../../schemas/request.ts";
import type { Schedule } from "../../../schemas/schedule.ts";
import { stampOf } from "../../../schemas/stamp.ts";
import { itemWorker } from "../../../workers/item/index.ts";
import type { ItemWorld } from "../../../workers/item/world.ts";
import { unchecked } from "../../harness/part-of.ts";

const store = "t/demo/s/main";

/** One store in memory, in which requests are applied one after the other. */
export function createWorld(overrides: Partial<ItemWorld> = {}) {
  const items = new Map<string, Stored<Item>>();
  const pages = new Map<string, ItemPages>();
  const schedules = new Map<string, Schedule>();
  const journal: {
    number: number;
    rows: readonly unknown[];
    acceptedAt: Date;
    outcomes: readonly KeptOutcome[][];
    list: string | undefined;
  }[] = [];
  /** Ordered drawings. No worker reports their outcomes here. */
  const drawings: PageDrawing[] = [];
  /** Released SICs with their former items. */
  const released: string[] = [];
  const owners = new Map<string, string>();
  /** Number of the first request of each price list that is not forgotten. */
  const firsts = new Map<string, number>();
  /** Scheduled updates that failed. */
  const failed: string[] = [];
  let acceptedAt = "1970-01-01T00:00:00Z";

  const worker = itemWorker({
    applyChunks:
      <Row>(apply: ApplyJournaledRows<Row>) =>
      async (jobs) => {
        for (const { index } of jobs) {
          const chunk = journal[index];
          if (chunk === undefined) continue;
          const { number, rows, acceptedAt, list } = chunk;
          const stamped = rows.map((row, position) => {
            return {
              row: unchecked<Row>(row),
              stamp: stampOf(number, position),
              acceptedAt,
              list,
              chunk: { _id: String(index) },
            };
          });
          chunk.outcomes = await apply(store, stamped, "interactive");
        }
        return [];
      },
    settledAtLeast: async () => 0,
    admit: async (_store, rows) => ({ urgency: rows <= 100 ? "interactive" : "bulk", release: () => {} }),
    readItems: async () => new Map(items),
    assignSics: async () => new Map(),
    // No code moves between items in these tests, so an item owns every code that it lists or listed last.
    async ownersOf(_store, sics) {
      for (const { itemId, sics: listed } of items.values()) for (const sic of listed) owners.set(sic, itemId);
      return new Map(sics.flatMap((sic) => (owners.has(sic) ? [[sic, owners.get(sic) ?? ""]] : [])));
    },
    async releaseSics(_store, freed) {
      released.push(...[...freed].flatMap(([itemId, { sics }]) => sics.map((sic) => `${sic} of ${itemId}`)));
    },
    async changeItems(_store, itemIds, decide) {
      for (const key of itemIds.map((itemId) => itemKey(store, itemId))) {
        const decided = decide(idOf(key), items.get(key));
        const envelope = { _id: key, store, rev: 1, writeId: "", changedAt: new Date(0) };
        if (decided === undefined) continue;
        // Prices are read only when they are requested by name.
        const { prices: _, ...body } = decided;
        items.set(key, { ...envelope, ...body });
      }
    },
    linkLabels: async (_store, rows) => rows.map(() => []),
    async changeSchedules(_store, itemIds, decide) {
      for (const itemId of itemIds) {
        const schedule = decide(itemId, schedules.get(itemId));
        if (schedule) schedules.set(itemId, schedule);
      }
    },
    async changePages(_store, itemIds, decide) {
      for (const itemId of itemIds) {
        const present = decide(itemId, pages.get(itemId));
        if (present) pages.set(itemId, present);
      }
    },
    async orderDrawing({ row }) {
      drawings.push(row);
      return { store: pageDrawingsKey(store), number: drawings.length };
    },
    closeUncommitted: async () => new Map(),
    async enterList(_store, { list, number }) {
      firsts.set(list, Math.min(firsts.get(list) ?? number, number));
      return firsts.get(list) ?? number;
    },
    readListFirsts: async () => new Map(firsts),
    enterUndo: async () => {},
    mustExist: async () => true,
    readSchedules: async () => new Map(schedules),
    findDue: async (_store, until) => [...schedules.values()].filter(({ due }) => due && due <= until),
    onScheduleFailed: (_store, itemId, errors) => failed.push(`${itemId}: ${errors.join()}`),
    isUnavailable: () => false,
    timeZoneOf: async () => "UTC",
    priorPriceRulesOf: async () => ({}),
    now: () => new Date(0),
    ...overrides,
  });

  async function apply(
    job: keyof typeof worker,
    number: number,
    rows: readonly unknown[],
    list?: string,
  ): Promise<Outcome[]> {
    const index = journal.push({ number, rows, acceptedAt: new Date(acceptedAt), outcomes: [], list }) - 1;
    await worker[job]([{ key: "", store, number, index, ordered: true, size: rows.length }]);
    return (journal[index]?.outcomes.flat() ?? []).filter((outcome) => "status" in outcome);
  }

  return {
    released,
    failed,
    drawings,
    /** Stores the images of a finished drawing. */
    setImages(itemId: string, images: readonly ItemPageImage[], source?: PageSource) {
      pages.set(itemId, setPages(pages.get(itemId), itemId, images, source));
    },
    pagesOf: (itemId: string) => pages.get(itemId),
    setPage: (number: number, ...rows: PageRow[]) => apply("set-pages", number, rows),
    removePage: (number: number, ...rows: { itemId: string; page: number }[]) => apply("remove-pages", number, rows),
    scheduleOf: (itemId: string) => schedules.get(itemId),
    /** Sets the acceptance time of the next requests, in UTC. */
    acceptAt(time: string) {
      acceptedAt = `${time.replace(" ", "T")}Z`;
    },
    applyDue: (number: number, until: string) =>
      apply("apply-scheduled", number, [{ until: `${until.replace(" ", "T")}Z` }]),
    itemOf: (itemId: string) => items.get(itemKey(store, itemId)),
    patch: (number: number, ...rows: ItemPatch[]) => apply("patch-items", number, rows),
    patchList: (list: string, number: number, ...rows: ItemPatch[]) => apply("patch-items", number, rows, list),
    runCampaign: (number: number, ...rows: CampaignRow[]) => apply("campaign-items", number, rows),
    forgetList: (list: string) => firsts.delete(list),
    undo: (number: number, ...rows: UndoRow[]) => apply("undo-list", number, rows),
    removeSics: (number: number, ...sics: string[]) =>
      apply(
        "remove-sics",
        number,
        sics.map((sic) => ({ sic })),
      ),
    removeProperties: (number: number, ...rows: { itemId: string; property: string }[]) =>
      apply("remove-properties", number, rows),
    remove: (number: number, ...itemIds: string[]) =>
      apply(
        "delete-items",
        number,
        itemIds.map((itemId) => ({ itemId })),
      ),
  };
}
