import test from "ava";
import { resendLabels } from "../../../queues/linking/resend-labels.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { labelKey } from "../../../schemas/keys.ts";
import { newLabelState } from "../../../schemas/label-state.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();
const AT = Date.parse("2026-03-01T12:00:00Z");

test("every label of every tenant is sent again at the given rate, whatever the batch size", async (t) => {
  const { commit, records } = world.system;
  const keys = ["t/one/s/main", "t/one/s/other", "t/two/s/main"].flatMap((store) =>
    ["a", "b"].map((id) => labelKey(store, id)),
  );
  const wanted = [{ page: 0, image: "a" }];
  const fingerprint = { stamp: 7, due: new Date(AT) };
  await commit.change(
    labelStates,
    keys,
    (key) => ({ ...newLabelState(), wanted, ...(key === keys[1] && { fingerprint }) }),
    "bulk",
  );
  const told: number[] = [];
  const inFours = {
    async *scan(...args: Parameters<typeof records.scan>) {
      const read = [];
      for await (const batch of records.scan(...args)) read.push(...batch);
      for (let index = 0; index < read.length; index += 4) yield read.slice(index, index + 4);
    },
  } as Pick<typeof records, "scan">;
  const resend = { records: inFours, commit, now: () => new Date(AT) };
  t.is(await resendLabels(resend, 2, (count) => told.push(count)), 6);
  t.deepEqual(told, [4, 6]);
  const states = await records.read(labelStates, keys);
  t.deepEqual(
    keys.map((key) => (states.get(key)?.sendDue?.getTime() ?? 0) - AT),
    [0, 500, 1_000, 1_500, 2_000, 2_500],
  );
  for (const state of states.values()) t.deepEqual(state.refreshing?.pages, [0]);
  t.deepEqual(
    keys.map((key) => states.get(key)?.fingerprint),
    keys.map((_, index) => (index === 1 ? fingerprint : undefined)),
    "a measurement that was waiting is still due",
  );
  t.is(await resendLabels(resend, 2), 6);
});
