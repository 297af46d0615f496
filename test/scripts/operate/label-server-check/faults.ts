import type { RuleName } from "../../../../scripts/operate/label-server-check/rules.ts";
import { BARCODES } from "./check-emulator.ts";
import { type Fault, SECRET } from "./emulator.ts";
import {
  answering,
  answeringRepeated,
  blockedByReports,
  hangOn,
  isDelivered,
  obeying,
  reading,
  receiving,
  reporting,
} from "./fault-kinds.ts";
import { runFaults } from "./run-faults.ts";
import { switchFaults } from "./switch-faults.ts";

const MAX_PICTURE_BYTES = 20_000;
const HOUR_MS = 3_600_000;
const LAST_INT32 = 2 ** 31;

/** Label server faults, each with the rule that detects it. */
export const faults: Readonly<Record<string, readonly [RuleName, Fault]>> = {
  "accepts calls without a secret": [
    "secret-required",
    reading((headers) => {
      headers.authorization ??= `Bearer ${SECRET}`;
    }),
  ],
  "accepts any secret": [
    "secret-compared",
    reading((headers) => {
      if (headers.authorization) headers.authorization = `Bearer ${SECRET}`;
    }),
  ],
  "answers pictures with 200": [
    "picture-accepted",
    {
      async onCall(context, next) {
        await next();
        if (context.status === 202) context.status = 200;
      },
    },
  ],
  "never acknowledges": ["picture-acknowledged", { report: () => [] }],
  "refuses large pictures": [
    "large-picture",
    answering(/\/pages\//, ({ req }) => (Number(req.headers["content-length"]) > MAX_PICTURE_BYTES ? 413 : undefined)),
  ],
  "accepts a picture with the digest of another": [
    "digest-compared",
    {
      onCall: (context, next) =>
        next().catch((error: { status?: number }) => {
          if (error.status !== 400) throw error;
          context.status = 202;
        }),
    },
  ],
  "does not support segment labels": ["segments-acknowledged", answering(/\/segments$/, () => 404)],
  "refuses calls without a transceiver": [
    "optional-headers",
    answering(/\/pages\//, ({ req }) => (req.headers.priority === "low" && !req.headers.transceiver ? 400 : undefined)),
  ],
  "compares numbers across pages": [
    "pages-separate",
    receiving((receive, label, sent) => {
      if (![...label.transmissions.values()].some(({ number }) => number > sent.number)) receive(label, sent);
    }),
  ],
  "trims the text of a segment label": [
    "segments-shown",
    receiving((receive, label, { text, ...sent }) =>
      receive(label, { ...sent, ...(text !== undefined && { text: text.trim() }) }),
    ),
  ],
  "forgets the labels after the tenth": [
    "many-labels",
    answering(/\/pages\//, ({ path }) => (path.includes(BARCODES[11] as string) ? 202 : undefined)),
  ],
  "never answers a flash": ["answered-in-time", { onCall: hangOn(/\/flash$/) }],
  "answers a repeated number with 409": ["repeated-accepted", answeringRepeated(409)],
  "is silent about a repeated number that is delivered": [
    "acknowledged-again",
    receiving((receive, label, sent) => {
      if (!isDelivered(label, sent)) receive(label, sent);
    }),
  ],
  "sends a delivered number again": [
    "delivery-time-kept",
    receiving((receive, label, sent) => {
      if (isDelivered(label, sent)) label.transmissions.delete(sent.key);
      receive(label, sent);
    }),
  ],
  "remembers only the last number": [
    "superseded-remembered",
    receiving((receive, label, sent) => {
      for (const key of label.transmissions.keys()) if (key !== sent.key) label.transmissions.delete(key);
      receive(label, sent);
    }),
  ],
  "shows a picture that arrives late": [
    "older-dropped",
    receiving((receive, label, sent) => {
      const later = [...label.transmissions].filter(([, { number }]) => number > sent.number);
      const isNew = !label.transmissions.has(sent.key);
      if (isNew) for (const [key] of later) label.transmissions.delete(key);
      receive(label, sent);
      if (isNew) for (const [key, known] of later) label.transmissions.set(key, known);
    }),
  ],
  "does not send a failed number again": [
    "failed-sent-again",
    receiving((receive, label, sent) => {
      if (label.transmissions.get(sent.key)?.state !== "failed") receive(label, sent);
    }),
  ],
  "compares numbers across stores": [
    "stores-separate",
    (() => {
      const largest = new Map<string, number>();
      return receiving((receive, label, sent) => {
        const place = `${label.barcode} ${sent.page}`;
        if (sent.number < (largest.get(place) ?? 0) && !label.transmissions.has(sent.key)) return;
        largest.set(place, Math.max(sent.number, largest.get(place) ?? 0));
        receive(label, sent);
      });
    })(),
  ],
  "has no fingerprints": ["fingerprint-accepted", answering(/\/fingerprint$/, () => 404)],
  "knows no flash": ["flash-accepted", answering(/\/flash$/, () => 404)],
  "reads an idempotency key from its beginning": [
    "display-page-accepted",
    answering(/\/labels\//, (context) => (context.get("idempotency-key").split("-").length > 4 ? 400 : undefined)),
  ],
  "reports flashes": [
    "orders-unreported",
    {
      labels: (labels) => ({
        ...labels,
        obey(label, order) {
          labels.obey(label, order);
          // Acknowledges a picture under the flash's number.
          labels.receive(label, { key: `flash ${order.number}`, number: order.number, page: 9, png: Buffer.alloc(1) });
        },
      }),
    },
  ],
  "flashes as the last call says": [
    "flash-larger-number",
    obeying((order, label) => {
      if (order.kind === "flash") label.orders.delete("flash");
      return order;
    }),
  ],
  "ignores a flash of 0 seconds": [
    "flash-stopped",
    obeying((order) => (order.kind === "flash" && order.body.duration === 0 ? undefined : order)),
  ],
  "ignores set-temporary": [
    "page-displayed",
    obeying((order) => (order.body.action === "set-temporary" ? undefined : order)),
  ],
  "ignores restore-page": [
    "page-restored",
    obeying((order) => (order.body.action === "restore-page" ? undefined : order)),
  ],
  ...switchFaults,
  "reports local times": ["report-form", reporting((report) => ({ ...report, at: report.at.replace("Z", "") }))],
  "reports with another secret": ["report-secret", { forward: (reports, forward) => forward(reports, "another") }],
  "reports another store": ["report-label", reporting((report) => ({ ...report, store: "t/check/s/other" }))],
  "reports numbers of 32 bits": [
    "report-number",
    reporting(({ transmission = 0, ...report }) => ({ ...report, transmission: transmission % LAST_INT32 })),
  ],
  "reports page 0 for every page": ["report-page", reporting((report) => ({ ...report, page: 0 }))],
  "has a clock that is ahead": [
    "report-time",
    reporting((report) => ({ ...report, at: new Date(Date.parse(report.at) + HOUR_MS).toISOString() })),
  ],
  "reports everything twice": [
    "reported-once",
    {
      async forward(reports, forward) {
        await forward(reports);
        return forward(reports);
      },
    },
  ],
  "drops reports that were answered 503": [
    "repeated-after-503",
    { forward: async (reports, forward) => ((await forward(reports)) === 0 ? 0 : 204) },
  ],
  "drops reports without an answer": [
    "repeated-after-silence",
    { forward: async (reports, forward) => (await forward(reports)) || 204 },
  ],
  "drops reports while Shelfwire is unreachable": [
    "kept-while-away",
    { forward: async (reports, forward) => (await forward(reports)) || 204 },
  ],
  "sends each report in a separate call": [
    "sent-together",
    {
      async forward(reports, forward) {
        for (const report of reports) {
          const status = await forward([report]);
          if (status !== 204) return status;
        }
        return 204;
      },
    },
  ],
  "repeats reports that were answered 400": [
    "refusal-blocks-none",
    { forward: async (reports, forward) => ((await forward(reports)) === 204 ? 204 : 503) },
  ],
  "accepts no calls while it reports": ["calls-beside-reports", blockedByReports()],
  "loses its memory": ["restart-remembering", { restarted: (_, fresh) => fresh }],
  "is silent about numbers from before a restart": [
    "restart-forgetting",
    {
      restarted: (before, fresh) => ({
        ...fresh,
        receive(label, sent) {
          if (!before.get(label.barcode)?.transmissions.has(sent.key)) fresh.receive(label, sent);
        },
      }),
    },
  ],
  ...runFaults,
  "reports no presses": ["press-reported", reporting(({ press, ...report }) => report)],
  "reports a press with the time of its report": [
    "press-repeated",
    {
      forward: (reports, forward) =>
        forward(
          reports.map((one) => (one.press ? { ...one, press: { ...one.press, at: new Date().toISOString() } } : one)),
        ),
    },
  ],
  "reports temperatures in °F": [
    "temperature-reported",
    reporting((report) =>
      report.sensors ? { ...report, sensors: { temperature: report.sensors.temperature * 1.8 + 32 } } : report,
    ),
  ],
};
