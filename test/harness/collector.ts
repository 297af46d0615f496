import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "./eventually.ts";

/** A span as a collector receives it, with its service's name. */
export interface ReceivedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  links?: { traceId: string; spanId: string }[];
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  /** The string attributes of the span's resource. */
  resource: Readonly<Record<string, string | undefined>>;
  status?: { code?: number; message?: string };
  kind: number;
  startTimeUnixNano: string;
}

interface Export {
  resourceSpans: {
    resource: { attributes: ReceivedSpan["attributes"] };
    scopeSpans: { spans: Omit<ReceivedSpan, "service" | "resource">[] }[];
  }[];
}

/** A collector that receives real exports over OTLP/HTTP. */
export interface Collector {
  url: string;
  spans: ReceivedSpan[];
  /** Waits until one trace has spans of all these names; returns the trace's spans. */
  traceWith(traceId: string, names: readonly string[]): Promise<ReceivedSpan[]>;
  close(): Promise<void>;
}

export async function openCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== "POST" || request.url !== "/v1/traces") return response.writeHead(404).end();
    const { resourceSpans } = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()) as Export;
    for (const { resource, scopeSpans } of resourceSpans) {
      const texts = Object.fromEntries(resource.attributes.map(({ key, value }) => [key, value.stringValue]));
      const named = { service: texts["service.name"] ?? "", resource: texts };
      for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, ...named })));
    }
    return response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: "127.0.0.1" }, resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    traceWith: (traceId, names) =>
      eventually(`the trace ${traceId} has ${names.join(", ")}`, async () => {
        const own = spans.filter((span) => span.traceId === traceId);
        const missing = names.filter((name) => !own.some((span) => span.name === name));
        if (missing.length > 0)
          throw new Error(`without ${missing.join(", ")}, with ${own.map(({ name }) => name).join(", ")}`);
        return own;
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
