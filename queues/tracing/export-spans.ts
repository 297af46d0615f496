import {
  type Context,
  defaultTextMapGetter,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { SpanKind as JobSpanKind, type Telemetry } from "bullmq";
import { BullMQOTelSpan, BullMQOtel } from "bullmq-otel";
import type { Cause } from "../../schemas/cause.ts";
import type { DoneStep, Tracing } from "./tracing.ts";

/** A step has a span in at most this many traces of its batch; its first span links to at most `MAX_LINKS` other traces. */
const MAX_SPANS = 32;
const MAX_LINKS = 128;
/** Short, so that a trace can be viewed soon after it ends. */
const EXPORT_INTERVAL_MS = 1_000;
const CLIENT_STEPS: ReadonlySet<string> = new Set(["transmit"]);

const propagator = new W3CTraceContextPropagator();
const contextOf = (traceparent: string): Context =>
  propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);

interface Options {
  /** Base address of an OTLP/HTTP collector; `/v1/traces` is added. */
  endpoint: string;
  /**
   * The fraction, from 0 to 1, of the traces starting here that are recorded. A caller's own trace is recorded if the caller
   * requests it.
   */
  share: number;
  process: string;
}

/** Records spans and exports them in batches, as JSON over OTLP/HTTP. Spans that are not accepted are dropped. */
export function exportSpans({ endpoint, share, process }: Options): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceOf(process),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: EXPORT_INTERVAL_MS })],
  });
  const tracer = provider.getTracer("shelfwire");
  // bullmq-otel finds both in the process's global registry. If several workers run in one process, the first registration
  // remains.
  trace.setGlobalTracerProvider(provider);
  propagation.setGlobalPropagator(propagator);

  return {
    beginCall(traceparent) {
      const span = tracer.startSpan("call", { kind: SpanKind.SERVER }, contextOf(traceparent));
      if (!span.isRecording()) return undefined;
      const { traceId, spanId } = span.spanContext();
      return {
        traceId,
        trace: `00-${traceId}-${spanId}-01`,
        end({ method, route, status }) {
          span.updateName(route === undefined ? method : `${method} ${route}`);
          span.setAttributes({
            "http.request.method": method,
            "http.response.status_code": status,
            ...(route !== undefined && { "http.route": route }),
          });
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    record: (step) => recordStep(tracer, step),
    jobs: telemetryOfJobs(),
    flush: () => provider.forceFlush(),
  };
}

/**
 * Describes the sender of the spans: a Shelfwire process, with the name and attributes from OTEL_SERVICE_NAME and
 * OTEL_RESOURCE_ATTRIBUTES.
 */
const resourceOf = (process: string) =>
  defaultResource()
    .merge(resourceFromAttributes({ "service.name": `shelfwire-${process}`, "shelfwire.process": process }))
    .merge(detectResources({ detectors: [envDetector] }));

/**
 * Returns BullMQ's telemetry with only the spans of jobs, each under the call that its job carries. Other spans are omitted:
 * polls of an empty queue, which would each be a separate trace, and the commands for a job.
 */
function telemetryOfJobs(): Telemetry {
  const { tracer, contextManager }: Telemetry = new BullMQOtel({ tracerName: "bullmq" });
  const ignored = new BullMQOTelSpan(trace.wrapSpanContext(INVALID_SPAN_CONTEXT));
  return {
    contextManager,
    tracer: {
      startSpan: (name, options, context) =>
        options?.kind === JobSpanKind.CONSUMER && context !== undefined
          ? tracer.startSpan(name, options, context)
          : ignored,
    },
  };
}

/**
 * Records a step in the trace of each of its causes. A batch has a span in each trace: the first span links to all others, and
 * each of them to the first. So every trace is complete and shows which others shared its batch.
 */
function recordStep(tracer: Tracer, { name, causes, attributes, from, fault }: DoneStep): void {
  const [first, ...others] = tracedContexts(causes);
  if (first === undefined) return;
  const spans: Span[] = [];
  const begin = (parent: Context, linked: readonly Context[]): Span => {
    const links = linked.flatMap((context) => trace.getSpanContext(context) ?? []).map((context) => ({ context }));
    const kind = CLIENT_STEPS.has(name) ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const span = tracer.startSpan(name, { kind, attributes, links, startTime: from }, parent);
    spans.push(span);
    return span;
  };
  const lead = begin(first, others.slice(0, MAX_LINKS));
  const toLead = trace.setSpan(ROOT_CONTEXT, lead);
  for (const other of others.slice(0, MAX_SPANS - 1)) begin(other, [toLead]);
  for (const span of spans) {
    if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: fault });
    span.end();
  }
}

/** Returns each trace's context once. */
function tracedContexts(causes: readonly Cause[]): Context[] {
  const traces = new Set(causes.flatMap((cause) => cause.trace ?? []));
  return [...traces].map(contextOf).filter((context) => {
    const flags = trace.getSpanContext(context)?.traceFlags ?? TraceFlags.NONE;
    return (flags & TraceFlags.SAMPLED) !== 0;
  });
}
