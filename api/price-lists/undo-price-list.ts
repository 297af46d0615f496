import { type ListedNow, planUndo } from "../../domain/price-lists/plan-undo.ts";
import type { OpenListRequest } from "../../records/requests/held/open-list-request.ts";
import type { OnGuard } from "../../schemas/held-request.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import { idOf } from "../../schemas/keys.ts";
import type { PriceList, UndoRow } from "../../schemas/price-list.ts";
import type { Stored } from "../../schemas/record.ts";
import { refusalNotice } from "../../schemas/refusal-notice.ts";
import { MAX_ROWS } from "../../schemas/request.ts";
import type { StoreRecord } from "../../schemas/store.ts";
import type { Permit } from "../access/verify-token.ts";
import type { AcceptGuarded } from "../held/accept-guarded.ts";
import { ProblemError } from "../http/problem-error.ts";
import type { ListReads } from "./list-reads.ts";

interface Dependencies
  extends Pick<ListReads, "readListedItems" | "readListedNow">,
    Pick<AcceptGuarded, "acceptAllGuarded"> {
  /** Finds a request of the list that may still change items. */
  openRequestOf(store: string, listId: string): Promise<OpenListRequest | undefined>;
}

interface UndoCall {
  store: string;
  settings: Stored<StoreRecord>;
  permit: Permit;
  onGuard: OnGuard | undefined;
  list: Stored<PriceList>;
}

/**
 * Sends the requests that undo a price list like any other change to items: with an actor, in the store's order, and
 * checked by its guards. Refused while a request of the list is being applied or held, because the list does not yet contain
 * all of its items. Rows that were already undone are left out. If the call is repeated after some of its requests
 * were accepted, it sends the rest.
 */
export const createUndoPriceList =
  ({ readListedItems, readListedNow, acceptAllGuarded, openRequestOf }: Dependencies) =>
  async ({ list, ...call }: UndoCall): Promise<{ requestIds: number[]; held: boolean }> => {
    const listId = idOf(list._id);
    const open = await openRequestOf(call.store, listId);
    if (open !== undefined) {
      const values = { list: listId, request: open.number };
      throw new ProblemError("conflict", refusalNotice(open.isHeld ? "LIST_HELD" : "LIST_APPLYING", values));
    }
    const now: ListedNow[] = [];
    for await (const batch of readListedNow(list, await readListedItems(call.store, listId))) now.push(...batch);
    const rows = planUndo(listId, list.requests, now);
    if (rows.length === 0)
      throw new ProblemError(
        "conflict",
        list.undo
          ? `The price list "${listId}" was already undone by the request ${list.undo.requests.join(", ")}.`
          : `Nothing of the price list "${listId}" is left to undo: its items have changed since, or were created by it.`,
      );
    const requestIds: number[] = [];
    let held = false;
    const undoOf = (batch: UndoRow[]) => ({
      ...call,
      ...{ operation: "undo-list" as const, rows: batch, isOrdered: () => true },
    });
    // If a guard refuses one of the requests, none is sent.
    for (const accepted of await acceptAllGuarded([...inBatches(rows, MAX_ROWS)].map(undoOf))) {
      requestIds.push(accepted.requestId);
      if (accepted.held === undefined) continue;
      held = true;
      if (accepted.held.requestId !== accepted.requestId) requestIds.push(accepted.held.requestId);
    }
    return { requestIds, held };
  };
