import { type Static, Type } from "typebox";
import { Actor } from "./actor.ts";
import { Urgency } from "./urgency.ts";

/**
 * The call that caused a write. It is passed on with the chunk of a request, with the written and derived records, with
 * their changes and with the transmission of a picture (docs/architecture/queues.md#traces).
 */
export const Cause = Type.Object({
  /** Number of the request, in the store of the record that carries the cause; absent if no request was journaled. */
  request: Type.Optional(Type.Integer()),
  /** X-Request-Id of the call; absent if Shelfwire made the request itself. */
  call: Type.Optional(Type.String()),
  /**
   * Who made the request; absent if nobody did. A journaled request keeps it, the records that it changes do not: they name the
   * request.
   */
  actor: Type.Optional(Actor),
  /** `traceparent` of the call (W3C Trace Context); absent if it is not traced. */
  trace: Type.Optional(Type.String()),
  /** When the call was accepted, in epoch milliseconds of the database; absent if nothing was journaled. */
  acceptedAt: Type.Optional(Type.Integer()),
  urgency: Type.Optional(Urgency),
});
export type Cause = Static<typeof Cause>;

/** The cause of a write, as records and their changes carry it. */
export function withoutActor({ actor: _, ...cause }: Cause): Cause {
  return cause;
}

/** The trace id of a `traceparent`: 32 hexadecimal digits. */
export const traceIdOf = (trace: string): string => trace.slice(3, 35);
