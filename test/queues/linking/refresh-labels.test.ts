import test from "ava";
import { createRefreshLabels } from "../../../queues/linking/refresh-labels.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { labelKey } from "../../../schemas/keys.ts";
import { newLabelState } from "../../../schemas/label-state.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();
const STORE = "t/demo/s/main";

test("each row makes its label due for a refresh, and no row has errors", async (t) => {
  const { commit, records } = world.system;
  const [shown, unknown] = [labelKey(STORE, "shown"), labelKey(STORE, "unknown")];
  const wanted = [{ page: 0, image: "a" }];
  await commit.change(labelStates, [shown], () => ({ ...newLabelState(), wanted }), "bulk");
  const at = new Date("2026-03-01T12:00:00Z");
  const refresh = createRefreshLabels({ commit, now: () => at });
  const rows = ["shown", "unknown"].map((row, index) => ({ row, stamp: index + 1 }));
  t.deepEqual(await refresh(STORE, rows, "bulk"), [[], []]);
  const states = await records.read(labelStates, [shown, unknown]);
  t.like(states.get(shown), { refreshed: 1, refreshing: { pages: [0] }, sendDue: at });
  t.like(states.get(unknown), { refreshed: 2, refreshing: undefined, sendDue: undefined });
});
