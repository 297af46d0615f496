import test from "ava";
import { openTracing } from "../../../queues/tracing/open-tracing.ts";
import { untraced } from "../../../queues/tracing/tracing.ts";

test("without an endpoint nothing is traced; with one, calls and jobs are", async (t) => {
  const share = { OTEL_TRACES_SAMPLER_ARG: "1" };
  t.is(await openTracing({ ...share, OTEL_EXPORTER_OTLP_ENDPOINT: undefined }, "web"), untraced);
  const traced = await openTracing({ ...share, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }, "web");
  t.truthy(traced.jobs);
  t.truthy(traced.beginCall(""));
  const never = await openTracing(
    { OTEL_TRACES_SAMPLER_ARG: "0", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" },
    "web",
  );
  t.is(never.beginCall(""), undefined);
});
