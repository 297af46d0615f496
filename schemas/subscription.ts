import { type Static, Type } from "typebox";
import type { CallNotice } from "./call-notice.ts";
import { ObservedTopic, observedTopics } from "./events.ts";
import { Notice } from "./notice.ts";
import { clearless, identifier, known, plainId } from "./text.ts";

const Stores = Type.Array(plainId(), {
  minItems: 1,
  maxItems: 1000,
  description: "Only events of these stores, and of the tenant itself; all stores if absent",
});
const order = {
  topics: Type.Array(ObservedTopic, {
    minItems: 1,
    maxItems: observedTopics.length,
    uniqueItems: true,
    description: "Topics to subscribe to",
  }),
  url: Type.String({
    maxLength: 2048,
    pattern: "^https?://[^ ]+$",
    errorMessage: 'must be a URL such as "https://shop.example/shelfwire-events"',
    description: "URL to which events are posted",
    examples: ["https://shop.example/shelfwire-events"],
  }),
  eventsACall: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 1,
      description: "1: each event is sent in its own call. More: up to this many events per call, as a list",
    }),
  ),
};

const Secret = Type.String({
  pattern: "^whsec_[A-Za-z0-9+/]{32,128}={0,2}$",
  errorMessage: 'must be "whsec_" followed by at least 24 bytes in base64',
  description: "Signs the calls: `whsec_` followed by at least 24 random bytes in base64",
  examples: ["whsec_MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1u"],
});

/** Body that creates a subscription: changes on these topics are posted to the URL. */
export const SubscriptionOrder = Type.Object(
  { ...order, stores: Type.Optional(Stores), secret: Type.Optional(Secret) },
  { title: "SubscriptionOrder" },
);

/** Body that changes a subscription. */
export const SubscriptionChange = Type.Object(
  { ...Type.Partial(Type.Object(order)).properties, stores: clearless(Stores), secret: Type.Optional(Secret) },
  { title: "SubscriptionChange" },
);

export const SubscriptionPath = Type.Object({ subscriptionId: identifier(64, "Id of the subscription") });

/** subscription: a subscription, with the secret that signs its calls (Standard Webhooks). */
export const Subscription = Type.Object({
  ...SubscriptionOrder.properties,
  secret: Secret,
  createdAt: Type.Unsafe<Date>({}),
  /** Why events are no longer sent: the receiver responded with 410, or too many events were waiting. */
  stopped: Type.Optional(Type.String()),
  /** The reason by its code; absent in records of earlier releases. */
  stoppedNotice: Type.Optional(Type.Unsafe<CallNotice>(Notice)),
});
export type Subscription = Static<typeof Subscription>;

/** A subscription in a response. Only the response that creates the subscription contains the secret. */
export const SubscriptionAnswer = Type.Object(
  {
    subscriptionId: Type.String({ description: "Id of the subscription" }),
    ...SubscriptionOrder.properties,
    createdAt: Type.String({ description: "ISO 8601, UTC" }),
    stopped: known(
      Type.String({
        description: "Why delivery has stopped: the receiver answered 410, or too many events were waiting",
      }),
    ),
    stoppedNotice: Type.Optional(Notice),
    waiting: Type.Integer({ description: "Events that have not been delivered yet, counted up to 10,000" }),
    dead: Type.Integer({ description: "Events that were given up after 24 hours, counted up to 10,000" }),
    lastFailure: known(Type.String({ description: "Why an event is waiting or was given up" })),
    lastFailureNotice: Type.Optional(Notice),
    secret: Type.Optional(Type.String({ description: "Present only in the response that creates the subscription" })),
  },
  { title: "Subscription" },
);
