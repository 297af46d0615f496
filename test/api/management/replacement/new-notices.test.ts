import test from "ava";
import { newNotices, type Reported } from "../../../../api/management/replacement/new-notices.ts";
import { notice } from "../../../../schemas/drawing-notice.ts";

const saying = (detail: string) => notice("DESIGN_INVALID", { detail });
const reported = (warnings: string[], errors: string[] = [], fault?: string): Reported => ({
  warnings: warnings.map(saying),
  errors: errors.map(saying),
  ...(fault && { fault: { reason: "DRAWING_FAILED", detail: fault } }),
});
const cases: [what: string, before: Reported, after: Reported, newly: string[]][] = [
  ["nothing", reported([]), reported([]), []],
  ["a warning", reported([]), reported(["cut"]), ["cut"]],
  ["an error", reported([]), reported([], ["no code"]), ["no code"]],
  ["a fault", reported([]), reported([], [], "no room"), ["no room"]],
  ["a previous notice", reported(["cut"], ["no code"]), reported(["cut"], ["no code"]), []],
  ["a notice that is no longer reported", reported(["cut"]), reported([]), []],
  ["another size of the same notice", reported(["drawn at 12 pixels"]), reported(["drawn at 11 pixels"]), []],
  [
    "one more notice of the same form",
    reported(['"1" is cut']),
    reported(['"1" is cut', '"2" is cut']),
    ['"2" is cut'],
  ],
  ["more notices than are kept", reported(["and 2 more"]), reported(["and 3 more"]), []],
];

for (const [what, before, after, newly] of cases)
  test(`${what}: ${newly.length} new notices`, (t) => t.deepEqual(newNotices(before, after), newly));
