import test from "ava";
import { takeableJobs } from "../../../queues/worker/watchdog.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();

test("jobs of a paused queue wait on purpose: the watchdog ends no process for them", async (t) => {
  const { publisher, redis } = own.system;
  const jobs = (["interactive", "bulk"] as const).map((urgency) => ({ name: "draw-pages", data: {}, urgency }));
  await publisher.enqueue("pages", jobs);
  t.is(await takeableJobs(redis, "pages"), 2);
  await publisher.queue("pages").pause();
  t.is(await takeableJobs(redis, "pages"), 0);
  await publisher.queue("pages").resume();
  t.is(await takeableJobs(redis, "pages"), 2);
});
