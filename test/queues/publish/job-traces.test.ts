import test from "ava";
import { itemKey } from "../../../schemas/keys.ts";
import type { Change } from "../../../schemas/topics.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();
const traceOf = (id: number) => `00-${String(id).padStart(32, "0")}-${"1".repeat(16)}-01`;
const changeOf = (rev: number, trace: number | undefined): Change => ({
  key: itemKey("t/demo/s/main", `item ${trace}`),
  rev,
  operation: "UPDATED",
  changed: ["price"],
  urgency: "interactive",
  cause: trace === undefined ? {} : { trace: traceOf(trace) },
});

for (const [what, changes, trace] of [
  ["of the newest change, whatever its place", [changeOf(9, 1), changeOf(3, 2)], 1],
  ["of the last one, where none is newer", [changeOf(5, 1), changeOf(5, 2)], 2],
  ["of none, where the newest is not traced", [changeOf(3, 1), changeOf(9, undefined)], undefined],
] as const)
  test.serial(`a job of changes is in the trace ${what}`, async (t) => {
    const queue = world.system.publisher.queue("evaluator");
    await queue.drain();
    await world.system.publisher.publish("storeitemvalues.v1", [...changes]);
    const [job] = await queue.getJobs(["prioritized", "waiting"]);
    const metadata = job?.opts.telemetry?.metadata;
    t.is(
      metadata === undefined ? undefined : JSON.parse(metadata).traceparent,
      trace === undefined ? undefined : traceOf(trace),
    );
  });
