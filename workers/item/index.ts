import { failure } from "../../domain/items/outcome.ts";
import { instantOf } from "../../domain/items/valid-from.ts";
import type { ApplyRows, JournaledRow } from "../../queues/requests/stamped-rows.ts";
import type { Handlers } from "../../queues/topology.ts";
import type { ItemPatch } from "../../schemas/item.ts";
import { rowFailed, rowNotice } from "../../schemas/row-notice.ts";
import { createDeleteItems, createRemoveProperties, createRemoveSics } from "./apply/delete-items.ts";
import { createRemovePages, createSetPages } from "./apply/page-images.ts";
import { createPatchItems } from "./apply/patch-items.ts";
import { createEnterLists, createUndoLists } from "./apply/price-lists.ts";
import { createApplyScheduled, createCancelScheduled, createEnterRows } from "./apply/scheduled-updates.ts";
import type { ItemWorld } from "./world.ts";

/** Item worker: applies journaled rows to storeitemvalues.v1 (docs/architecture/guarantees.md#rows-apply-in-order). */
export function itemWorker(world: ItemWorld): Handlers<"item"> {
  const { applyChunks, timeZoneOf } = world;
  const mergeRows = createPatchItems(world);
  const enterRows = createEnterRows(world);
  const enterLists = createEnterLists(world);

  const patchItems: ApplyRows<ItemPatch, JournaledRow<ItemPatch>> = async (store, rows, urgency) => {
    const hasDates = rows.some(({ row }) => row.validFrom);
    const due = dueTimes(rows, hasDates ? await timeZoneOf(store) : "UTC");
    await enterLists(store, rows, (row) => due.get(row));
    if (due.size === 0) return mergeRows(store, rows, urgency);
    const present = rows.filter((row) => !due.has(row));
    const dated = [...due].map(([row, at]) => ({ ...row, due: at }));
    const entered = await enterRows(store, dated, urgency);
    const merged = await mergeRows(store, present, urgency);
    const outcomes = new Map([
      ...present.map((row, index) => [row, merged[index] ?? []] as const),
      ...[...due.keys()].map((row, index) => [row, entered[index] ?? []] as const),
    ]);
    return rows.map((row) => outcomes.get(row) ?? []);
  };

  const failed = (error: Error) => ({ status: "ERROR" as const, ...rowFailed(error) });
  const refuse = ({ itemId }: { itemId: string }, error: Error) => ({ itemId, ...failed(error) });
  return {
    "patch-items": applyChunks(patchItems, refuse),
    "delete-items": applyChunks(createDeleteItems(world), refuse),
    "remove-sics": applyChunks(createRemoveSics(world), ({ sic }, error) => ({ sic, ...failed(error) })),
    "remove-properties": applyChunks(createRemoveProperties(world), refuse),
    "set-pages": applyChunks(createSetPages(world), refuse),
    "remove-pages": applyChunks(createRemovePages(world), refuse),
    "cancel-scheduled": applyChunks(createCancelScheduled(world), refuse),
    "undo-list": applyChunks(createUndoLists(world), refuse),
    "apply-scheduled": applyChunks(createApplyScheduled({ ...world, mergeRows }), ({ until }, error) =>
      failure("", rowNotice("UPDATES_FAILED", { until, detail: error.message })),
    ),
  };
}

/**
 * The due times of the rows that take effect later. They are compared with the time at which the row was accepted, not
 * applied: a chunk that is applied again, after the due time has passed, must have the same result.
 */
function dueTimes(rows: readonly JournaledRow<ItemPatch>[], timeZone: string): Map<JournaledRow<ItemPatch>, Date> {
  return new Map(
    rows.flatMap((row): [JournaledRow<ItemPatch>, Date][] => {
      const at = row.row.validFrom ? new Date(instantOf(row.row.validFrom, timeZone)) : undefined;
      return at !== undefined && at > row.acceptedAt ? [[row, at]] : [];
    }),
  );
}
