import type { Readable } from "node:stream";
import { Type } from "typebox";
import { ObservedTopic, observedTopics } from "../../../schemas/events.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { type Answer, tenantRoute } from "../../http/route.ts";
import { MAX_TAILS, type TailOrder, type Tails } from "./tails.ts";

export interface TailWorld {
  tails: Tails;
}

const EventStream = Type.Unsafe<Readable>({
  contentMediaType: "text/event-stream",
  description: "One event per change, as sent to subscribers",
});

/** Operations that stream changes as server-sent events, from the topic's stream in Redis (docs/decisions/events/tails.md). */
export const tail = ({ tails }: TailWorld) => [
  tenantRoute({
    method: "GET",
    path: "/topics",
    operationId: "listTopics",
    summary: "List the topics that can be subscribed to or tailed",
    scope: "ops",
    answers: { 200: Type.Array(ObservedTopic) },
    handle: async () => ({ status: 200, body: observedTopics }),
  }),

  tenantRoute({
    method: "GET",
    path: "/topics/:topic/tail",
    operationId: "tailTopic",
    summary: "Stream changes as they happen, as server-sent events",
    description:
      "The header `Last-Event-ID` resumes after an event, within the last few hundred batches of changes and one hour. " +
      "The stream ends when its token expires. For debugging and monitoring: to receive every change, use a subscription.",
    scope: "ops",
    params: Type.Object({ topic: ObservedTopic }),
    answers: { 200: EventStream },
    problems: ["busy", "too-much-waiting"],
    handle: async ({ tenant, params: { topic }, header, isPermitted }) =>
      tailAnswer(tails, { tenant, topic, isPermitted }, header("last-event-id")),
  }),
];

/**
 * Creates the streamed response of a tail, which starts after the last event that the caller names. Throws if the maximum
 * number of tails is open.
 */
export function tailAnswer(tails: Tails, order: Omit<TailOrder, "after">, lastEventId: string): Answer {
  const after = /^\d{1,15}-\d{1,15}$/.test(lastEventId) ? lastEventId : undefined;
  const body = tails.open({ ...order, after });
  const headersOfRefusal = { "retry-after": "60" };
  if (body === "tenant") {
    const detail = `A tenant can have at most ${tenantLimits.tails} open tails, and has reached this limit. Close one, or try again later.`;
    throw new ProblemError("too-much-waiting", detail, { headers: headersOfRefusal });
  }
  if (body === "process") {
    const detail = `This process already serves the maximum of ${MAX_TAILS} open tails. Try again later.`;
    throw new ProblemError("busy", detail, { headers: headersOfRefusal });
  }
  // `no-transform` prevents compression, which would delay events until the compressor's buffer is full.
  const headers = { "cache-control": "private, no-store, no-transform", "x-accel-buffering": "no" };
  return { status: 200, type: "text/event-stream", headers, body };
}
