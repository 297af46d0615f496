import test from "ava";
import { SpanKind as JobSpanKind, type Telemetry } from "bullmq";
import { exportSpans } from "../../../queues/tracing/export-spans.ts";
import { type Cause, traceIdOf } from "../../../schemas/cause.ts";
import { type Collector, openCollector, type ReceivedSpan } from "../../harness/collector.ts";

let collector: Collector;
/** The process's first exporter, which receives BullMQ's spans. */
let first: ReturnType<typeof exportSpans>;
test.before(async () => {
  collector = await openCollector();
  first = open();
});
test.after.always(() => collector.close());

const open = (share = 1) => exportSpans({ endpoint: collector.url, share, process: "merger" });
const traceparent = (digit: string, flags = "01") => `00-${digit.repeat(32)}-${digit.repeat(16)}-${flags}`;
const spansNamed = (name: string) => collector.spans.filter((span) => span.name === name);

test("a batch has a span in the trace of each of its calls, and these spans link to one another", async (t) => {
  const { record, flush } = open();
  const traces = ["1", "2", "3"].map((digit) => traceparent(digit));
  const causes = [...traces.map((trace) => ({ trace })), { call: "untraced" }, { trace: traceparent("1") }];
  record({ name: "merge", causes, attributes: { changes: 5 }, from: new Date() });
  await flush();
  const spans = spansNamed("merge");
  t.deepEqual(spans.map(({ traceId }) => traceId).sort(), traces.map(traceIdOf).sort());
  const [lead, ...others] = spans.toSorted((a, b) => (b.links?.length ?? 0) - (a.links?.length ?? 0));
  t.deepEqual(
    lead?.links?.map(({ traceId }) => traceId).sort(),
    others.map(({ traceId }) => traceId),
  );
  for (const { links } of others) t.is(links?.[0]?.spanId, lead?.spanId);
  t.is(lead?.service, "shelfwire-merger");
});

test("OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES name the sender of the spans", async (t) => {
  Object.assign(process.env, {
    OTEL_SERVICE_NAME: "shelves",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=production,service.namespace=retail",
  });
  t.teardown(() => {
    delete process.env.OTEL_SERVICE_NAME;
    delete process.env.OTEL_RESOURCE_ATTRIBUTES;
  });
  const { record, flush } = open();
  record({ name: "named", causes: [{ trace: traceparent("6") }], attributes: {}, from: new Date() });
  await flush();
  t.like(spansNamed("named")[0]?.resource, {
    "service.name": "shelves",
    "service.namespace": "retail",
    "deployment.environment.name": "production",
    "shelfwire.process": "merger",
  });
});

test("a batch of a thousand calls has 32 spans, and the first span links to 128 others", async (t) => {
  const { record, flush } = open();
  const causes = Array.from({ length: 1000 }, (_, at) => {
    const id = (at + 1).toString(16);
    return { trace: `00-${id.padStart(32, "0")}-${id.padStart(16, "0")}-01` };
  });
  record({ name: "evaluate", causes, attributes: {}, from: new Date() });
  await flush();
  t.is(spansNamed("evaluate").length, 32);
  t.is(Math.max(...spansNamed("evaluate").map(({ links }) => links?.length ?? 0)), 128);
});

test("a failed step is an error, and a step of untraced calls has no span", async (t) => {
  const { record, flush } = open();
  record({ name: "transmit", causes: [{ trace: traceparent("4") }], attributes: {}, from: new Date(), fault: "later" });
  for (const cause of [{}, { call: "a", request: 1 }, { trace: traceparent("5", "00") }, { trace: "of nobody" }])
    record({ name: "apply", causes: [cause as Cause], attributes: {}, from: new Date() });
  await flush();
  t.deepEqual(
    spansNamed("transmit").map(({ status }) => status?.code),
    [2],
  );
  t.deepEqual(spansNamed("apply"), []);
});

test("a call continues its caller's trace, and the configured share of other calls is traced", (t) => {
  t.is(open(0).beginCall(""), undefined);
  t.is(open(0).beginCall("malformed"), undefined);
  t.is(open(0).beginCall(traceparent("6"))?.traceId, "6".repeat(32));
  t.is(open(1).beginCall(traceparent("6", "00")), undefined, "the caller does not record the trace");
  const { trace = "", traceId } = open(1).beginCall("") ?? {};
  t.regex(traceId ?? "", /^[0-9a-f]{32}$/);
  t.is(traceIdOf(trace), traceId as string);
});

/** Opens an exporter to its own collector, and returns what the collector received. */
async function exported(work: (tracing: ReturnType<typeof exportSpans>) => void | Promise<void>, path = "") {
  const own = await openCollector();
  const tracing = exportSpans({ endpoint: `${own.url}${path}`, share: 1, process: "merger" });
  await work(tracing);
  await tracing.flush();
  await own.close();
  return own.spans;
}
const attributesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
const SERVER = 2;
const CLIENT = 3;
const INTERNAL = 1;
const ERROR = 2;

test("a collector's address may end with a slash", async (t) => {
  const spans = await exported(
    ({ beginCall }) => beginCall("")?.end({ method: "GET", route: undefined, status: 200 }),
    "/",
  );
  t.is(spans.length, 1);
});

test("a call is named after its method and route, and is an error if the server failed", async (t) => {
  const spans = await exported(({ beginCall }) => {
    beginCall(traceparent("a"))?.end({ method: "GET", route: "/items/:itemId", status: 200 });
    beginCall(traceparent("b"))?.end({ method: "PUT", route: undefined, status: 499 });
    beginCall(traceparent("c"))?.end({ method: "PATCH", route: "/items", status: 500 });
  });
  t.deepEqual(
    spans.map((span) => [span.name, span.kind, span.parentSpanId, attributesOf(span), span.status?.code ?? 0]),
    [
      [
        "GET /items/:itemId",
        SERVER,
        "a".repeat(16),
        { "http.request.method": "GET", "http.response.status_code": 200, "http.route": "/items/:itemId" },
        0,
      ],
      ["PUT", SERVER, "b".repeat(16), { "http.request.method": "PUT", "http.response.status_code": 499 }, 0],
      [
        "PATCH /items",
        SERVER,
        "c".repeat(16),
        { "http.request.method": "PATCH", "http.response.status_code": 500, "http.route": "/items" },
        ERROR,
      ],
    ],
  );
});

test("a call's own trace continues in the steps that the call causes", async (t) => {
  let trace = "";
  const spans = await exported(({ beginCall, record }) => {
    const call = beginCall("");
    trace = call?.trace ?? "";
    record({ name: "merge", causes: [{ trace }], attributes: { changes: 5 }, from: new Date() });
    call?.end({ method: "GET", route: undefined, status: 200 });
  });
  const [step, call] = ["merge", "GET"].map((name) => spans.find((span) => span.name === name));
  t.is(step?.parentSpanId, call?.spanId);
  t.is(step?.traceId, call?.traceId);
  t.is(trace, `00-${call?.traceId}-${call?.spanId}-01`);
});

test("a step has its attributes, start time and kind, and a call to a label server is a client span", async (t) => {
  const from = new Date("2026-01-01T08:00:00Z");
  const spans = await exported(({ record }) => {
    record({ name: "merge", causes: [{ trace: traceparent("a") }], attributes: { changes: 5 }, from });
    record({ name: "transmit", causes: [{ trace: traceparent("a") }], attributes: {}, from, fault: "later" });
  });
  const [merge, transmit] = ["merge", "transmit"].map((name) => spans.find((span) => span.name === name));
  t.deepEqual(merge && attributesOf(merge), { changes: 5 });
  t.is(Number(merge?.startTimeUnixNano), from.getTime() * 1e6);
  t.deepEqual([merge?.kind, transmit?.kind], [INTERNAL, CLIENT]);
  t.deepEqual([merge?.status?.code ?? 0, transmit?.status], [0, { code: ERROR, message: "later" }]);
});

test("only the BullMQ spans of jobs that a call caused are exported", async (t) => {
  const { tracer, contextManager } = first.jobs as Telemetry;
  const call = first.beginCall(traceparent("d"));
  const context = contextManager.fromMetadata(contextManager.active(), JSON.stringify({ traceparent: call?.trace }));
  tracer.startSpan("process a job", { kind: JobSpanKind.CONSUMER }, context).end();
  tracer.startSpan("poll of a queue", { kind: JobSpanKind.CONSUMER }).end();
  tracer.startSpan("add of a job", { kind: JobSpanKind.PRODUCER }, context).end();
  tracer.startSpan("span without options").end();
  await first.flush();
  t.deepEqual(
    collector.spans
      .filter(({ name }) => / a job$|poll|add|without/.test(name))
      .map(({ name, traceId }) => [name, traceId]),
    [["process a job", "d".repeat(32)]],
  );
});
