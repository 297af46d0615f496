import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import test from "ava";
import { bodyLimits } from "../../../../api/body/body-limits.ts";
import { TENANT_ID } from "../../../../scripts/demo/catalogue.ts";
import { repeatUnavailable } from "../../../../scripts/repeat-unavailable.ts";
import { freePort } from "../../../../scripts/start/ports.ts";
import { eventually } from "../../../harness/eventually.ts";
import { type OwnApi, openOwnApi } from "../../../harness/processes/own-api.ts";
import type { ReportedWork } from "../../../harness/processes/report-work.ts";
import { isThorough, sampleOf, sayTried } from "../../../harness/searches/effort.ts";
import { openShelfwire, type Shelfwire } from "../../../harness/shelfwire.ts";
import { thisThread } from "../../../harness/threads/host.ts";
import { hostileRasters, hostileSvgs } from "../../images/hostile-images.ts";
import { hostileBodies, routeOf } from "./hostile-bodies.ts";

/** The API is a separate process, which reports its work. */
let shelfwire: Shelfwire;
let api: OwnApi;
let token: string;
let work: string;
test.before(async () => {
  shelfwire = await openShelfwire({ workers: [] }, thisThread);
  token = await shelfwire.token();
  const port = String(await freePort());
  work = `http://127.0.0.1:${port}`;
  const preloads = ["report-work.ts", "decode-briefly.ts"].map(
    (name) => new URL(`../../../harness/processes/${name}`, import.meta.url),
  );
  const imports = preloads.map(({ href }) => `--import=${href}`).join(" ");
  api = await openOwnApi(shelfwire, { WORK_PORT: port, NODE_OPTIONS: imports });
});
test.after.always(async () => {
  await api.close();
  await shelfwire.close();
});

interface Sent {
  status: number;
  /** Other calls that were answered while this call was in progress. */
  others: number;
}

/**
 * The first pause between the other calls, which are sent one after another; the pause doubles each time. Without pauses, or with
 * equal ones on a slow machine, the other calls would be most of this file's work.
 */
const FIRST_PAUSE_MS = 20;

/** Sends a call, and other calls one after another until the first has been answered. The others must all succeed. */
async function sendBeside(method: string, address: string, type: string, body: Buffer, packed = false): Promise<Sent> {
  const authorization = `Bearer ${token}`;
  const headers = { authorization, "content-type": type, ...(packed && { "content-encoding": "gzip" }) };
  let isUnderWay = true;
  const sending = fetch(address, { method, headers, body: body }).then(async (answer) => {
    await answer.arrayBuffer();
    isUnderWay = false;
    return answer.status;
  });
  let others = 0;
  for (let pauseMs = FIRST_PAUSE_MS; isUnderWay; pauseMs *= 2) {
    const answer = await fetch(`${api.base}/items?limit=1`, { headers: { authorization } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`another call returned ${answer.status}`);
    if (isUnderWay) others += 1;
    await Promise.race([sending, setTimeout(pauseMs)]);
  }
  return { status: await sending, others };
}

/** How often a call is sent that gets 503, because a busy machine has no time for it. */
const MAX_ATTEMPTS = 5;

/**
 * Sends a call, again after a 503, and counts the API's work until it is answered. Meanwhile the API's event loop must keep
 * turning.
 */
async function sendCounted(...call: Parameters<typeof sendBeside>): Promise<Sent & ReportedWork> {
  const send = async () => {
    await fetch(work, { method: "POST" });
    return sendBeside(...call);
  };
  const sent = await repeatUnavailable(send, MAX_ATTEMPTS);
  return { ...sent, ...((await (await fetch(work)).json()) as ReportedWork) };
}

const { maxBytes, maxValues } = bodyLimits.json;
const pack = promisify(gzip);
let answeredBetween = 0;
const triedBodies = isThorough ? hostileBodies : sampleOf(hostileBodies, { size: 30 });
for (const { name, operation, make } of triedBodies) {
  test.serial(`${operation} with a compressed ${name} takes bounded work, in parts`, async (t) => {
    const bytes = Buffer.from(make() as string);
    t.true(bytes.length <= maxBytes);
    const { method, of, path } = routeOf(operation);
    const base = of === "tenant" ? `${api.origin}/t/${TENANT_ID}/api/management/v1` : api.base;
    const address = `${base}${path.replaceAll(/:\w+/g, "a")}`;
    const packed = await pack(bytes, { level: 1 });
    const { status, others, total, inOneTurn } = await sendCounted(method, address, "application/json", packed, true);
    t.true(status < 500, `${status}`);
    t.true(total.scannedBytes <= maxBytes, `${total.scannedBytes} bytes scanned`);
    t.true(total.parsedValues <= maxValues, `${total.parsedValues} values parsed`);
    t.true(total.checks <= 100_000, `${total.checks} checks`);
    t.true(total.faults <= 2 * 101, `${total.faults} faults`);
    t.is(total.compilations, 0, "expressions are compiled in their own thread");
    t.true(inOneTurn.scannedBytes <= maxBytes / 2, `${inOneTurn.scannedBytes} bytes scanned in one turn`);
    t.true(inOneTurn.checks <= 25_000, `${inOneTurn.checks} checks in one turn`);
    answeredBetween += others;
  });
}

test.serial("there are at least sixty hostile bodies, and other calls were served while they were handled", (t) => {
  sayTried(t, triedBodies.length, hostileBodies.length, "bodies");
  t.true(hostileBodies.length >= 60, `${hostileBodies.length}`);
  t.true(answeredBetween > 0);
});

const BOUNDARY = "b".repeat(70);
const partHead = (name: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n`;
const filled = (unit: string, head = ""): Buffer =>
  Buffer.concat([Buffer.from(head), Buffer.alloc(bodyLimits.upload.maxBytes, unit)]);
const forms: readonly [what: string, body: () => Buffer][] = [
  ["as many parts as fit", () => filled(`${partHead("imageFile")}\r\nx\r\n`)],
  ["parts with unterminated headers", () => filled(partHead("imageFile"))],
  [
    "boundaries that differ in the last letter",
    () => filled(`\r\n--${BOUNDARY.slice(1)}c`, `${partHead("imageFile")}\r\n`),
  ],
  ["boundaries followed by spaces", () => filled(`\r\n--${BOUNDARY} \t`)],
  ["one boundary and spaces", () => filled(" ", `--${BOUNDARY}`)],
  ["headers", () => filled("a: b\r\n", partHead("imageFile"))],
  ["one header in many lines", () => filled("\r\n ", partHead("imageFile").trimEnd())],
  ["line breaks", () => filled("\r\n")],
];
const type = `multipart/form-data; boundary=${BOUNDARY}`;
for (const [what, body] of forms) {
  test.serial(`a form of ${what} is refused after at most twenty parts`, async (t) => {
    const { status, total } = await sendCounted("POST", `${api.base}/items/a/page/0`, type, body());
    t.is(status, 400);
    t.true(total.formParts <= 20, `${total.formParts} parts`);
  });
}

/**
 * Names of images, one for each way in which an image can be costly; `test/api/images` checks all images, and
 * `test/workers/pages` decodes a sample.
 */
const ways = ["2,000 floods in a filter", "large turbulence", "many tags", "16-bit interlaced pixels", "packed notes"];
const oneOfEach = (images: typeof hostileSvgs) =>
  images.filter(({ name }) => [...ways, "500,000 frames"].includes(name));
const images: readonly [
  base: "tenant" | "store",
  method: string,
  path: string,
  field: string,
  images: typeof hostileSvgs,
][] = [
  ["tenant", "PUT", "/images/a", "imageFile", oneOfEach([...hostileSvgs, ...hostileRasters(2048)])],
  ["store", "POST", "/items/a/page/0", "imageFile", oneOfEach(hostileRasters(4096))],
];
for (const [of, method, path, field, sent] of images)
  for (const { name, make } of sent)
    test.serial(`${method} ${path} with ${name} receives a response while other calls are served`, async (t) => {
      const body = Buffer.concat([
        Buffer.from(`${partHead(field)}\r\n`),
        make(),
        Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
      ]);
      const base = of === "tenant" ? `${api.origin}/t/${TENANT_ID}/api/management/v1` : api.base;
      const { status } = await eventually("the machine has time for the check", async () => {
        const sent = await sendBeside(method, `${base}${path}`, type, body);
        return sent.status !== 503 && sent;
      });
      t.true(status < 500, `${status}`);
    });

test.serial("a compressed form, and a form instead of JSON, are refused before they are read", async (t) => {
  const form = filled(`${partHead("imageFile")}\r\nx\r\n`);
  const packed = await sendCounted("POST", `${api.base}/items/a/page/0`, type, await pack(form, { level: 1 }), true);
  const json = await sendCounted("PATCH", `${api.base}/items`, type, form);
  t.deepEqual([packed.status, json.status], [415, 415]);
  for (const { total } of [packed, json]) t.deepEqual([total.formParts, total.scannedBytes], [0, 0]);
});
