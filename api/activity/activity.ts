import type { ActivityFilter, ActivityLog } from "../../records/activity/activity-log.ts";
import { ActivityPage } from "../../schemas/activity.ts";
import { type Answer, route, tenantRoute } from "../http/route.ts";
import { admits } from "../middleware/negotiate.ts";
import { activityAnswer } from "./activity-answer.ts";
import { type ActivityQuery, filterOf, StoreActivityQuery, TenantActivityQuery } from "./activity-query.ts";
import { exportActivity } from "./export-activity.ts";

export interface ActivityWorld {
  activityLog: Pick<ActivityLog, "find">;
}

const MAX_EXPORTED = 100_000;
const DEFAULT_LIMIT = 100;

const description =
  "Who changed what, newest first. An entry is a request, or one of its parts of at most 1,000 rows, or a call that changed something. " +
  "Entries appear within half a minute and are kept for the operator's `ACTIVITY_DAYS`. JSON is returned page by page; `format=csv` and `format=ndjson` return everything at once.";

const shared = {
  method: "GET",
  scope: "activity:read",
  description,
  answers: { 200: ActivityPage },
  alsoAs: ["text/csv", "application/x-ndjson"],
} as const;

/** The activity log of a store (docs/integrators/activity.md). */
export const storeActivity = (world: ActivityWorld) => [
  route({
    ...shared,
    path: "/activity",
    operationId: "listStoreActivity",
    summary: "List who changed what in the store",
    query: StoreActivityQuery,
    handle: ({ store, query, header }) => answer(world, { store }, query, header("accept")),
  }),
];

/** The activity log of a tenant with all of its stores. */
export const tenantActivity = (world: ActivityWorld) => [
  tenantRoute({
    ...shared,
    path: "/tenant-activity",
    operationId: "listActivity",
    summary: "List who changed what in the tenant and all of its stores",
    query: TenantActivityQuery,
    handle: ({ tenant, query, header }) => answer(world, { tenant }, query, header("accept")),
  }),
];

async function answer(
  { activityLog }: ActivityWorld,
  owner: ActivityFilter["owner"],
  query: ActivityQuery,
  accept: string,
): Promise<Answer> {
  const filter = filterOf(owner, query);
  const format = query.format ?? formatOf(accept);
  if (format !== "json") {
    const body = await exportActivity(activityLog.find(filter, MAX_EXPORTED), format, filter);
    return { status: 200, type: format === "csv" ? "text/csv" : "application/x-ndjson", body };
  }
  const limit = query.limit ?? DEFAULT_LIMIT;
  const found = (await Array.fromAsync(activityLog.find(filter, limit + 1))).flat();
  const page = found.slice(0, limit);
  const body: ActivityPage = {
    entries: page.map((entry) => activityAnswer(entry, filter)),
    next: found.length > limit ? (page.at(-1)?.moment ?? null) : null,
  };
  return { status: 200, body };
}

function formatOf(accept: string): "json" | "csv" | "ndjson" {
  if (admits(accept, "application/json") || accept === "") return "json";
  return admits(accept, "text/csv") ? "csv" : "ndjson";
}
