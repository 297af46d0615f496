import test from "ava";
import { type PricedEvent, priceLine } from "../../../domain/activity/price-line.ts";

const at = (hour: number): string => new Date(Date.UTC(2026, 2, 3, hour)).toISOString();
const sent = (hour: number, price: string | null, differs: Partial<PricedEvent> = {}): PricedEvent => ({
  at: at(hour),
  operation: "patch-items",
  price,
  failed: null,
  ...differs,
});
const scheduled = (hour: number, price: string, due: number) => sent(hour, price, { dueAt: at(due) });
const applied = (hour: number) => sent(hour, null, { operation: "apply-scheduled" });
const deleted = (hour: number) => sent(hour, null, { operation: "delete-items" });
const cancelled = (hour: number) => sent(hour, null, { operation: "cancel-scheduled" });

const begun = (hour: number, campaign: string, price: string | null, more: Partial<PricedEvent> = {}) =>
  sent(hour, price, { operation: "campaign-items", campaign, ...more });
const ended = (hour: number, campaign: string, more: Partial<PricedEvent> = {}) =>
  begun(hour, campaign, null, { ends: true, ...more });

for (const [what, events, line] of [
  ["each price from the time it was sent", [sent(1, "1.99"), sent(2, "1.49")], { 1: "1.99", 2: "1.49" }],
  ["no entry for a price that stays the same", [sent(1, "1.99"), sent(2, "1.99"), sent(3, null)], { 1: "1.99" }],
  [
    "no failed price, but the price of a row that was applied in part",
    [sent(1, "1", { failed: "ERROR" }), sent(2, "2", { failed: "PARTIAL" })],
    { 2: "2" },
  ],
  [
    "a scheduled price from the time it was applied",
    [sent(1, "1.99"), scheduled(2, "1.49", 6), applied(6)],
    { 1: "1.99", 6: "1.49" },
  ],
  ["the last of several prices that were due", [scheduled(1, "3", 6), scheduled(2, "2", 5), applied(6)], { 6: "3" }],
  ["no price that is due later", [scheduled(1, "3", 9), applied(6)], {}],
  ["no cancelled price", [sent(1, "1"), scheduled(2, "3", 6), cancelled(3), applied(6)], { 1: "1" }],
  [
    "no price after a deletion, which also cancels scheduled prices",
    [sent(1, "1"), scheduled(2, "3", 6), deleted(3), applied(6)],
    { 1: "1", 3: null },
  ],
  [
    "a campaign's price until its end, and then the regular price as changed in the meantime",
    [
      sent(1, "3"),
      begun(2, "a", "2", { dueAt: at(5) }),
      ended(2, "a", { dueAt: at(8) }),
      applied(5),
      sent(6, "4"),
      applied(8),
    ],
    { 1: "3", 5: "2", 8: "4" },
  ],
  [
    "of two campaigns, the later one's price until it is cancelled, and then the earlier one's price",
    [
      sent(1, "3"),
      begun(2, "a", "2"),
      begun(3, "b", "1"),
      ended(3, "b", { dueAt: at(9) }),
      ended(4, "b"),
      ended(5, "a"),
    ],
    { 1: "3", 2: "2", 3: "1", 4: "2", 5: "3" },
  ],
  [
    "a held price from its approval on, unless a later request has set another price or the item was deleted",
    [
      sent(1, "1", { requestId: 1 }),
      sent(2, "2", { requestId: 2, failed: "HELD" }),
      sent(3, "2", { requestId: 2 }),
      sent(4, "3", { requestId: 3, failed: "HELD" }),
      sent(5, "5", { requestId: 4 }),
      sent(6, "3", { requestId: 3 }),
    ],
    { 1: "1", 3: "2", 5: "5" },
  ],
  ["a scheduled price immediately, if its time has passed", [scheduled(6, "3", 5)], { 6: "3" }],
] as const)
  test(`an item's prices over time: ${what}`, (t) => {
    t.deepEqual(
      priceLine(events),
      Object.entries(line).map(([hour, price]) => ({ since: at(Number(hour)), price })),
    );
  });
