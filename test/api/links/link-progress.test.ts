import test from "ava";
import { isFaulty } from "../../../api/links/link-progress.ts";
import type { DrawingFault } from "../../../schemas/image.ts";

const fault = (reason: DrawingFault["reason"]) => ({ fault: { reason, detail: "" } });

test("link-single fails for its own position's fault, and not for another's", (t) => {
  t.true(isFaulty(fault("DRAWING_FAILED"), fault("DRAWING_FAILED")));
  t.false(isFaulty(fault("DRAWING_FAILED"), {}));
  t.false(isFaulty(fault("NO_COMPATIBLE_DESIGN"), {}));
  t.false(isFaulty({}, {}));
});

test("positions that overlap leave all of them bare; an uploaded image ends the fault that it replaces", (t) => {
  t.true(isFaulty(fault("POSITIONS_OVERLAP"), {}));
  t.false(isFaulty({}, fault("DRAWING_FAILED")));
});
