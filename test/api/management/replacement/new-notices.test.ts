import test from "ava";
import { newNotices, type Reported } from "../../../../api/management/replacement/new-notices.ts";
import { notice } from "../../../../schemas/drawing-notice.ts";

const saying = (detail: string) => notice("DESIGN_INVALID", { detail });
const told = (warnings: string[], errors: string[] = [], fault?: string): Reported => ({
  warnings: warnings.map(saying),
  errors: errors.map(saying),
  ...(fault && { fault: { reason: "DRAWING_FAILED", detail: fault } }),
});
const cases: [what: string, before: Reported, after: Reported, newly: string[]][] = [
  ["nothing", told([]), told([]), []],
  ["a warning", told([]), told(["cut"]), ["cut"]],
  ["an error", told([]), told([], ["no code"]), ["no code"]],
  ["a fault", told([]), told([], [], "no room"), ["no room"]],
  ["a previous notice", told(["cut"], ["no code"]), told(["cut"], ["no code"]), []],
  ["a notice that is no longer reported", told(["cut"]), told([]), []],
  ["another size of the same notice", told(["drawn at 12 pixels"]), told(["drawn at 11 pixels"]), []],
  ["one more notice of the same form", told(['"1" is cut']), told(['"1" is cut', '"2" is cut']), ['"2" is cut']],
  ["more notices than are kept", told(["and 2 more"]), told(["and 3 more"]), []],
];

for (const [what, before, after, newly] of cases)
  test(`${what}: ${newly.length} new notices`, (t) => t.deepEqual(newNotices(before, after), newly));
