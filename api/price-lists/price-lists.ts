import { Readable } from "node:stream";
import { Type } from "typebox";
import { csvLine, LINE_END } from "../../schemas/csv.ts";
import { OnGuard } from "../../schemas/held-request.ts";
import { pageLimit, Start } from "../../schemas/paging.ts";
import {
  type PriceList,
  PriceListAnswer,
  PriceListId,
  PriceListSummary,
  UndoReceipt,
} from "../../schemas/price-list.ts";
import type { Stored } from "../../schemas/record.ts";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";
import { type ListAnswerWorld, listAnswer, outcomesOf, summaryOf } from "./list-answer.ts";
import type { createUndoPriceList } from "./undo-price-list.ts";

export interface PriceListsWorld extends ListAnswerWorld {
  undoPriceList: ReturnType<typeof createUndoPriceList>;
}

const ListPath = Type.Object({ listId: PriceListId });

/**
 * Operations on price lists: changes to items that were sent together, and can be undone together
 * (docs/integrators/price-lists.md).
 */
export const priceLists = (world: PriceListsWorld) => {
  async function existing(store: string, listId: string): Promise<Stored<PriceList>> {
    const found = await world.readPriceList(store, listId);
    if (found === undefined) throw new ProblemError("not-found", `The price list "${listId}" does not exist.`);
    return found;
  }

  return [
    route({
      method: "GET",
      path: "/price-lists",
      operationId: "listPriceLists",
      summary: "List price lists, newest first",
      scope: "items:read",
      query: Type.Object({ start: Type.Optional(Start), limit: Type.Optional(pageLimit()) }),
      answers: { 200: Type.Array(PriceListSummary) },
      async handle({ store, settings: { timeZone }, query: { start = 0, limit = 100 } }) {
        const found = await world.listPriceLists(store, start, limit);
        const facts = { timeZone, settled: await world.settledThrough(store), now: world.now() };
        return { status: 200, body: found.map((list) => summaryOf(list, facts)) };
      },
    }),

    route({
      method: "GET",
      path: "/price-lists/:listId",
      operationId: "getPriceList",
      summary: "Get a price list: its largest jumps, and its progress to the labels",
      scope: "items:read",
      params: ListPath,
      answers: { 200: PriceListAnswer },
      problems: ["not-found"],
      handle: async ({ store, settings: { timeZone }, params: { listId } }) => ({
        status: 200,
        body: await listAnswer(world, store, timeZone, await existing(store, listId)),
      }),
    }),

    route({
      method: "GET",
      path: "/price-lists/:listId/failures",
      operationId: "listPriceListFailures",
      summary: "List the failures of a price list and of its undo, as CSV",
      description:
        "One line for each row that failed as a whole or in part, while its result is kept, and for each label that has not shown its picture, " +
        "with the columns `requestId`, `itemId`, `barcode`, `status` and `reason`.",
      scope: "items:read",
      params: ListPath,
      answers: { 200: Type.String({ contentMediaType: "text/csv", description: "The failures" }) },
      problems: ["not-found"],
      async handle({ store, params: { listId } }) {
        const list = await existing(store, listId);
        const { late } = await world.readLabelProgress(store, await world.readListedItems(store, listId));
        return { status: 200, type: "text/csv", body: Readable.from(failures(world, store, list, late)) };
      },
    }),

    route({
      method: "POST",
      path: "/price-lists/:listId/undo",
      operationId: "undoPriceList",
      summary: "Undo a price list",
      description:
        "Each field that the list has set gets its earlier value back, and updates that the list has scheduled are cancelled. A value that was set after the list is kept, " +
        "and the result of the request (`GET /items-result/{requestId}`) names its item. While a request of the list is being applied or held, the response is 409. The undo is a request like any other: price guards check it.",
      scope: "items:write",
      params: ListPath,
      query: Type.Object({ onGuard: Type.Optional(OnGuard) }),
      answers: { 202: UndoReceipt },
      problems: ["not-found", "conflict", "price-guard"],
      async handle({ store, settings, permit, params: { listId }, query: { onGuard } }) {
        const list = await existing(store, listId);
        return { status: 202, body: await world.undoPriceList({ store, settings, permit, onGuard, list }) };
      },
    }),
  ];
};

/** Yields the lines of the CSV. */
async function* failures(
  world: PriceListsWorld,
  store: string,
  { requests, undo }: PriceList,
  late: readonly { barcode: string; reason: string }[],
): AsyncGenerator<string> {
  yield csvLine(["requestId", "itemId", "barcode", "status", "reason"]) + LINE_END;
  for await (const { number, outcomes } of outcomesOf(world, store, [...requests, ...(undo?.requests ?? [])]))
    for (const { itemId = "", status, errors } of outcomes)
      if (!status.startsWith("SUCCESS") && status !== "PENDING")
        yield csvLine([number, itemId, "", status, errors.join("; ")]) + LINE_END;
  for (const { barcode, reason } of late) yield csvLine(["", "", barcode, "ERROR", reason]) + LINE_END;
}
