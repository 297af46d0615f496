import test from "ava";
import { stalledJobs } from "./stalled-jobs.ts";

const event = (at: number, event: string, jobId: string): [string, string[]] => [
  `${at}-0`,
  ["event", event, "jobId", jobId],
];

test("a job that a process started and that stalls after its end was left behind", (t) => {
  t.deepEqual(stalledJobs([event(1, "active", "a"), event(3, "stalled", "a")], 2), ["a"]);
});

test("a job that stalls before the end was not left behind, nor one that another process started", (t) => {
  const takenUpAgain = [event(1, "active", "a"), event(2, "stalled", "a"), event(3, "active", "a")];
  const started = [event(6, "active", "b"), event(7, "stalled", "b")];
  t.deepEqual(stalledJobs([...takenUpAgain, ...started], 5), []);
});
