import { Temporal } from "temporal-polyfill";
import { regularOf, shownOffer } from "../../domain/campaigns/offers.ts";
import type { CampaignRow } from "../../schemas/campaign-row.ts";
import { type Item, type ItemPatch, propertiesOf } from "../../schemas/item.ts";
import type { LinkAnswer } from "../../schemas/link.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Schedule } from "../../schemas/schedule.ts";
import { numberOf } from "../../schemas/stamp.ts";
import { mapOf } from "../../schemas/string-map.ts";
import { createDateText } from "../http/date-text.ts";

export type ItemProjection = "S" | "M" | "L";

/**
 * An item in a response. Every field of the projection is present, and unknown values are null. Values are the regular
 * ones, so that a response can be sent back; what a campaign shows instead is in `offer`, which is otherwise absent.
 */
export function itemAnswer(
  stored: Stored<Item>,
  projection: ItemProjection,
  timeZone: string,
  links: readonly LinkAnswer[],
  due: Date | undefined,
  isIso = false,
) {
  const item = regularOf(stored);
  const small = { itemId: item.itemId, itemName: item.itemName ?? null, price: item.price ?? null };
  if (projection === "S") return small;
  const dateText = createDateText(timeZone, isIso);
  const medium = {
    ...small,
    itemGroup: item.itemGroup ?? null,
    department: item.department ?? null,
    presentation: item.presentation ?? null,
    lastUpdated: isIso ? dateText(item.changedAt) : zonedText(item.changedAt, timeZone),
    validFrom: due ? dateText(due) : null,
    sics: item.sics,
    properties: mapOf(propertiesOf(item)),
    ...offerAnswer(stored),
  };
  return projection === "M" ? medium : { ...medium, links };
}

function offerAnswer(item: Stored<Item>) {
  const offer = shownOffer(item);
  if (offer === undefined) return {};
  const { campaign, price = null, properties } = offer;
  return { offer: { campaignId: campaign, price, properties: mapOf(properties) } };
}

/** Returns an item's scheduled updates: each as the row that was sent, with its request and status. */
export function scheduledAnswer({ itemId, updates }: Schedule, timeZone: string, isIso = false) {
  const dateText = createDateText(timeZone, isIso);
  return updates.map(({ due, stamp, patch, failed, campaign, ends }) => {
    const { lastUpdated: _, campaign: __, designId: ___, ...fields } = JSON.parse(patch) as ItemPatch & CampaignRow;
    return {
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => isPopulated(value))),
      itemId,
      validFrom: dateText(due),
      requestId: numberOf(stamp),
      status: failed ? "ERROR" : "PENDING",
      errors: failed?.errors ?? [],
      ...(campaign !== undefined && { campaign }),
      ...(ends && { ends }),
      ...(failed?.notices && { notices: failed.notices }),
    };
  });
}

/** Null and empty values in a row change nothing, so they are not shown. */
const isPopulated = (value: object | string | boolean | null): boolean =>
  value !== null &&
  typeof value !== "boolean" &&
  (typeof value === "string" ? value !== "" : Object.keys(value).length > 0);

/** `YYYY-MM-DDThh:mm:ss±hh:mm[Zone/Id]`. */
const zonedText = (date: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime())
    .toZonedDateTimeISO(timeZone)
    .toString({ smallestUnit: "second" });
