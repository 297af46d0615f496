import test from "ava";
import { isFaulty } from "../../../api/links/link-progress.ts";
import type { DrawingFault } from "../../../schemas/image.ts";

const fault = (reason: DrawingFault["reason"]) => ({ fault: { reason, detail: "" } });

test("link-single fails because of a fault at its own position, but not at another position", (t) => {
  t.true(isFaulty(fault("DRAWING_FAILED"), fault("DRAWING_FAILED")));
  t.false(isFaulty(fault("DRAWING_FAILED"), {}));
  t.false(isFaulty(fault("NO_COMPATIBLE_DESIGN"), {}));
  t.false(isFaulty({}, {}));
});

test("overlapping positions are all blank; an uploaded image ends the fault of the drawing that it replaces", (t) => {
  t.true(isFaulty(fault("POSITIONS_OVERLAP"), {}));
  t.false(isFaulty({}, fault("DRAWING_FAILED")));
});
