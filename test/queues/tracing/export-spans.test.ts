import test from "ava";
import { exportSpans } from "../../../queues/tracing/export-spans.ts";
import { type Cause, traceIdOf } from "../../../schemas/cause.ts";
import { type Collector, openCollector } from "../../harness/collector.ts";

let collector: Collector;
test.before(async () => {
  collector = await openCollector();
});
test.after.always(() => collector.close());

const open = (share = 1) => exportSpans({ endpoint: collector.url, share, process: "merger" });
const traceparent = (digit: string, flags = "01") => `00-${digit.repeat(32)}-${digit.repeat(16)}-${flags}`;
const spansNamed = (name: string) => collector.spans.filter((span) => span.name === name);

test("a batch has a span in the trace of each of its calls, which link to one another", async (t) => {
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

test("a batch of a thousand calls has 32 spans, of which the first links to 128 others", async (t) => {
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

test("a step that failed is an error, one of untraced calls is nothing", async (t) => {
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

test("a call goes on with its caller's trace, and of others the set share is traced", (t) => {
  t.is(open(0).beginCall(""), undefined);
  t.is(open(0).beginCall("malformed"), undefined);
  t.is(open(0).beginCall(traceparent("6"))?.traceId, "6".repeat(32));
  t.is(open(1).beginCall(traceparent("6", "00")), undefined, "the caller does not record it");
  const { trace = "", traceId } = open(1).beginCall("") ?? {};
  t.regex(traceId ?? "", /^[0-9a-f]{32}$/);
  t.is(traceIdOf(trace), traceId as string);
});
