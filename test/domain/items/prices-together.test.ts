import test from "ava";
import fc from "fast-check";
import { mergeCampaignRow } from "../../../domain/campaigns/merge-campaign-row.ts";
import { regularOf } from "../../../domain/campaigns/offers.ts";
import { deleteItem, mergeItem } from "../../../domain/items/merge-item.ts";
import { removeProperty } from "../../../domain/items/remove-parts.ts";
import { undoList } from "../../../domain/items/undo-list.ts";
import { changesItem } from "../../../domain/items/would-change.ts";
import { keepPrice, pricesIn } from "../../../domain/prices/keep-price.ts";
import { exists, type Item, propertiesOf } from "../../../schemas/item.ts";
import { shuffled } from "../../workers/item/rows.ts";

/** A write to an item; a deletion is followed by a row that creates the item again. */
type Write =
  | { is: "row"; price?: string; kind?: string; list?: string }
  | { is: "undo"; list: string }
  | { is: "begin"; campaign: string; price?: string; kind?: string }
  | { is: "end"; campaign: string }
  | { is: "removal" }
  | { is: "again" };
type Step = Write & { stamp: number };

const value = fc.constantFrom("1.00", "2.00", "3.00");
const list = fc.constantFrom("spring", "wrong");
const is = <const Kind extends string>(kind: Kind) => fc.constant(kind);
const anyWrite: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ is: is("row"), price: value, kind: value, list }, { requiredKeys: ["is"] }),
  },
  { weight: 2, arbitrary: fc.record({ is: is("undo"), list }) },
  {
    weight: 2,
    arbitrary: fc.record(
      { is: is("begin"), campaign: fc.constantFrom("a", "b"), price: value, kind: value },
      { requiredKeys: ["is", "campaign"] },
    ),
  },
  { weight: 1, arbitrary: fc.record({ is: is("end"), campaign: fc.constantFrom("a", "b") }) },
  { weight: 1, arbitrary: fc.record({ is: is("removal") }) },
  { weight: 1, arbitrary: fc.record({ is: is("again") }) },
);

/** Keeps only possible steps: a campaign begins once and ends afterwards. */
function possible(writes: readonly Write[]): Step[] {
  const begun = new Set<string>();
  const ended = new Set<string>();
  const kept = writes.filter((write) => {
    if (write.is === "begin" && !begun.has(write.campaign)) return begun.add(write.campaign);
    if (write.is === "end" && begun.has(write.campaign) && !ended.has(write.campaign)) return ended.add(write.campaign);
    return write.is !== "begin" && write.is !== "end";
  });
  return kept.map((write, index) => ({ ...write, stamp: 10 * (index + 1) }));
}

const anySteps = fc.array(anyWrite, { maxLength: 14 }).map(possible);

interface Values {
  price: string | undefined;
  kind: string | undefined;
}
type Change = { value: string | undefined; list?: string | undefined };
const FIRST = { price: "9.00", kind: "regular" };

/** A simple model: the writes to each field that have not been undone, and the campaigns that override them. */
function model(steps: readonly Step[], isLatest: boolean): { regular: Values; shown: Values } {
  const first = (): Record<keyof Values, Change[]> => ({ price: [{ value: "9.00" }], kind: [{ value: "regular" }] });
  let fields = first();
  let running: Extract<Step, { is: "begin" }>[] = [];
  for (const step of steps) {
    if (step.is === "again") [fields, running] = [first(), []];
    else if (step.is === "begin") running.push(step);
    else if (step.is === "end") running = running.filter(({ campaign }) => campaign !== step.campaign);
    else if (step.is === "removal") fields.kind = [{ value: undefined }];
    else
      for (const field of ["price", "kind"] as const) {
        if (step.is === "undo") fields[field] = fields[field].filter((change) => change.list !== step.list);
        else if (step[field] && !(isLatest && fields[field].at(-1)?.value === step[field]))
          fields[field].push({ value: step[field], list: step.list });
      }
  }
  const regular = { price: fields.price.at(-1)?.value, kind: fields.kind.at(-1)?.value };
  const offer = running.at(-1);
  return { regular, shown: { price: offer?.price ?? regular.price, kind: offer?.kind ?? regular.kind } };
}

const valuesOf = (item: Item): Values => ({
  price: item.price,
  kind: propertiesOf(item).find(({ key }) => key === "kind")?.value,
});
const itemId = "milk";
const rowOf = ({ price, kind }: Partial<Values>) => ({
  itemId,
  ...(price && { price }),
  ...(kind && { properties: { kind } }),
});
const milk = mergeItem(undefined, rowOf(FIRST), 0, true);

function written(item: Item, step: Step, isLatest: boolean): Item {
  const { stamp } = step;
  if (step.is === "row") return mergeItem(item, rowOf(step), stamp, isLatest, step.list);
  if (step.is === "undo") return exists(item) ? undoList(item, step.list, stamp).item : item;
  if (step.is === "removal") return removeProperty(item, "kind", stamp) ?? item;
  if (step.is === "again") return mergeItem(deleteItem(item, stamp) ?? item, rowOf(FIRST), stamp + 1, isLatest);
  const row = { ...(step.is === "begin" && rowOf(step)), itemId, ...(step.is === "end" && { ends: true as const }) };
  return mergeCampaignRow(item, { ...row, campaign: step.campaign }, stamp).item ?? item;
}

test("lists, undo, campaigns, removals and deletions together show and restore the same values as a small model", (t) => {
  fc.assert(
    fc.property(anySteps, (steps) => {
      let item = milk;
      for (const [index, step] of steps.entries()) {
        item = written(item, step, true);
        const expected = model(steps.slice(0, index + 1), true);
        const regular = regularOf(item);
        t.deepEqual({ regular: valuesOf(regular), shown: valuesOf(item) }, expected);
        // If a killed process applies the step again, or a caller sends back what GET returned, nothing changes.
        t.deepEqual(written(item, step, true), item);
        t.false(changesItem(item, rowOf(valuesOf(regular))));
        t.deepEqual(mergeItem(item, rowOf(valuesOf(regular)), 1_000, true), item);
      }
    }),
    { numRuns: 300 },
  );
});

/**
 * The steps in an order in which processes may apply them. An ordered step follows all steps sent before it; a row may
 * be applied long before an earlier ordered step. Some steps are applied again at any later time.
 */
const inAnyOrder = anySteps.chain((steps) =>
  fc
    .tuple(fc.array(fc.nat(20), { minLength: steps.length, maxLength: steps.length }), shuffled(steps))
    .map(([delays, repeated]) => {
      const order: Step[] = [];
      const left = [...steps];
      for (const delay of delays) {
        const startable = left.filter((step, index) => index === 0 || step.is === "row");
        const next = startable[delay % startable.length];
        if (next === undefined) continue;
        order.push(next);
        left.splice(left.indexOf(next), 1);
      }
      return { steps, order, repeated };
    }),
);

test("the final values are the same in any order in which processes may apply rows, even repeatedly", (t) => {
  fc.assert(
    fc.property(inAnyOrder, ({ steps, order, repeated }) => {
      const item = order.reduce((one, step) => written(one, step, false), milk);
      const expected = model(steps, false);
      t.deepEqual({ regular: valuesOf(regularOf(item)), shown: valuesOf(item) }, expected);
      for (const step of repeated) {
        const again = written(item, step, false);
        t.deepEqual({ regular: valuesOf(regularOf(again)), shown: valuesOf(again) }, expected);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("the price history has each shown price once, whatever happened below a campaign", (t) => {
  fc.assert(
    fc.property(inAnyOrder, ({ order, repeated }) => {
      let item = milk;
      const shown = [milk.price];
      const lines: string[] = [];
      for (const [index, step] of [...order, ...repeated].entries()) {
        const { prices = [], ...after } = keepPrice(item, written(item, step, false), { at: 1_000 + index, rules: {} });
        lines.push(...prices);
        if (after.price !== shown.at(-1)) shown.push(after.price);
        item = after;
      }
      const kept = pricesIn(lines).map(({ price }) => price);
      t.deepEqual(kept.length === 0 ? [milk.price] : kept, shown);
    }),
    { numRuns: 300 },
  );
});
