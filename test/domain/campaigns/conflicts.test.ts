import test from "ava";
import { conflictsOf, type RunningCampaign } from "../../../domain/campaigns/conflicts.ts";

const running = (campaignId: string, begins: number, ends: number, requestId?: number): RunningCampaign => ({
  ...{ campaignId, name: campaignId, begins, ends, requestId },
  items: [{ itemId: "milk", price: "1.00" }],
});
const own = running("own", 10, 20);

for (const [what, other, wins] of [
  ["a campaign that begins later is shown", running("b", 15, 30, 1), true],
  ["a campaign that began earlier is not shown", running("b", 5, 15, 1), false],
  ["a campaign that begins at the same time as a draft is not shown", running("b", 10, 12, 1), false],
] as const)
  test(`if campaigns overlap, ${what}`, (t) => {
    t.like(conflictsOf(own, [other], [])[0], { kind: "CAMPAIGN", itemId: "milk", campaignId: "b", wins });
  });

test("if two scheduled campaigns begin at the same time, the one scheduled later is shown", (t) => {
  const [first, second] = [running("a", 10, 20, 7), running("b", 10, 20, 8)];
  t.is(conflictsOf(first, [first, second], [])[0]?.wins, true);
  t.is(conflictsOf(second, [first, second], [])[0]?.wins, false);
});

test("campaigns that only touch or have different items do not conflict; scheduled changes during a campaign do", (t) => {
  const others = [
    running("a", 0, 10, 1),
    running("b", 20, 30, 2),
    { ...running("c", 10, 20, 3), items: [{ itemId: "tea" }] },
  ];
  const changes = [9, 10, 19, 20].map((at) => ({ itemId: "milk", at, price: `${at}.00` }));
  t.deepEqual(
    conflictsOf(own, others, [...changes, { itemId: "tea", at: 12, price: "3.00" }]).map(({ kind, price }) => [
      kind,
      price,
    ]),
    [
      ["SCHEDULED_CHANGE", "10.00"],
      ["SCHEDULED_CHANGE", "19.00"],
    ],
  );
});
