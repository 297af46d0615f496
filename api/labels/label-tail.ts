import type { Readable } from "node:stream";
import { Type } from "typebox";
import { LABELS } from "../../queues/publish/streams.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { route, tenantRoute } from "../http/route.ts";
import { type TailWorld, tailAnswer } from "../management/subscriptions/tail.ts";

const LabelStream = Type.Unsafe<Readable>({
  contentMediaType: "text/event-stream",
  description: 'Events named `label`, whose data is `{"storeId", "barcode"}`',
});
const common = {
  method: "GET",
  description:
    "A label is named when its settings, its links or its picture change, and when a picture is sent or on the glass: read it " +
    "then. The header `Last-Event-ID` goes on behind an event, as far back as some hundred batches of changes and an hour. " +
    "It ends when its token does.",
  answers: { 200: LabelStream },
  problems: ["busy", "too-much-waiting"],
} as const;

/** Which labels change, as it happens: those of a store for all who may read them, and those of a tenant. */
export const labelTail = ({ tails }: TailWorld) => [
  route({
    ...common,
    path: "/labels/tail",
    operationId: "tailLabels",
    summary: "Which labels of the store change, as server-sent events",
    scope: "labels:read",
    handle: async ({ store, header, isPermitted }) =>
      tailAnswer(tails, { tenant: tenantOf(store), topic: LABELS, store, isPermitted }, header("last-event-id")),
  }),

  tenantRoute({
    ...common,
    path: "/label-tail",
    operationId: "tailTenantLabels",
    summary: "Which labels of all stores change, as server-sent events",
    scope: "ops",
    handle: async ({ tenant, header, isPermitted }) =>
      tailAnswer(tails, { tenant, topic: LABELS, isPermitted }, header("last-event-id")),
  }),
];
