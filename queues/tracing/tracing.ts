import type { Telemetry } from "bullmq";
import type { Cause } from "../../schemas/cause.ts";

/** The attributes of a span or a log line; they never contain item data or secrets. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** The span of an API call. */
export interface CallSpan {
  traceId: string;
  /** `traceparent` of the span that is the parent of everything that the call causes. */
  trace: string;
  /** Ends the span, which is named by method and route. */
  end(call: { method: string; route: string | undefined; status: number }): void;
}

/** A step that has ended. `fault`: why it failed. */
export interface DoneStep {
  name: string;
  causes: readonly Cause[];
  attributes: Attributes;
  /** When it began. */
  from: Date;
  fault?: string | undefined;
}

export interface Tracing {
  /**
   * Begins the span of a call, in the trace that the call's `traceparent` header names, if there is one. Returns undefined if
   * the call is not traced.
   */
  beginCall(traceparent: string): CallSpan | undefined;
  /** Records a step in the trace of each of its causes. */
  record(step: DoneStep): void;
  /** Records spans of the jobs that a traced call has caused; absent if nothing is traced. */
  jobs?: Telemetry;
  /** Exports the recorded spans. */
  flush(): Promise<void>;
}

/** Used without an endpoint: nothing is traced, and OpenTelemetry's SDK is not loaded. */
export const untraced: Tracing = { beginCall: () => undefined, record: () => {}, flush: async () => {} };
