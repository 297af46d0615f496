import type { CampaignRow } from "../../schemas/campaign-row.ts";
import { exists, type Item, type ItemPatch } from "../../schemas/item.ts";
import type { ScheduledUpdate } from "../../schemas/schedule.ts";
import { mergeCampaignRow } from "../campaigns/merge-campaign-row.ts";
import { keepPrice } from "../prices/keep-price.ts";
import { mergeRow } from "./merge-row.ts";

type Due = Pick<ScheduledUpdate, "due" | "patch" | "failed" | "campaign">;

/**
 * Returns an item as it will be at a given time if nothing else changes: with all updates that are due by then. If there is no
 * item, `current` is returned: an item that only an update will create has no links yet. `updates` are in the order in which they
 * take effect.
 */
export function itemAt<Known extends Item>(
  current: Known | undefined,
  updates: readonly Due[],
  at: Date,
): Known | undefined {
  if (current === undefined || !exists(current)) return current;
  const due = updates.filter((update) => !update.failed && update.due <= at);
  // An update takes effect as the newest write of its item.
  const firstStamp = Number.MAX_SAFE_INTEGER - due.length;
  const rules = current.charged?.rules ?? {};
  const merge = (item: Item, { patch, due, campaign }: Due, index: number): Item => {
    const stamp = firstStamp + index;
    const merged =
      campaign === undefined
        ? mergeRow(item, JSON.parse(patch) as ItemPatch, stamp, true, NONE).item
        : (mergeCampaignRow(item, JSON.parse(patch) as CampaignRow, stamp).item ?? item);
    return keepPrice(item, merged, { at: due.getTime(), rules });
  };
  // A merge keeps fields that it does not know, and omits a price that the end of a campaign removes.
  return due.reduce<Item>(merge, current) as Known;
}

const NONE: ReadonlyMap<string, string> = new Map();
