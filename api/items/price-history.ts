import { Type } from "typebox";
import { pricesIn } from "../../domain/prices/keep-price.ts";
import { countsFor, periodsOf, reductionOf, shownIn } from "../../domain/prices/price-periods.ts";
import { priorPeriodOf } from "../../domain/prices/prior-price.ts";
import type { GlassLog } from "../../records/glass-log.ts";
import { items } from "../../records/kinds/items.ts";
import type { Records } from "../../records/records.ts";
import { exists } from "../../schemas/item.ts";
import { itemKey, labelKey } from "../../schemas/keys.ts";
import type { LinkAnswer } from "../../schemas/link.ts";
import { pageLimit } from "../../schemas/paging.ts";
import { PriceHistory, type PricePeriod } from "../../schemas/price-history.ts";
import { route } from "../http/route.ts";
import { ItemPath, noItem } from "./items.ts";

export interface PriceHistoryWorld {
  records: Pick<Records, "readFields">;
  glassLog: Pick<GlassLog, "readAround">;
  readLinks(store: string, itemIds: readonly string[]): Promise<Map<string, LinkAnswer[]>>;
  now(): Date;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 400;
/** Maximum number of labels whose acknowledgements are read, and of acknowledgements per label. */
const [MAX_LABELS, ENTRIES_OF_LABEL] = [20, 64];
const FIELDS = ["price", "charged", "prices", "deleted"] as const;

/** An item's charged prices, its prior price, and which prices labels acknowledged (docs/integrators/prior-price.md). */
export const priceHistory = ({ records, glassLog, readLinks, now }: PriceHistoryWorld) => [
  route({
    method: "GET",
    path: "/items/:itemId/price-history",
    operationId: "getPriceHistory",
    summary: "List the prices that were charged for an item, with the prior price of a reduction",
    description:
      "The prior price is the lowest price of the 30 days before the current one took effect, or as the store's `priorPrice` rules " +
      "define it. It is also `item.priorPrice` in rules and designs. A price counts as charged from the time when its request was accepted, or when it was applied if it was " +
      `scheduled. \`shown\` is what the first ${MAX_LABELS} labels linked to the item acknowledged.`,
    scope: "items:read",
    params: ItemPath,
    query: Type.Object({ limit: Type.Optional(pageLimit(MAX_LIMIT)) }),
    answers: { 200: PriceHistory },
    problems: ["not-found"],
    async handle({ store, params: { itemId }, query: { limit = DEFAULT_LIMIT } }) {
      const key = itemKey(store, itemId);
      const item = (await records.readFields(items, [key], FIELDS)).get(key);
      if (item === undefined || (!exists(item) && item.prices === undefined)) throw noItem(itemId);
      const { price, charged } = item;
      const period = charged && priorPeriodOf(charged, charged.rules ?? {});
      const periods = periodsOf(pricesIn(item.prices ?? []));
      const links = (await readLinks(store, [itemId])).get(itemId) ?? [];
      const labels = [...new Set(links.map(({ barcode }) => labelKey(store, barcode)))].slice(0, MAX_LABELS);
      const pages = labels.map((label) => ({ label, page: 0 }));
      const entries = await glassLog.readAround(pages, now(), ENTRIES_OF_LABEL);
      const shown = periods.slice(-limit).toReversed();
      return {
        status: 200,
        body: {
          itemId,
          price: price ?? null,
          priorPrice: charged?.prior ?? null,
          reducedBy: reductionOf(price, charged?.prior) ?? null,
          period: period
            ? { from: textOf(period.from), until: textOf(period.until), isCovered: period.isCovered }
            : null,
          rules: charged?.rules ?? {},
          prices: shown.map(
            (one): PricePeriod => ({
              since: one.since === 0 ? null : textOf(one.since),
              until: one.until === undefined ? null : textOf(one.until),
              price: one.price ?? null,
              counts: countsFor(period, one),
              shown: shownIn(one, itemId, entries) ?? null,
            }),
          ),
          labelsRead: labels.length,
          isCut: periods.length > limit,
        } satisfies PriceHistory,
      };
    },
  }),
];

const textOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
