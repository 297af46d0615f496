import test from "ava";
import fc from "fast-check";
import { rowsOfCampaign } from "../../../domain/campaigns/campaign-rows.ts";
import { mergeCampaignRow } from "../../../domain/campaigns/merge-campaign-row.ts";
import { MAX_OFFER_BYTES, MAX_OFFERS, regularOf, shownOffer } from "../../../domain/campaigns/offers.ts";
import { itemAt } from "../../../domain/items/item-at.ts";
import { deleteItem, mergeItem } from "../../../domain/items/merge-item.ts";
import { removeProperty } from "../../../domain/items/remove-parts.ts";
import { enterUpdate } from "../../../records/requests/scheduled-updates.ts";
import { type Item, propertiesOf } from "../../../schemas/item.ts";
import type { Schedule } from "../../../schemas/schedule.ts";

type Step =
  | { is: "price"; price: string }
  | { is: "property"; value: string }
  | { is: "removal" }
  | { is: "begin"; campaign: string; price?: string; kind?: string }
  | { is: "end"; campaign: string };

const text = fc.constantFrom("1.00", "2.00", "3.00");
const campaign = fc.constantFrom("a", "b", "c");
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ is: fc.constant("price" as const), price: text }),
  fc.record({ is: fc.constant("property" as const), value: text }),
  fc.record({ is: fc.constant("removal" as const) }),
  fc.record(
    { is: fc.constant("begin" as const), campaign, price: text, kind: text },
    { requiredKeys: ["is", "campaign"] },
  ),
  fc.record({ is: fc.constant("end" as const), campaign }),
);

const bread = mergeItem(undefined, { itemId: "bread", price: "9.00", properties: { kind: "regular" } }, 0, true);

function apply(item: Item, step: Step, stamp: number): Item {
  const { itemId } = item;
  if (step.is === "price") return mergeItem(item, { itemId, price: step.price }, stamp, true);
  if (step.is === "property") return mergeItem(item, { itemId, properties: { kind: step.value } }, stamp, true);
  if (step.is === "removal") return removeProperty(item, "kind", stamp) ?? item;
  const { price, kind } = step.is === "begin" ? step : {};
  const values = { ...(price && { price }), ...(kind && { properties: { kind } }) };
  const row = { itemId, campaign: step.campaign, ...(step.is === "end" ? { ends: true as const } : values) };
  return mergeCampaignRow(item, row, stamp).item ?? item;
}

const shown = (item: Item) => ({
  price: item.price,
  kind: propertiesOf(item).find(({ key }) => key === "kind")?.value,
});

/** A simple model: the regular values, and above them the running campaigns, oldest first. */
function model(steps: readonly Step[]) {
  const regular: { price: string; kind: string | undefined } = { price: "9.00", kind: "regular" };
  let running: Extract<Step, { is: "begin" }>[] = [];
  const ended = new Set<string>();
  for (const step of steps) {
    if (step.is === "price") regular.price = step.price;
    else if (step.is === "property") regular.kind = step.value;
    else if (step.is === "removal") regular.kind = undefined;
    else if (step.is === "end") {
      running = running.filter((one) => one.campaign !== step.campaign);
      ended.add(step.campaign);
    } else if (!running.some((one) => one.campaign === step.campaign)) running.push(step);
  }
  const { price = regular.price, kind = regular.kind } = running.at(-1) ?? {};
  return { regular, shown: { price, kind } };
}

test("overlapping campaigns in any order, with regular changes in between, lead to the same values as a small model", (t) => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 14 }), (steps) => {
      const item = steps.reduce((before, step, index) => apply(before, step, index + 1), bread);
      const expected = model(steps);
      t.deepEqual(shown(item), expected.shown);
      t.deepEqual(shown(regularOf(item)), expected.regular);
    }),
    { numRuns: 300 },
  );
});

test("a campaign's row that a killed process applies again changes nothing, even after later rows", (t) => {
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 1, maxLength: 10 }), fc.nat(), (steps, from) => {
      const item = steps.reduce((before, step, index) => apply(before, step, index + 1), bread);
      const first = from % steps.length;
      const isOfCampaign = ({ is }: Step) => is === "begin" || is === "end";
      const again = steps.reduce(
        (before, step, index) => (index >= first && isOfCampaign(step) ? apply(before, step, index + 1) : before),
        item,
      );
      t.deepEqual(shown(again), shown(item));
    }),
    { numRuns: 300 },
  );
});

const anyPeriods = fc.array(
  fc.record({ begins: fc.integer({ min: 1, max: 20 }), lasts: fc.integer({ min: 1, max: 20 }), price: text }),
  { maxLength: 5 },
);
const anyChanges = fc.array(fc.record({ at: fc.integer({ min: 1, max: 45 }), price: text }), { maxLength: 5 });

test("at any time the campaign that began last sets the shown price; without a campaign it is the regular price", (t) => {
  fc.assert(
    fc.property(anyPeriods, anyChanges, (periods, changes) => {
      const due = (second: number) => new Date(second * 1000);
      let schedule: Schedule | undefined;
      let stamp = 1;
      const enter = (at: number, patch: object, marks = {}) => {
        const update = { due: due(at), stamp, patch: JSON.stringify(patch), ...marks };
        stamp += 1;
        schedule = enterUpdate(schedule, "bread", update) as Schedule;
      };
      for (const [index, { begins, lasts, price }] of periods.entries()) {
        const [first, last] = rowsOfCampaign(`${index}`, { until: "" }, [{ itemId: "bread", price }]);
        enter(begins, first as object, { campaign: `${index}` });
        enter(begins + lasts, last as object, { campaign: `${index}`, ends: true });
      }
      for (const { at, price } of changes) enter(at, { itemId: "bread", price });
      for (let now = 0; now <= 46; now += 1) {
        const running = periods.filter(({ begins, lasts }) => begins <= now && now < begins + lasts);
        const latest = Math.max(...running.map(({ begins }) => begins));
        const regular = changes.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
        const expected = running.findLast(({ begins }) => begins === latest)?.price ?? regular.at(-1)?.price ?? "9.00";
        t.is(itemAt(bread, schedule?.updates ?? [], due(now))?.price, expected);
      }
    }),
    { numRuns: 60 },
  );
});

test("an item without a regular price has no price at the end of its campaign", (t) => {
  const unpriced: Item = mergeItem(undefined, { itemId: "bread", itemName: "Bread" }, 0, true);
  const [begin, end] = rowsOfCampaign("a", { until: "" }, [{ itemId: "bread", price: "1.00" }]).map((row, index) => ({
    ...{ due: new Date(1000 * (index + 1)), campaign: "a", patch: JSON.stringify(row) },
  }));
  const running = begin && itemAt(unpriced, [begin], begin.due);
  t.is(running?.price, "1.00");
  t.false(end && "price" in (itemAt(running, [end], end.due) ?? {}));
});

test("an item accepts a limited number of campaigns, and deleting the item ends them", (t) => {
  const begin = (item: Item, index: number) =>
    mergeCampaignRow(item, { itemId: "bread", campaign: `${index}`, price: "1.00" }, index + 1);
  const full = Array.from({ length: MAX_OFFERS }).reduce<Item>(
    (item, _, index) => begin(item, index).item ?? item,
    bread,
  );
  t.is(begin(full, MAX_OFFERS).outcome.status, "ERROR");
  t.is(shownOffer(full)?.campaign, `${MAX_OFFERS - 1}`);
  const deleted = deleteItem(full, 1000);
  t.true(deleted?.deleted);
  t.is(mergeItem(deleted, { itemId: "bread", price: "4.00" }, 1001, true).price, "4.00");
});

test("an item's running campaigns are limited in bytes, and a campaign that ends frees space", (t) => {
  const properties = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`p${index}`, "x".repeat(1_024)]));
  const row = (campaign: string) => ({ itemId: "bread", campaign, price: "1.00", properties });
  let item = bread;
  let outcome = mergeCampaignRow(item, row("c0"), 1).outcome;
  for (let count = 0; outcome.errors.length === 0 && count < MAX_OFFERS; count += 1) {
    const merged = mergeCampaignRow(item, row(`c${count}`), count + 1);
    item = merged.item ?? item;
    outcome = merged.outcome;
  }
  t.is(outcome.notices?.[0]?.code, "CAMPAIGNS_TOO_LARGE");
  t.true(JSON.stringify(item.offers?.running).length <= MAX_OFFER_BYTES);
  const left = mergeCampaignRow(item, { itemId: "bread", campaign: "c0", ends: true }, 100).item;
  t.deepEqual(mergeCampaignRow(left, row("more"), 101).outcome.errors, []);
});
