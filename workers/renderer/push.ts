import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { type Static, Type } from "typebox";
import { closeServer } from "../../runtime/close-server.ts";
import { readBounded } from "../../runtime/read-bounded.ts";
import { ChangeData, ChangeEvent, TEST_EVENT } from "../../schemas/events.ts";
import type { Change, Topic } from "../../schemas/topics.ts";
import { compileCheck } from "../../schemas/validate.ts";

interface Dependencies {
  port: number;
  /** Address to listen on; if absent, all addresses. */
  host?: string | undefined;
  /** Verifies the signatures of the subscription that pushes changes here. */
  secret: string;
  topics: readonly Topic[];
  /** The queue's handler. It is idempotent, so a change that arrives through both the queue and HTTP is derived once. */
  handle(topic: Topic, changes: readonly Change[]): Promise<{ behind: ReadonlyMap<string, number> }>;
  isUnavailable(error: unknown): boolean;
  log: Logger;
}

const MAX_BODY_BYTES = 2 * 2 ** 20;
const PushedEvent = Type.Object({ ...ChangeEvent.properties, data: ChangeData });
const checkEvents = compileCheck(Type.Array(PushedEvent, { minItems: 1, maxItems: 1000 }));

/** Opens push delivery over HTTP: a subscription posts its CloudEvents to /push/{topic}. */
export async function openPush(dependencies: Dependencies): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer({ requestTimeout: 30_000 }, (request, response) => {
    receive(dependencies, request, response).catch((error: Error) => {
      const isAway = dependencies.isUnavailable(error);
      if (!isAway) dependencies.log.error({ error }, "a pushed change could not be processed");
      answer(response, isAway ? 503 : 500, isAway ? "the database is unavailable" : "an internal fault was logged");
    });
  });
  await new Promise<void>((resolve, reject) =>
    server.once("error", reject).listen({ port: dependencies.port, host: dependencies.host }, resolve),
  );
  const { port } = server.address() as AddressInfo;
  dependencies.log.info({ port }, "this address accepts pushed changes");
  return { port, close: () => closeServer(server) };
}

async function receive({ topics, secret, handle }: Dependencies, request: IncomingMessage, response: ServerResponse) {
  const topic = topics.find((name) => request.url === `/push/${name}`);
  if (topic === undefined) return answer(response, 404, `push to ${topics.map((name) => `/push/${name}`).join(", ")}`);
  if (request.method !== "POST") return answer(response, 405, "use POST", { allow: "POST" });
  const body = (await readBounded(request, MAX_BODY_BYTES))?.toString();
  if (body === undefined)
    return answer(response, 413, `the body is larger than the maximum of ${MAX_BODY_BYTES} bytes`);
  const events = verified(secret, request, body);
  if (events === undefined) return answer(response, 401, "the signature does not match the body");
  // A test event of the subscription announces no change.
  if (isTest(events)) return answer(response, 204);
  const [fault] = checkEvents(events);
  if (fault) return answer(response, 400, `${fault.pointer || "/"} ${fault.detail}`);
  const pushed = events as Static<typeof PushedEvent>[];
  const mismatch = pushed.find(({ type }) => type !== topic);
  if (mismatch) return answer(response, 400, `an event of ${mismatch.type} was pushed to ${topic}`);
  const urgency = pushed.length > 1 ? "bulk" : "interactive";
  const { behind } = await handle(
    topic,
    pushed.map(({ data }): Change => ({ ...data, urgency })),
  );
  if (behind.size > 0) return answer(response, 503, "the database is older than the change: send it again");
  answer(response, 204);
}

const isTest = (events: unknown): boolean =>
  Array.isArray(events) &&
  events.length > 0 &&
  events.every((event) => (event as ChangeEvent | null)?.type === TEST_EVENT);

/** Returns the events of a body with a valid signature (Standard Webhooks); otherwise undefined. */
function verified(secret: string, { headers }: IncomingMessage, body: string): unknown {
  try {
    const parsed = new Webhook(secret).verify(body, headers as Record<string, string>);
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch (error) {
    if (error instanceof WebhookVerificationError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function answer(response: ServerResponse, status: number, detail?: string, headers: Record<string, string> = {}): void {
  const retry = status === 503 ? { "retry-after": "5" } : {};
  response.writeHead(status, { ...headers, ...retry, ...(detail && { "content-type": "application/json" }) });
  response.end(detail && JSON.stringify({ detail }));
}
