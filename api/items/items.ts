import { Type } from "typebox";
import { ChangeCost } from "../../schemas/change-cost.ts";
import { OnGuard } from "../../schemas/held-request.ts";
import { type Item, ItemAnswer, ItemId, ItemPatch, ItemPatchByPath } from "../../schemas/item.ts";
import { Projection } from "../../schemas/paging.ts";
import { MAX_REQUESTS_PER_LIST, type PriceList, priceListId } from "../../schemas/price-list.ts";
import type { Stored } from "../../schemas/record.ts";
import { MAX_ROWS, Receipt } from "../../schemas/request.ts";
import { INTERACTIVE_ROWS } from "../../schemas/urgency.ts";
import { requireScope } from "../access/authorize.ts";
import { knownFields } from "../body/without-unknown-fields.ts";
import type { AcceptGuarded } from "../held/accept-guarded.ts";
import { ProblemError } from "../http/problem-error.ts";
import { type Call, route } from "../http/route.ts";
import type { AcceptRows } from "../requests/accept-rows.ts";
import { type ChangeCostWorld, changeCost } from "./change-cost.ts";
import { itemAnswer } from "./item-answer.ts";
import { type ItemListWorld, itemDates, itemList } from "./list-items.ts";

export interface ItemsWorld
  extends ChangeCostWorld,
    Omit<ItemListWorld, "readItems" | "readLinks">,
    Pick<AcceptGuarded, "acceptGuarded"> {
  readItems: ItemListWorld["readItems"];
  acceptRows: AcceptRows;
  readItem(store: string, itemId: string): Promise<Stored<Item> | undefined>;
  readPriceList(store: string, listId: string): Promise<PriceList | undefined>;
}

const ItemIds = Type.Object({ itemIds: Type.Array(ItemId, { minItems: 1, maxItems: MAX_ROWS }) }, { title: "ItemIds" });
export const ItemPath = Type.Object({ itemId: ItemId });

type PatchCall = Pick<
  Call<unknown, unknown, { onGuard?: OnGuard; priceList?: string }>,
  "store" | "settings" | "permit" | "query"
>;

/** Codes and links may move from one item to another, so rows with them wait until all earlier requests are done. */
const isOrdered = (rows: readonly ItemPatch[]): boolean =>
  rows.some(({ sics, links }) => (sics?.length ?? 0) > 0 || (links?.length ?? 0) > 0);

/** Operations on items (docs/integrators/items.md). */
export const items = (world: ItemsWorld) => {
  const { acceptRows, acceptGuarded, readItem, readLinks, readDue, readPriceList } = world;
  const patch = async (
    { store, settings, permit, query: { onGuard, priceList } }: PatchCall,
    rows: readonly ItemPatch[],
  ) => {
    // A row's links put its item on labels and remove other items from them, as PATCH /labels does.
    if (rows.some(({ links }) => (links?.length ?? 0) > 0))
      requireScope(permit, "labels:write", ", which links require");
    if (priceList !== undefined) assertTakesMore(priceList, await readPriceList(store, priceList));
    // A large number of rows is a price list, even if the caller did not name one.
    const list = priceList ?? (rows.length > INTERACTIVE_ROWS ? "" : undefined);
    const call = { operation: "patch-items", store, settings, permit, onGuard, rows, list, isOrdered } as const;
    return { status: 202, body: await acceptGuarded(call) };
  };

  const remove = async (store: string, itemIds: readonly string[]) => {
    const rows = itemIds.map((itemId) => ({ itemId }));
    return {
      status: 202,
      body: { requestId: await acceptRows({ store, operation: "delete-items", rows, ordered: true }) },
    };
  };

  return [
    route({
      method: "PATCH",
      path: "/items",
      operationId: "patchItems",
      summary: "Update or create many items",
      description:
        "Updates the fields that a row contains: absent, null or empty fields keep their values, `properties` are merged key by key, a non-empty " +
        "`sics` replaces the item's. Unknown items are created. `links` also require the scope `labels:write`. The whole body is validated before anything is accepted. " +
        "With `dryRun=true` nothing is accepted: the response reports the maximum number of labels that would refresh, and what each refresh costs a label's battery.",
      scope: "items:write",
      query: Type.Object({
        dryRun: Type.Optional(
          Type.Boolean({ description: "true: nothing is stored, and the response reports the cost" }),
        ),
        onGuard: Type.Optional(OnGuard),
        priceList: Type.Optional(
          priceListId(
            "The price list that the changes belong to, which `POST /price-lists/{listId}/undo` undoes. If absent, a request with more than " +
              "100 rows becomes its own price list, `request-` and its number",
          ),
        ),
      }),
      body: Type.Array(ItemPatch, { minItems: 1, maxItems: MAX_ROWS }),
      answers: { 200: ChangeCost, 202: Receipt },
      problems: ["price-guard", "conflict"],
      handle: async ({ body, ...call }) =>
        call.query.dryRun ? { status: 200, body: await changeCost(world, call.store, body) } : patch(call, body),
    }),

    itemList(world),

    route({
      method: "PATCH",
      path: "/items/:itemId",
      operationId: "patchItem",
      summary: "Update or create one item",
      description:
        "Like a row of `PATCH /items`: `links` also require the scope `labels:write`. An `itemId` in the body must match the path.",
      scope: "items:write",
      params: ItemPath,
      query: Type.Object({ onGuard: Type.Optional(OnGuard) }),
      body: ItemPatchByPath,
      answers: { 202: Receipt },
      problems: ["price-guard"],
      handle: async ({ params: { itemId }, body, ...call }) => {
        if (body.itemId !== undefined && body.itemId !== itemId) {
          const errors = [{ pointer: "/itemId", detail: `is "${body.itemId}", but the path contains "${itemId}"` }];
          throw new ProblemError("invalid-request", "The item id in the body differs from the path.", { errors });
        }
        return patch(call, [{ ...knownFields(ItemPatchByPath, body), itemId }]);
      },
    }),

    route({
      method: "GET",
      path: "/items/:itemId",
      operationId: "getItem",
      summary: "Get one item",
      scope: "items:read",
      params: ItemPath,
      query: Type.Object({ projection: Type.Optional(Projection), ...itemDates }),
      isTagged: true,
      answers: {
        200: Type.Object({
          value: ItemAnswer.any,
          filters: Type.Object({ projection: Projection }, { description: "The fields to return" }),
        }),
      },
      problems: ["not-found"],
      handle: async ({
        store,
        settings,
        params: { itemId },
        query: { projection, serializeDatesToIso8601: isIso },
      }) => {
        // Read before the item, so that an update that is no longer due has already been applied to the item.
        const due = (await readDue(store, [itemId])).get(itemId);
        const item = await readItem(store, itemId);
        if (item === undefined) throw noItem(itemId);
        const links = (await readLinks(store, [itemId])).get(itemId) ?? [];
        const value = itemAnswer(item, projection ?? "L", settings.timeZone, links, due, isIso);
        return { status: 200, body: { value, filters: { projection: projection ?? "L" } } };
      },
    }),

    route({
      method: "DELETE",
      path: "/items",
      operationId: "deleteItems",
      summary: "Delete items by id",
      description: "Their links become inactive, and their labels show an empty position.",
      scope: "items:write",
      body: ItemIds,
      answers: { 202: Receipt },
      handle: ({ store, body: { itemIds } }) => remove(store, itemIds),
    }),

    route({
      method: "DELETE",
      path: "/items/:itemId",
      operationId: "deleteItem",
      summary: "Delete one item",
      scope: "items:write",
      params: ItemPath,
      answers: { 202: Receipt },
      handle: ({ store, params: { itemId } }) => remove(store, [itemId]),
    }),
  ];
};

/** Throws if a price list has been undone or has too many requests, and so cannot take another request. */
function assertTakesMore(listId: string, list: PriceList | undefined): void {
  if (list?.undo)
    throw new ProblemError("conflict", `The price list "${listId}" was undone: send the rows with another id.`);
  if (list && list.requests.length >= MAX_REQUESTS_PER_LIST)
    throw new ProblemError(
      "conflict",
      `The price list "${listId}" has reached the maximum of ${list.requests.length} requests: send the rows with another id.`,
    );
}

/** The 404 for an item that does not exist. */
export const noItem = (itemId: string) => new ProblemError("not-found", `The item "${itemId}" does not exist.`);
