import test from "ava";
import { stateOf } from "../../../domain/campaigns/campaign-state.ts";

test("a scheduled campaign becomes live and ends by the clock", (t) => {
  const campaign = { state: "SCHEDULED" as const, begins: new Date(1000), ends: new Date(2000) };
  t.deepEqual(
    [999, 1000, 1999, 2000].map((at) => stateOf(campaign, new Date(at))),
    ["SCHEDULED", "LIVE", "LIVE", "ENDED"],
  );
  t.is(stateOf({ ...campaign, state: "CANCELLED" }, new Date(1500)), "CANCELLED");
});
