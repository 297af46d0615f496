import test from "ava";
import { boardAction } from "../../../api/dashboard/board-actions.ts";
import { boardRights } from "../../../api/dashboard/board-rights.ts";

const permit = (scopes: string[], stores: "*" | ReadonlySet<string> = "*", tenant = "demo") => ({
  caller: "sub one",
  tenant,
  stores,
  scopes: new Set(scopes),
});
const rights = (one: ReturnType<typeof permit>, ...tenants: string[]) => boardRights(one, async () => tenants);

test("the operator may act on the queues of all tenants", async (t) => {
  t.is(await rights(permit(["platform"], new Set(), ""), "t/demo", "t/other"), "act");
});

test("a tenant with the scope ops sees the queues, and with ops:write may act on them, only if it is the only tenant", async (t) => {
  t.is(await rights(permit(["ops"]), "t/demo"), "read");
  t.is(await rights(permit(["ops", "ops:write"]), "t/demo"), "act");
  t.is(await rights(permit(["ops", "ops:write"]), "t/demo", "t/other"), "none");
  t.is(await rights(permit(["ops", "ops:write"]), "t/other"), "none");
  t.is(await rights(permit(["ops", "ops:write"], new Set(["main"])), "t/demo"), "none");
  t.is(await rights(permit(["ops:write", "items:read"]), "t/demo"), "none");
});

test("the allowed actions are retry, promote, clean and pause, on one job, one queue or all", (t) => {
  const job = "t%2Fdemo%2Fs%2Fmain%2Frequests%2F1%2F0~0";
  const actionOf = (path: string, method = "PUT") => boardAction(method, `/api/queues${path}`);
  t.deepEqual(actionOf(`/item/${job}/retry`), {
    action: "retry the job",
    queue: "item",
    job: "t/demo/s/main/requests/1/0~0",
  });
  t.deepEqual(actionOf("/item/7/promote"), { action: "promote the job", queue: "item", job: "7" });
  t.deepEqual(actionOf("/item/7/clean"), { action: "clean the job", queue: "item", job: "7" });
  t.deepEqual(actionOf("/item/retry/failed"), { action: "retry all failed jobs", queue: "item" });
  t.deepEqual(actionOf("/item/clean/completed"), { action: "clean all completed jobs", queue: "item" });
  t.deepEqual(actionOf("/item/promote"), { action: "promote all delayed jobs", queue: "item" });
  t.deepEqual(actionOf("/item/pause"), { action: "pause the queue", queue: "item" });
  t.deepEqual(actionOf("/resume"), { action: "resume every queue" });
});

test("nobody can create or edit a job, or empty or remove a queue", (t) => {
  for (const [method, path] of [
    ["POST", "/item/add"],
    ["PATCH", "/item/7/update-data"],
    ["PATCH", "/item/7/priority"],
    ["PUT", "/item/empty"],
    ["PUT", "/item/obliterate"],
    ["PUT", "/item/concurrency"],
    ["PUT", "/item/job-schedulers/x/run"],
    ["POST", "/item/7/retry"],
  ] as const)
    t.is(boardAction(method, `/api/queues${path}`), undefined, `${method} ${path}`);
});
