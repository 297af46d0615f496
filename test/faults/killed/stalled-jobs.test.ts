import test from "ava";
import { stalledJobs } from "./stalled-jobs.ts";

const event = (at: number, event: string, jobId: string): [string, string[]] => [
  `${at}-0`,
  ["event", event, "jobId", jobId],
];

test("a process left a job behind if it started the job and the job stalled after the process had ended", (t) => {
  t.deepEqual(stalledJobs([event(1, "active", "a"), event(3, "stalled", "a")], 2), ["a"]);
});

test("a process did not leave a job behind if the job stalled earlier, or if another process started it", (t) => {
  const takenUpAgain = [event(1, "active", "a"), event(2, "stalled", "a"), event(3, "active", "a")];
  const started = [event(6, "active", "b"), event(7, "stalled", "b")];
  t.deepEqual(stalledJobs([...takenUpAgain, ...started], 5), []);
});
