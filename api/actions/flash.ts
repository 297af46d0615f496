import { Type } from "typebox";
import { type Addressing, transceiversOf } from "../../domain/linking/transceivers.ts";
import { ActionAnswer, type ActionResult } from "../../schemas/action.ts";
import {
  FlashItems,
  FlashRequest,
  FlashWithDepartment,
  ItemFlashAnswer,
  ItemsFlashAnswer,
} from "../../schemas/flash.ts";
import { ItemId } from "../../schemas/item.ts";
import type { LinkAnswer } from "../../schemas/link.ts";
import type { Store } from "../../schemas/store.ts";
import { ProblemError } from "../http/problem-error.ts";
import { route } from "../http/route.ts";
import { LabelPath, type NoLabel } from "../labels/labels.ts";
import { type ActionFacts, interleaveByTransceivers } from "./action-rules.ts";
import { judgeFlash } from "./judge-flash.ts";
import type { QueueOrders } from "./queue-orders.ts";

/** What determines which labels flash. */
export interface FlashFacts {
  readActionFacts(store: string, barcodes: readonly string[]): Promise<ActionFacts[]>;
  /** Returns the existing item for each id or SIC. */
  findItems(store: string, codes: readonly string[]): Promise<(code: string) => string | undefined>;
  /** Reads the ACTIVE links of each item, by item id. */
  readLinks(store: string, itemIds: readonly string[]): Promise<ReadonlyMap<string, LinkAnswer[]>>;
  now(): Date;
  offlineAfterMs: number;
}

export interface FlashWorld extends FlashFacts {
  noLabel: NoLabel;
  queueOrders: QueueOrders;
}

/** A store's key and its settings. */
export interface StoreContext {
  store: string;
  settings: Pick<Store, "linkDepartments">;
}

/** Operations that flash labels (docs/integrators/labels.md#flashing-pages-and-other-actions). */
export const flash = (world: FlashWorld) => {
  const { readActionFacts, findItems, readLinks, queueOrders, now, offlineAfterMs, noLabel } = world;

  /** Queues flashes for labels; returns a result for each label, in the order given. */
  async function flashLabels(
    { store, settings }: StoreContext,
    labels: readonly { barcode: string; facts: ActionFacts }[],
    request: FlashRequest,
    { through, goesAfter = false }: { through?: Addressing; goesAfter?: boolean } = {},
  ): Promise<ActionResult[]> {
    const isRealTime = request.realTime ?? true;
    const priority = isRealTime ? ("high" as const) : ("normal" as const);
    const context = { departments: settings.linkDepartments, clock: { now: now(), offlineAfterMs }, through };
    const judged = labels.map(({ barcode, facts }) => {
      const { result, to, flash: body } = judgeFlash(facts, request, context);
      const { linkDepartment } = through ?? {};
      return { result, order: { store, barcode, priority, ...to, ...(linkDepartment && { linkDepartment }), body } };
    });
    const orders = interleaveByTransceivers(judged.filter(({ result }) => result === "OK").map(({ order }) => order));
    await queueOrders("flash", orders, { urgency: isRealTime ? "interactive" : "bulk", goesAfter });
    return judged.map(({ result }) => result);
  }

  async function flashOne(context: StoreContext, barcode: string, request: FlashRequest) {
    const [facts] = await readActionFacts(context.store, [barcode]);
    if (facts?.label === undefined) throw await noLabel(context.store, barcode);
    const [result] = await flashLabels(context, [{ barcode, facts }], request);
    return { status: 200, body: { result } };
  }

  /** Flashes the labels of items; a label that shows several of them flashes once. Returns the results by item id. */
  async function flashItems(context: StoreContext, itemIds: readonly string[], request: FlashRequest) {
    const links = await readLinks(context.store, itemIds);
    const labelsOf = new Map(
      itemIds.map((itemId) => [itemId, [...new Set((links.get(itemId) ?? []).map(({ barcode }) => barcode))]]),
    );
    const barcodes = [...new Set([...labelsOf.values()].flat())];
    const facts = await readActionFacts(context.store, barcodes);
    const known = barcodes.flatMap((barcode, index) => (facts[index] ? [{ barcode, facts: facts[index] }] : []));
    const results = await flashLabels(context, known, request, { goesAfter: true });
    const byBarcode = new Map(known.map(({ barcode }, index) => [barcode, results[index]]));
    return (itemId: string) =>
      (labelsOf.get(itemId) ?? []).map((barcode) => ({ barcode, result: byBarcode.get(barcode) }));
  }

  return [
    route({
      method: "POST",
      path: "/labels/:barcode/flash",
      operationId: "flashLabel",
      summary: "Flash one label",
      scope: "labels:write",
      params: LabelPath,
      body: FlashRequest,
      isBodyOptional: true,
      answers: { 200: ActionAnswer },
      problems: ["not-found"],
      handle: ({ store, settings, params: { barcode }, body = {} }) => flashOne({ store, settings }, barcode, body),
    }),

    route({
      method: "POST",
      path: "/labels/:barcode/flash-with-department",
      operationId: "flashLabelWithDepartment",
      summary: "Flash one label through the transceivers of a link department, for this request only",
      scope: "labels:write",
      params: LabelPath,
      body: FlashWithDepartment,
      answers: { 200: ActionAnswer },
      problems: ["not-found"],
      handle: async ({ store, settings, params: { barcode }, body }) => {
        const through = { linkDepartment: body.linkDepartment };
        if ("unknownDepartment" in transceiversOf(through, settings.linkDepartments)) {
          const detail = `no link department has the id or alias "${body.linkDepartment}"`;
          throw new ProblemError("invalid-request", "The link department does not exist.", {
            errors: [{ pointer: "/linkDepartment", detail }],
          });
        }
        const [facts] = await readActionFacts(store, [barcode]);
        // The label's record need not exist, because its barcode names its type.
        if (facts?.labelType === undefined) throw await noLabel(store, barcode);
        const [result] = await flashLabels({ store, settings }, [{ barcode, facts }], body, { through });
        return { status: 200, body: { result } };
      },
    }),

    route({
      method: "POST",
      path: "/items/:itemId/flash",
      operationId: "flashItem",
      summary: "Flash all labels linked to an item",
      scope: "labels:write",
      params: Type.Object({ itemId: ItemId }),
      body: FlashRequest,
      isBodyOptional: true,
      answers: { 200: ItemFlashAnswer },
      problems: ["not-found"],
      handle: async ({ store, settings, params: { itemId }, body = {} }) => {
        const found = (await findItems(store, [itemId]))(itemId);
        if (found === undefined) throw new ProblemError("not-found", `The item "${itemId}" does not exist.`);
        const resultsOf = await flashItems({ store, settings }, [found], body);
        return { status: 200, body: { results: resultsOf(found) } };
      },
    }),

    route({
      method: "POST",
      path: "/flash/items",
      operationId: "flashItems",
      summary: "Flash all labels linked to any of several items",
      scope: "labels:write",
      body: FlashItems,
      answers: { 200: ItemsFlashAnswer },
      handle: async ({ store, settings, body: { itemIds, ...request } }) => {
        const asked = [...new Set(itemIds)];
        const itemOf = await findItems(store, asked);
        const found = new Set(asked.flatMap((code) => itemOf(code) ?? []));
        const resultsOf = await flashItems({ store, settings }, [...found], request);
        const results = asked.flatMap((code): object[] => {
          const itemId = itemOf(code);
          return itemId === undefined
            ? [{ itemId: code, barcode: null, result: "ITEM_NOT_FOUND" }]
            : resultsOf(itemId).map((result) => ({ itemId: code, ...result }));
        });
        return { status: 200, body: { results } };
      },
    }),
  ];
};
