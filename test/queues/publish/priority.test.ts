import test from "ava";
import { priorities, urgencyOfJob } from "../../../queues/publish/priority.ts";

test("a job's priority follows from its urgency: every job has one, and interactive jobs precede all bulk jobs", (t) => {
  const urgencies = priorities.toSorted((a, b) => a - b).map((priority) => urgencyOfJob({ priority }));
  t.deepEqual(urgencies, ["interactive", "interactive", "bulk", "bulk"]);
  t.true(priorities.every((priority) => priority > 0));
});
