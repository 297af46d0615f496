import type { Environment } from "../../schemas/environment.ts";
import { type Tracing, untraced } from "./tracing.ts";

export const tracingSettings = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_TRACES_SAMPLER_ARG"] as const;

/** Opens the tracing of a process. OpenTelemetry is loaded only if there is an endpoint for its spans. */
export async function openTracing(
  {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_TRACES_SAMPLER_ARG: share,
  }: Environment<(typeof tracingSettings)[number]>,
  process: string,
): Promise<Tracing> {
  if (endpoint === undefined) return untraced;
  const { exportSpans } = await import("./export-spans.ts");
  return exportSpans({ endpoint, share: Number(share), process });
}
