import type { Commit } from "../../../queues/changes/commit.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import type { Records } from "../../../records/records.ts";
import { DEFAULT_PUBLISH_LIMITS, PublishLimits } from "../../../schemas/publish-limits.ts";
import { knownFields } from "../../body/without-unknown-fields.ts";
import { assertSeen, taggedAnswer } from "../../http/preconditions.ts";
import { tenantRoute } from "../../http/route.ts";

export interface PublishLimitsWorld {
  records: Records;
  commit: Commit;
}

/**
 * Operations on a tenant's publication limits: how many labels a publication may make worse
 * (docs/integrators/publishing.md#publications).
 */
export const publishLimits = ({ records, commit }: PublishLimitsWorld) => [
  tenantRoute({
    method: "GET",
    path: "/publish-limits",
    operationId: "getPublishLimits",
    summary: "Get how many labels a publication may make worse",
    scope: "design:read",
    isTagged: true,
    answers: { 200: PublishLimits },
    handle: async ({ tenant }) => ({
      status: 200,
      body: (await records.read(tenants, [tenant])).get(tenant)?.publishLimits ?? DEFAULT_PUBLISH_LIMITS,
    }),
  }),

  tenantRoute({
    method: "PUT",
    path: "/publish-limits",
    operationId: "putPublishLimits",
    summary: "Set how many labels a publication may make worse",
    scope: "design:write",
    body: PublishLimits,
    isGuarded: true,
    answers: { 200: PublishLimits },
    handle: async ({ tenant, body, header }) => {
      const limits = knownFields(PublishLimits, body);
      await commit.change(
        tenants,
        [tenant],
        (_, current) => {
          assertSeen(header, current?.publishLimits ?? DEFAULT_PUBLISH_LIMITS, "The limits");
          return current && { ...current, publishLimits: limits };
        },
        "interactive",
      );
      return taggedAnswer(200, limits);
    },
  }),
];
