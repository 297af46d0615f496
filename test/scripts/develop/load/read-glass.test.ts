import test from "ava";
import { HISTORY_ENTRIES } from "../../../../schemas/label-history.ts";
import { landedAt } from "../../../../scripts/develop/load/read-glass.ts";

const time = (seconds: number) => new Date(seconds * 1_000).toISOString();
const picture = (seconds: number, requestId: number | null, result: "begun" | "acknowledged" = "acknowledged") => ({
  ...{ time: time(seconds), event: "picture" as const, result, requestId },
});
const flash = (seconds: number) => ({
  ...{ time: time(seconds), event: "flash" as const, result: "sent" as const, requestId: 9 },
});

const cases = [
  ["nothing", [], undefined],
  ["a picture on its way", [picture(5, 7, "begun")], undefined],
  ["the picture of an earlier request", [picture(5, 6)], undefined],
  ["its picture", [picture(5, 7), picture(4, 7, "begun")], 5_000],
  ["the first of the pictures of later requests", [picture(9, 9), picture(6, 8), picture(2, 6)], 6_000],
  ["a picture without a request, as an audit makes", [picture(5, null)], undefined],
  ["a flash of a later request", [flash(5)], undefined],
  [
    "a full history that begins early enough",
    [...Array(HISTORY_ENTRIES - 1).fill(picture(5, 8)), picture(2, 6)],
    5_000,
  ],
  ["a full history that begins too late", Array(HISTORY_ENTRIES).fill(picture(5, 8)), "forgotten"],
] as const;

for (const [what, history, landed] of cases)
  test(`a request that was answered in second 3 landed by ${what}: ${landed ?? "not yet"}`, (t) => {
    t.is(landedAt(history, { requestId: 7, answeredAt: 3_000 }), landed);
  });
