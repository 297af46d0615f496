import type { Readable } from "node:stream";
import { Type } from "typebox";
import { LABELS } from "../../queues/publish/streams.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { route, tenantRoute } from "../http/route.ts";
import { type TailWorld, tailAnswer } from "../management/subscriptions/tail.ts";

const LabelStream = Type.Unsafe<Readable>({
  contentMediaType: "text/event-stream",
  description: 'Events named `label` with the data `{"storeId", "barcode"}`',
});
const common = {
  method: "GET",
  description:
    "An event is sent when a label's settings, links or picture change, and when a picture is sent or acknowledged: read the label " +
    "at that point. The header `Last-Event-ID` resumes after an event, within the last few hundred batches of changes and one hour. " +
    "The stream ends when its token expires.",
  answers: { 200: LabelStream },
  problems: ["busy", "too-much-waiting"],
} as const;

/** Streams changes to labels: either one store's, to callers who may read its labels, or all of a tenant's. */
export const labelTail = ({ tails }: TailWorld) => [
  route({
    ...common,
    path: "/labels/tail",
    operationId: "tailLabels",
    summary: "Stream the labels of the store that change, as server-sent events",
    scope: "labels:read",
    handle: async ({ store, header, isPermitted }) =>
      tailAnswer(tails, { tenant: tenantOf(store), topic: LABELS, store, isPermitted }, header("last-event-id")),
  }),

  tenantRoute({
    ...common,
    path: "/label-tail",
    operationId: "tailTenantLabels",
    summary: "Stream the labels of all stores that change, as server-sent events",
    scope: "ops",
    handle: async ({ tenant, header, isPermitted }) =>
      tailAnswer(tails, { tenant, topic: LABELS, isPermitted }, header("last-event-id")),
  }),
];
