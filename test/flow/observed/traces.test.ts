import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import { processNames } from "../../../queues/topology.ts";
import { openLog } from "../../../runtime/log.ts";
import type { HistoryAnswer } from "../../../schemas/label-history.ts";
import { bodyOf, numberOf } from "../../api/calls.ts";
import { manage } from "../../api/management/calls.ts";
import { type Collector, openCollector } from "../../harness/collector.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, itemOutcomes, labelFor, labelOutcomes } from "../../harness/glass.ts";
import { JWT_SECRET, LABEL_SERVER_SECRET } from "../../harness/served.ts";
import { openShelfwire, type Shelfwire } from "../../harness/shelfwire.ts";
import { hostWith } from "../../harness/threads/host.ts";

/** Text that the test puts into every value of an item, and into each secret of a caller. */
const MARK = "marked";
const lines: string[] = [];
const host = hostWith((name) => openLog(name, "trace", { write: (line) => void lines.push(line) }));

let collector: Collector;
let shelfwire: Shelfwire;
let renderer: { close(): Promise<void> };
const receiver = createServer((_, response) => response.writeHead(500).end(`no, ${MARK}`));
test.before(async () => {
  collector = await openCollector();
  await new Promise<void>((resolve) => receiver.listen({ port: 0, host: "127.0.0.1" }, resolve));
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, WEBHOOKS_PRIVATE: "127.0.0.1:*" };
  const workers = processNames.filter((name) => name !== "renderer");
  shelfwire = await openShelfwire({ settings, workers, withFront: true }, host);
  renderer = await shelfwire.openWorker("renderer");
});
test.after.always(async () => {
  await shelfwire?.close();
  await collector?.close();
  receiver.close();
});

const STEPS = ["accept", "apply", "evaluate", "render", "transmit", "acknowledge"] as const;

async function hang(name: string): Promise<string> {
  const barcode = labelFor(name);
  await shelfwire.client.patchItems([{ itemId: name, itemName: `The ${name} ${MARK}`, price: "1.99" }]);
  await labelOutcomes(shelfwire, await shelfwire.client.patchLabels([{ barcode, links: [{ itemId: name }] }]));
  await glassOf(shelfwire, barcode);
  return barcode;
}

const patch = (itemId: string, fields: object, headers: Record<string, string> = {}) =>
  shelfwire.call("PATCH", "/items", [{ itemId, ...fields }], headers);
const traceOf = (answer: Response): string => answer.headers.get("x-trace-id") ?? "";
const newestPicture = async (barcode: string): Promise<HistoryAnswer | undefined> =>
  (await bodyOf<HistoryAnswer[]>(await shelfwire.call("GET", `/labels/${barcode}/history`))).find(
    ({ event }) => event === "picture",
  );
/** The evaluator may take so long that the new price is first sent in the former design, and then again in the new one. */
const newestAcknowledged = (barcode: string) =>
  eventually("the newest picture is acknowledged", async () => {
    const picture = await newestPicture(barcode);
    return picture?.result === "acknowledged" && picture;
  });
const parsedLines = (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line));

/** Properties that a rule of the demo reads, so that the evaluator takes part. */
const readByRules = (priceKind: string) => ({ properties: { priceKind } });

test.serial("one price change is one trace, from PATCH to the label's acknowledgement", async (t) => {
  const barcode = await hang("apple");
  const answer = await patch("apple", { price: "2.49", ...readByRules("special") }, { "x-request-id": "till-7" });
  const requestId = await numberOf(answer);
  await itemOutcomes(shelfwire, requestId);
  await glassOf(shelfwire, barcode);
  const traceId = traceOf(answer);
  t.regex(traceId, /^[0-9a-f]{32}$/);
  const spans = await collector.traceWith(traceId, [...STEPS, "process item", "process renderer"]);
  const call = spans.find(({ name }) => name.startsWith("PATCH "));
  t.is(call?.name, "PATCH /t/:tenantId/s/:storeId/api/public/core/v1/items");
  for (const { name, parentSpanId } of spans) if (name !== call?.name) t.is(parentSpanId, call?.spanId, name);
  t.like(await newestAcknowledged(barcode), { requestId, xRequestId: "till-7", traceId });
  const sent = shelfwire.front?.calls.filter(({ path }) => path.includes(barcode)).at(-1);
  t.is(String(sent?.headers.traceparent).slice(3, 35), traceId, "the label server receives the trace");
});

test.serial("every process logs the request, its call and its trace", async (t) => {
  const steps = await eventually("the acknowledgement is logged", async () => {
    const own = parsedLines().filter(({ xRequestId }) => xRequestId === "till-7");
    return own.some(({ step }) => step === "acknowledge") && own;
  });
  for (const name of STEPS) {
    const line = steps.find(({ step }) => step === name);
    t.is(typeof line?.requestId, "number", name);
    t.is(typeof line?.traceId, "string", name);
  }
});

test.serial("a picture names the newest price that it shows, whichever change triggered the drawing", async (t) => {
  const barcode = await hang("pear");
  await renderer.close();
  const answers = [
    await patch("pear", { price: "3.10", ...readByRules("special") }),
    await patch("pear", { price: "3.20", ...readByRules("regular") }),
  ];
  for (const answer of answers) await itemOutcomes(shelfwire, await numberOf(answer.clone()));
  renderer = await shelfwire.openWorker("renderer");
  const newest = traceOf(answers[1] as Response);
  await collector.traceWith(newest, STEPS);
  await glassOf(shelfwire, barcode);
  t.like(await newestAcknowledged(barcode), { traceId: newest });
});

test.serial(
  "no log line contains a secret or an item's value, even at the finest level and in error messages",
  async (t) => {
    await hang("plum");
    const { port } = receiver.address() as AddressInfo;
    const subscribed = await manage(shelfwire, "POST", "/subscriptions", {
      url: `http://127.0.0.1:${port}/hook`,
      topics: ["storeitemvalues.v1"],
    });
    const { secret } = (await subscribed.json()) as { secret: string };
    shelfwire.front?.answer(() => ({ status: 400 }));
    const requestId = await numberOf(
      await patch("plum", { itemName: `${MARK} name`, price: `${MARK} price`, properties: { priceKind: MARK } }),
    );
    await itemOutcomes(shelfwire, requestId);
    await shelfwire.call("PATCH", "/items", `[{"itemId": "${MARK}", "price": ${MARK}]`);
    await shelfwire.call("PATCH", "/items", [{ itemId: "plum", price: { [MARK]: MARK } }]);
    await shelfwire.call("GET", "/items", undefined, { authorization: `Bearer ${MARK}.${MARK}.${MARK}` });
    const authorization = `Basic ${Buffer.from(`till:${MARK}`).toString("base64")}`;
    await fetch(`${shelfwire.origin}/api/public/auth/v1/login`, { headers: { authorization } });
    const wasLogged = (message: string) => parsedLines().some(({ msg }) => msg === message);
    await eventually("a picture is refused", async () => wasLogged("the label server rejected pictures"));
    let sent = 0;
    await eventually("the subscription is read, and its receiver fails", async () => {
      sent += 1;
      await patch("plum", { price: `${MARK} ${sent}` });
      return wasLogged("events were not delivered");
    });
    const token = await shelfwire.token();
    const forbidden = [MARK, JWT_SECRET, LABEL_SERVER_SECRET, secret, token.slice(0, 60), authorization, "Bearer"];
    for (const text of forbidden) t.deepEqual(lines.filter((line) => line.includes(text)).slice(0, 2), [], text);
    shelfwire.front?.answer(() => undefined);
  },
);
