import { Type } from "typebox";
import { openStoreCounts } from "../../queues/metrics/store-counts.ts";
import type { System } from "../../queues/system.ts";
import { storeIds } from "../../schemas/keys.ts";
import { StoreLabelCounts } from "../../schemas/store-label-counts.ts";
import { tenantRoute } from "../http/route.ts";

export type LabelCountsWorld = Pick<System, "publisher" | "redis" | "now">;

/** The labels of all stores of a tenant by state, as last counted. */
export const labelCounts = ({ publisher, redis, now }: LabelCountsWorld) => [
  tenantRoute({
    method: "GET",
    path: "/label-counts",
    operationId: "getLabelCounts",
    summary:
      "Count the labels of every store by plState, with the labels that were behind in each of the last 24 hours",
    description:
      "Counts are made in the background about every five minutes; `/labels/summary` counts one store's labels immediately. A store is left out if it has no labels, or " +
      "was not counted for two hours. While Redis is unavailable the list is empty.",
    scope: "ops",
    isForPlatform: true,
    answers: { 200: Type.Array(StoreLabelCounts) },
    handle: async ({ tenant }) => {
      const found = publisher.isReady() ? await openStoreCounts(redis, now).read(tenant).catch(awayMeanwhile) : none;
      const body = [...found].map(([store, { countedAt, plState, behind }]) => ({
        storeId: storeIds(store).storeId,
        countedAt: countedAt.toISOString(),
        labels: Object.values(plState).reduce((sum, count) => sum + count, 0),
        plState,
        behind: behind.map((count) => count ?? null),
      }));
      return { status: 200, body: body.sort((one, other) => (one.storeId < other.storeId ? -1 : 1)) };
    },
  }),
];

const none: Awaited<ReturnType<ReturnType<typeof openStoreCounts>["read"]>> = new Map();
/** While Redis cannot be reached, nothing is known. */
const awayMeanwhile = () => none;
