import test from "ava";
import { priorities, urgencyOfJob } from "../../../queues/publish/priority.ts";

test("a job's priority tells its urgency: interactive jobs come before all bulk jobs, and every job has one", (t) => {
  const urgencies = priorities.toSorted((a, b) => a - b).map((priority) => urgencyOfJob({ priority }));
  t.deepEqual(urgencies, ["interactive", "interactive", "bulk", "bulk"]);
  t.true(priorities.every((priority) => priority > 0));
});
