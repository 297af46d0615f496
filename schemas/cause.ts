import { type Static, Type } from "typebox";
import { Actor } from "./actor.ts";
import { Urgency } from "./urgency.ts";

/**
 * The call that caused a write. Each chunk of a request, each written or derived record, each change and each transmission of a
 * picture carries it (docs/architecture/queues.md#traces).
 */
export const Cause = Type.Object({
  /** Number of the request, in the store of the record that carries the cause; absent if no request was journaled. */
  request: Type.Optional(Type.Integer()),
  /** X-Request-Id of the call; absent if Shelfwire made the request itself. */
  call: Type.Optional(Type.String()),
  /**
   * Who made the request; absent if nobody did. A journaled request keeps the actor; the records that the request changes only
   * name the request.
   */
  actor: Type.Optional(Actor),
  /** `traceparent` of the call (W3C Trace Context); absent if it is not traced. */
  trace: Type.Optional(Type.String()),
  /** When the call was accepted, in epoch milliseconds of the database; absent if nothing was journaled. */
  acceptedAt: Type.Optional(Type.Integer()),
  urgency: Type.Optional(Urgency),
});
export type Cause = Static<typeof Cause>;

/** Returns a cause as records and their changes carry it: without the actor. */
export function withoutActor({ actor: _, ...cause }: Cause): Cause {
  return cause;
}

/** The trace id of a `traceparent`: 32 hexadecimal digits. */
export const traceIdOf = (trace: string): string => trace.slice(3, 35);
