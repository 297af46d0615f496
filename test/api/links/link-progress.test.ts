import test from "ava";
import { isFaulty } from "../../../api/links/link-progress.ts";
import type { DrawingFault } from "../../../schemas/image.ts";

const fault = (reason: DrawingFault["reason"]) => ({ fault: { reason, detail: "" } });

test("link-single fails for a fault of its own position, not of another", (t) => {
  t.true(isFaulty(fault("DRAWING_FAILED"), fault("DRAWING_FAILED")));
  t.false(isFaulty(fault("DRAWING_FAILED"), {}));
  t.false(isFaulty(fault("NO_COMPATIBLE_DESIGN"), {}));
  t.false(isFaulty({}, {}));
});

test("overlapping positions leave all of them blank; an uploaded image ends the fault that it replaces", (t) => {
  t.true(isFaulty(fault("POSITIONS_OVERLAP"), {}));
  t.false(isFaulty({}, fault("DRAWING_FAILED")));
});
