import { exists, type Item, type ItemPatch } from "../../schemas/item.ts";
import type { ScheduledUpdate } from "../../schemas/schedule.ts";
import { keepPrice } from "../prices/keep-price.ts";
import { mergeRow } from "./merge-row.ts";

/**
 * An item as it will be at a time, if nothing else changes: with the updates applied that are due until then. Undefined if
 * there is no item: what only an update will create has no links yet. `updates` are in the order in which they take effect.
 */
export function itemAt<Known extends Item>(
  current: Known | undefined,
  updates: readonly Pick<ScheduledUpdate, "due" | "patch" | "failed">[],
  at: Date,
): Known | undefined {
  if (current === undefined || !exists(current)) return current;
  const due = updates.filter((update) => !update.failed && update.due <= at);
  // An update takes effect as the newest write of its item.
  const firstStamp = Number.MAX_SAFE_INTEGER - due.length;
  const rules = current.charged?.rules ?? {};
  const merge = (item: Item, { patch, due }: Pick<ScheduledUpdate, "patch" | "due">, index: number): Item => {
    const merged = mergeRow(item, JSON.parse(patch) as ItemPatch, firstStamp + index, true, NONE).item;
    return keepPrice(item, merged, { at: due.getTime(), rules });
  };
  return { ...current, ...due.reduce(merge, current) };
}

const NONE: ReadonlyMap<string, string> = new Map();
