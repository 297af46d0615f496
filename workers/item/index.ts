import { failure } from "../../domain/items/outcome.ts";
import type { ApplyRows, JournaledRow } from "../../queues/requests/stamped-rows.ts";
import type { Handlers } from "../../queues/topology.ts";
import type { CampaignRow } from "../../schemas/campaign-row.ts";
import type { ItemPatch } from "../../schemas/item.ts";
import { rowFailed, rowNotice } from "../../schemas/row-notice.ts";
import { createCampaignItems, createMergeCampaigns } from "./apply/campaign-items.ts";
import { createDeleteItems, createRemoveProperties, createRemoveSics } from "./apply/delete-items.ts";
import { createEnterRows, type DatedRow } from "./apply/enter-rows.ts";
import { createRemovePages, createSetPages } from "./apply/page-images.ts";
import { createPatchItems } from "./apply/patch-items.ts";
import { createEnterLists, createUndoLists } from "./apply/price-lists.ts";
import { createApplyScheduled, createCancelScheduled } from "./apply/scheduled-updates.ts";
import { type Dated, dueTimes } from "./due-times.ts";
import type { ItemWorld } from "./world.ts";

/** Returns when a row takes effect; undefined if immediately. */
type DueOf<Row> = (row: JournaledRow<Row>) => Date | undefined;

/** Records the price lists of rows; returns the number of each list's first request. */
type EnterLists<Row> = (
  store: string,
  rows: readonly JournaledRow<Row>[],
  dueOf: DueOf<Row>,
) => Promise<ReadonlyMap<string, number>>;

/** Item worker: applies journaled rows to storeitemvalues.v1 (docs/architecture/guarantees.md#rows-apply-in-order). */
export function itemWorker(world: ItemWorld): Handlers<"item"> {
  const { applyChunks, timeZoneOf } = world;
  const mergeRows = createPatchItems(world);
  const mergeCampaigns = createMergeCampaigns(world);
  const enterRows = createEnterRows(world);

  /** Applies due rows, and schedules the others. */
  const nowOrLater =
    <Row extends Dated>(
      apply: ApplyRows<Row, JournaledRow<Row>>,
      marksOf: (row: Row) => Pick<DatedRow, "campaign" | "ends">,
      enter?: EnterLists<Row>,
    ): ApplyRows<Row, JournaledRow<Row>> =>
    async (store, rows, urgency) => {
      const hasDates = rows.some(({ row }) => row.validFrom);
      const due = dueTimes(rows, hasDates ? await timeZoneOf(store) : "UTC");
      const firsts = await enter?.(store, rows, (row) => due.get(row));
      const listed = (row: JournaledRow<Row>) =>
        row.list === undefined ? row : { ...row, first: firsts?.get(row.list) };
      if (due.size === 0) return apply(store, rows.map(listed), urgency);
      const present = rows.filter((row) => !due.has(row));
      const dated = [...due].map(([row, at]) => ({ ...row, ...marksOf(row.row), due: at }));
      const entered = await enterRows(store, dated, urgency);
      const merged = await apply(store, present.map(listed), urgency);
      const outcomes = new Map([
        ...present.map((row, index) => [row, merged[index] ?? []] as const),
        ...[...due.keys()].map((row, index) => [row, entered[index] ?? []] as const),
      ]);
      return rows.map((row) => outcomes.get(row) ?? []);
    };

  const failed = (error: Error) => ({ status: "ERROR" as const, ...rowFailed(error) });
  const refuse = ({ itemId }: { itemId: string }, error: Error) => ({ itemId, ...failed(error) });
  return {
    "patch-items": applyChunks(
      nowOrLater<ItemPatch>(mergeRows, () => ({}), createEnterLists(world)),
      refuse,
    ),
    "campaign-items": applyChunks(
      nowOrLater<CampaignRow>(createCampaignItems(world, mergeCampaigns), ({ campaign, ends }) => ({
        campaign,
        ...(ends && { ends }),
      })),
      refuse,
    ),
    "delete-items": applyChunks(createDeleteItems(world), refuse),
    "remove-sics": applyChunks(createRemoveSics(world), ({ sic }, error) => ({ sic, ...failed(error) })),
    "remove-properties": applyChunks(createRemoveProperties(world), refuse),
    "set-pages": applyChunks(createSetPages(world), refuse),
    "remove-pages": applyChunks(createRemovePages(world), refuse),
    "cancel-scheduled": applyChunks(createCancelScheduled(world), refuse),
    "undo-list": applyChunks(createUndoLists(world), refuse),
    "apply-scheduled": applyChunks(createApplyScheduled({ ...world, mergeRows, mergeCampaigns }), ({ until }, error) =>
      failure("", rowNotice("UPDATES_FAILED", { until, detail: error.message })),
    ),
  };
}
