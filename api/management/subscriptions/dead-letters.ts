import { Type } from "typebox";
import type { Deliveries } from "../../../records/outbox/deliveries.ts";
import type { Delivery } from "../../../records/outbox/delivery.ts";
import type { Records } from "../../../records/records.ts";
import { ChangeEvent } from "../../../schemas/events.ts";
import { Notice } from "../../../schemas/notice.ts";
import { pageLimit, Start } from "../../../schemas/paging.ts";
import { SubscriptionPath } from "../../../schemas/subscription.ts";
import { tenantRoute } from "../../http/route.ts";
import { subscriptionFinder } from "./subscriptions.ts";

export interface DeadLettersWorld {
  records: Records;
  deliveries: Deliveries;
}

const DeadLetter = Type.Object(
  {
    deadLetterId: Type.String({ description: "Id that replays the event" }),
    event: ChangeEvent,
    since: Type.String({ description: "Time of the event; ISO 8601, UTC" }),
    attempts: Type.Integer({ description: "Number of delivery attempts" }),
    reason: Type.String({ description: "The receiver's last response" }),
    notice: Type.Optional(Notice),
  },
  { title: "DeadLetter" },
);

const Replay = Type.Object(
  {
    deadLetterIds: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
        minItems: 1,
        maxItems: 1000,
        description: "The events to replay; all if absent",
      }),
    ),
  },
  { title: "Replay" },
);

/**
 * Operations on dead letters: events whose delivery was abandoned after 24 hours
 * (docs/operations/subscribers.md#deliveries).
 */
export const deadLetters = ({ records, deliveries }: DeadLettersWorld) => {
  const found = subscriptionFinder(records);
  return [
    tenantRoute({
      method: "GET",
      path: "/subscriptions/:subscriptionId/dead-letters",
      operationId: "listDeadLetters",
      summary: "List the events whose delivery was abandoned after 24 hours, oldest first",
      description: "They are kept for seven days.",
      scope: "ops",
      params: SubscriptionPath,
      query: Type.Object({ start: Type.Optional(Start), limit: Type.Optional(pageLimit()) }),
      answers: { 200: Type.Array(DeadLetter) },
      problems: ["not-found"],
      handle: async ({ tenant, params, query: { start = 0, limit = 100 } }) => {
        const { _id } = await found.one(tenant, params.subscriptionId);
        return { status: 200, body: (await deliveries.listDead(_id, start, limit)).map(deadLetterOf) };
      },
    }),

    tenantRoute({
      method: "POST",
      path: "/subscriptions/:subscriptionId/replay",
      operationId: "replayDeadLetters",
      summary: "Retry events whose delivery was abandoned, for another 24 hours",
      scope: "ops:write",
      params: SubscriptionPath,
      body: Replay,
      isBodyOptional: true,
      answers: {
        200: Type.Object(
          { replayed: Type.Integer({ description: "Number of events that are retried" }) },
          { title: "Replayed" },
        ),
      },
      problems: ["not-found"],
      handle: async ({ tenant, params, body }) => {
        const { _id } = await found.one(tenant, params.subscriptionId);
        return { status: 200, body: { replayed: await deliveries.replay(_id, body?.deadLetterIds) } };
      },
    }),
  ];
};

const deadLetterOf = ({ _id, event, since, attempts, reason, notice }: Delivery) => ({
  deadLetterId: _id,
  event,
  since: since.toISOString(),
  attempts,
  reason: reason ?? "",
  ...(notice && { notice }),
});
