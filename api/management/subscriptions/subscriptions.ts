import { randomBytes, randomUUID } from "node:crypto";
import { Type } from "typebox";
import { type PrivateReceivers, privateHost } from "../../../domain/webhooks/public-address.ts";
import type { Commit } from "../../../queues/changes/commit.ts";
import { subscriptions as kind } from "../../../records/kinds/tenants.ts";
import type { Deliveries } from "../../../records/outbox/deliveries.ts";
import type { Records } from "../../../records/records.ts";
import { type ChangeEvent, TEST_EVENT } from "../../../schemas/events.ts";
import { idOf, subscriptionKey } from "../../../schemas/keys.ts";
import { faultAt } from "../../../schemas/problem.ts";
import type { Stored } from "../../../schemas/record.ts";
import { type RefusalNotice, refusalNotice } from "../../../schemas/refusal-notice.ts";
import {
  type Subscription,
  SubscriptionAnswer,
  SubscriptionChange,
  SubscriptionOrder,
  SubscriptionPath,
} from "../../../schemas/subscription.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { knownFields } from "../../body/without-unknown-fields.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { Nothing, tenantRoute } from "../../http/route.ts";
import { assertFaultless, createFinder, missing } from "../find-records.ts";

export interface SubscriptionsWorld {
  records: Records;
  commit: Commit;
  deliveries: Deliveries;
  /** Private addresses that subscriptions may name. */
  allowedReceivers: PrivateReceivers;
  now(): Date;
}

const noun = "subscription";

/** Reads a tenant's subscriptions. */
export const subscriptionFinder = (records: Records) => createFinder(records, { kind, noun, keyOf: subscriptionKey });

/** Operations on webhook subscriptions to changes (docs/integrators/subscriptions.md#subscribe-to-changes). */
export const subscriptions = ({ records, commit, deliveries, allowedReceivers, now }: SubscriptionsWorld) => {
  const found = subscriptionFinder(records);

  async function answerOf({
    _id,
    topics,
    url,
    stores,
    eventsACall,
    createdAt,
    stopped,
    stoppedNotice,
  }: Stored<Subscription>) {
    return {
      subscriptionId: idOf(_id),
      topics,
      url,
      ...(stores && { stores }),
      eventsACall: eventsACall ?? 1,
      createdAt: createdAt.toISOString(),
      stopped: stopped ?? null,
      ...(stoppedNotice && { stoppedNotice }),
      ...(await deliveries.count(_id)),
    };
  }

  /** Throws for URLs with a private host. The notifier checks the addresses that a name resolves to at each call. */
  function assertPublic(url: string | undefined): void {
    const fault = url === undefined ? undefined : urlFault(url, allowedReceivers);
    if (fault !== undefined) assertFaultless([faultAt("/url", fault)]);
  }

  return [
    tenantRoute({
      method: "POST",
      path: "/subscriptions",
      operationId: "createSubscription",
      summary: "Create a webhook subscription to changes",
      description:
        "Only this response contains the secret that signs the calls: yours, or a generated one. A repetition with the same " +
        "`Idempotency-Key` returns a response without it. Changes are sent starting two seconds after the response.",
      scope: "ops:write",
      body: SubscriptionOrder,
      answers: { 201: SubscriptionAnswer },
      problems: ["conflict"],
      handle: async ({ tenant, body }) => {
        assertPublic(body.url);
        await found.assertRoom(tenant, "", tenantLimits.subscriptions);
        const order = knownFields(SubscriptionOrder, body);
        const { secret = `whsec_${randomBytes(24).toString("base64")}` } = order;
        const key = subscriptionKey(tenant, randomUUID());
        const made = await commit.change(kind, [key], () => ({ ...order, secret, createdAt: now() }), "interactive");
        const subscription = made.get(key);
        if (subscription === undefined) throw new Error(`${key} was not created`);
        return { status: 201, body: { ...(await answerOf(subscription)), secret }, secretFields: ["secret"] };
      },
    }),

    tenantRoute({
      method: "GET",
      path: "/subscriptions",
      operationId: "listSubscriptions",
      summary: "List the tenant's subscriptions",
      scope: "ops",
      answers: { 200: Type.Array(SubscriptionAnswer) },
      handle: async ({ tenant }) => {
        const present = await found.all(tenant);
        return { status: 200, body: await Promise.all(present.map(answerOf)) };
      },
    }),

    tenantRoute({
      method: "GET",
      path: "/subscriptions/:subscriptionId",
      operationId: "getSubscription",
      summary: "Get one subscription, with the number of waiting events",
      scope: "ops",
      params: SubscriptionPath,
      answers: { 200: SubscriptionAnswer },
      problems: ["not-found"],
      handle: async ({ tenant, params }) => ({
        status: 200,
        body: await answerOf(await found.one(tenant, params.subscriptionId)),
      }),
    }),

    tenantRoute({
      method: "PATCH",
      path: "/subscriptions/:subscriptionId",
      operationId: "changeSubscription",
      summary: "Change a subscription; a stopped one is resumed",
      description:
        "Absent fields keep their values. `stores: null` means all stores. Events that are already waiting go to the new address.",
      scope: "ops:write",
      params: SubscriptionPath,
      body: SubscriptionChange,
      answers: { 200: SubscriptionAnswer },
      problems: ["not-found"],
      handle: async ({ tenant, params: { subscriptionId }, body }) => {
        assertPublic(body.url);
        const { stores, ...others } = knownFields(SubscriptionChange, body);
        await commit.change(
          kind,
          [subscriptionKey(tenant, subscriptionId)],
          (_, current) => {
            if (current === undefined) throw missing(noun, subscriptionId);
            const { stopped: _stopped, stoppedNotice: _notice, stores: before, ...rest } = current;
            const named = stores === undefined ? before : (stores ?? undefined);
            return { ...rest, ...others, ...(named && { stores: named }) };
          },
          "interactive",
        );
        return { status: 200, body: await answerOf(await found.one(tenant, subscriptionId)) };
      },
    }),

    tenantRoute({
      method: "DELETE",
      path: "/subscriptions/:subscriptionId",
      operationId: "deleteSubscription",
      summary: "Delete a subscription; waiting events are discarded",
      scope: "ops:write",
      params: SubscriptionPath,
      answers: { 204: Nothing },
      problems: ["not-found"],
      handle: async ({ tenant, params }) => {
        const { _id, rev } = await found.one(tenant, params.subscriptionId);
        await records.remove(kind, [{ key: _id, rev }]);
        await deliveries.drop(_id);
        return { status: 204 };
      },
    }),

    tenantRoute({
      method: "POST",
      path: "/subscriptions/:subscriptionId/test",
      operationId: "testSubscription",
      summary: "Send a test event, to check that it arrives",
      description: "It is sent like any other event. It has arrived once the subscription reports no waiting events.",
      scope: "ops:write",
      params: SubscriptionPath,
      answers: {
        200: Type.Object(
          { eventId: Type.String({ description: "The `id` of the test event" }) },
          { title: "TestDelivery" },
        ),
      },
      problems: ["not-found", "too-much-waiting"],
      handle: async ({ tenant, params }) => {
        const { _id } = await found.one(tenant, params.subscriptionId);
        const waiting = await deliveries.countOfTenant(tenant, tenantLimits.deliveriesWaiting);
        if (waiting >= tenantLimits.deliveriesWaiting) {
          throw new ProblemError("too-much-waiting", refusalNotice("EVENTS_WAITING", { count: waiting }), {
            headers: { "retry-after": "60" },
          });
        }
        const event = testEvent(tenant, _id, now());
        await deliveries.keep([{ subscription: _id, event }]);
        return { status: 200, body: { eventId: event.id } };
      },
    }),
  ];
};

function urlFault(url: string, allowed: PrivateReceivers): RefusalNotice | undefined {
  if (!URL.canParse(url)) return refusalNotice("ADDRESS_INVALID", {});
  const { username, password } = new URL(url);
  if (username || password) return refusalNotice("ADDRESS_USER", {});
  return privateHost(url, allowed);
}

const testEvent = (tenant: string, subscription: string, time: Date): ChangeEvent => ({
  specversion: "1.0",
  id: randomUUID(),
  source: `/${tenant}`,
  type: TEST_EVENT,
  subject: subscription,
  time: time.toISOString(),
  datacontenttype: "application/json",
  data: { message: "This is a test. Nothing has changed." },
});
