import type { Telemetry } from "bullmq";
import type { Cause } from "../../schemas/cause.ts";

/** The attributes of a span or a log line; never the content of an item, and no secret. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** The span of a call of the API. */
export interface CallSpan {
  traceId: string;
  /** `traceparent` of the span that is the parent of everything caused by the call. */
  trace: string;
  /** Ends it, named by method and route. */
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
  /** Begins the span of a call, in the trace of its header `traceparent` if it has one. Undefined: it is not traced. */
  beginCall(traceparent: string): CallSpan | undefined;
  /** Records a step in the trace of each of its causes. */
  record(step: DoneStep): void;
  /** Spans of the jobs that a traced call has led to; absent if nothing is traced. */
  jobs?: Telemetry;
  /** Exports the recorded spans. */
  flush(): Promise<void>;
}

/** Without an endpoint nothing is traced, and nothing of OpenTelemetry's SDK is loaded. */
export const untraced: Tracing = { beginCall: () => undefined, record: () => {}, flush: async () => {} };
