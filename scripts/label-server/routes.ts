import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import Router from "@koa/router";
import type { Context } from "koa";
import { readBounded } from "../../runtime/read-bounded.ts";
import { reprDigest } from "../../runtime/repr-digest.ts";
import type { EmulatedLabel, Order, Transmission } from "./emulated-label.ts";
import type { createLabels } from "./labels.ts";

interface Dependencies {
  labels: ReturnType<typeof createLabels>;
  secret: string;
  /** Returns the boot id of the current run. Responses contain it, so that Shelfwire detects a restart. */
  bootIdOf?(): string;
  waitingReports(): number;
}

const MAX_BODY_BYTES = 1_000_000;
const shelfPage = readFileSync(new URL("./shelf.html", import.meta.url), "utf8");

/**
 * Serves the protocol of a label server (docs/architecture/guarantees.md#the-newest-picture-wins), and routes with which tests
 * and developers read and change the emulated labels.
 */
export function labelServerRoutes({ labels, secret, waitingReports, ...run }: Dependencies): Router {
  const router = new Router();
  const ownId = randomUUID();
  const bootIdOf = run.bootIdOf ?? (() => ownId);

  router.use(["/labels", "/switches"], (context, next) => {
    if (context.get("authorization") !== `Bearer ${secret}`) context.throw(401);
    context.set("boot-id", bootIdOf());
    return next();
  });

  const obtain = (context: Context, barcode: string) => {
    const [transceiver = ""] = context.get("transceiver").split(", ");
    return labels.obtain(barcode, context.get("store"), decodeURIComponent(transceiver) || undefined);
  };

  const receive = (context: Context, barcode: string, content: Omit<Transmission, "key" | "number">) => {
    const { key, number } = readKey(context);
    labels.receive(obtain(context, barcode), { key, number, isFull: context.get("refresh") === "full", ...content });
    context.status = 202;
    context.body = { transmissionId: key };
  };

  router.put("/labels/:barcode/pages/:page", async (context) => {
    const { barcode = "", page = "0" } = context.params;
    receive(context, barcode, { page: Number(page), png: await readDigested(context) });
  });

  router.put("/labels/:barcode/switches/:switch/pages/:page", async (context) => {
    const { barcode = "", switch: id = "", page = "0" } = context.params;
    receive(context, barcode, { page: Number(page), png: await readDigested(context), switch: id });
  });

  router.post("/switches/:switch", async (context) => {
    const { showAt }: { showAt: string } = JSON.parse((await readBody(context)).toString());
    if (!(Date.parse(showAt) > 0)) context.throw(400, `"${showAt}" is not a time`);
    labels.orderSwitch(context.get("store"), context.params.switch ?? "", new Date(showAt));
    context.status = 202;
  });

  router.delete("/switches/:switch", (context) => {
    labels.callOff(context.get("store"), context.params.switch ?? "");
    context.status = 202;
  });

  router.put("/labels/:barcode/segments", async (context) => {
    const { text }: { text: string } = JSON.parse((await readDigested(context)).toString());
    receive(context, context.params.barcode ?? "", { page: 0, png: Buffer.alloc(0), text });
  });

  for (const kind of ["flash", "display-page", "fingerprint"] as const) {
    router.post(`/labels/:barcode/${kind}`, async (context) => {
      const { key, number } = readKey(context);
      const body: Order["body"] = JSON.parse((await readBody(context)).toString());
      const label = obtain(context, context.params.barcode ?? "");
      labels.obey(label, { kind, number, priority: context.get("priority"), body });
      context.status = 202;
      context.body = { transmissionId: key };
    });
  }

  router.get("/labels", (context) => {
    context.body = [...labels.all()].map(({ barcode, battery }) => ({ barcode, battery }));
  });

  router.get("/emulator/summary", (context) => {
    context.body = { ...labels.totals(), waitingReports: waitingReports() };
  });

  // A caller that sends `run` and `changes` back receives what has changed since then, or everything after a restart.
  router.get("/emulator/glass", (context) => {
    const run = bootIdOf();
    const known = context.query.run === run ? Number(context.query.changes) : 0;
    context.body = { run, ...labels.glassBehind(known) };
  });

  router.get("/emulator/labels", (context) => {
    const search = String(context.query.search ?? "");
    const found = [...labels.all()].filter(({ barcode }) => barcode.includes(search));
    context.body = found.slice(0, Number(context.query.limit ?? 200)).map((label) => show(labels, label));
  });

  router.get("/emulator/labels/:barcode", (context) => {
    const label = labels.get(context.params.barcode ?? "");
    if (label === undefined) context.throw(404);
    else context.body = show(labels, label);
  });

  router.post("/emulator/labels/:barcode", async (context) => {
    const changed = labels.set(context.params.barcode ?? "", JSON.parse((await readBody(context)).toString()));
    context.body = { changed };
  });

  router.post("/emulator/labels/:barcode/press", async (context) => {
    const label = labels.get(context.params.barcode ?? "");
    const { button = 1 }: { button?: number } = JSON.parse((await readBody(context)).toString() || "{}");
    if (label === undefined) context.throw(404);
    else context.body = { pressedAt: labels.press(label, button) ?? null };
  });

  router.get("/emulator/labels/:barcode/pages/:page.png", (context) => {
    const png = labels.get(context.params.barcode ?? "")?.pages.get(Number(context.params.page))?.png;
    if (png === undefined || png.length === 0) context.throw(404);
    context.type = "image/png";
    context.body = png;
  });

  router.get("/", (context) => {
    context.type = "html";
    context.body = shelfPage;
  });
  return router;
}

/** Reads a body and checks it against its digest (RFC 9530). */
async function readDigested(context: Context): Promise<Buffer> {
  const body = await readBody(context);
  const digest = reprDigest(body);
  if (context.get("repr-digest") !== digest) context.throw(400, "the digest does not match the body");
  return body;
}

/** Reads a call's idempotency key, which ends with the number of its transmission or order. */
function readKey(context: Context): { key: string; number: number } {
  const key = context.get("idempotency-key");
  const number = Number(key.slice(key.lastIndexOf("-") + 1));
  if (!(number > 0)) context.throw(400, `"${key}" is not the idempotency key of a transmission`);
  return { key, number };
}

function show(labels: Dependencies["labels"], label: EmulatedLabel) {
  const {
    barcode,
    pages,
    battery,
    batteryMillivolts = null,
    temperature,
    offline,
    fingerprints,
    fullRefreshes,
  } = label;
  const shownPages = [...pages].map(([page, { png, text, ...shown }]) => [page, { ...shown, bytes: png.length }]);
  return {
    barcode,
    pages: Object.fromEntries(shownPages),
    flash: labels.flashOf(label),
    shownPage: labels.shownPageOf(label),
    segments: pages.get(0)?.text ?? null,
    fingerprints,
    fullRefreshes,
    battery,
    batteryMillivolts,
    temperature,
    offline,
  };
}

async function readBody(context: Context): Promise<Buffer> {
  return (await readBounded(context.req, MAX_BODY_BYTES)) ?? context.throw(413);
}
