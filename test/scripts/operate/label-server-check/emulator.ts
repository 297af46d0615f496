import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import Koa, { type Middleware } from "koa";
import type { LabelReports } from "../../../../schemas/label-report.ts";
import type { Report } from "../../../../scripts/label-server/emulated-label.ts";
import { createLabels } from "../../../../scripts/label-server/labels.ts";
import { createReporter } from "../../../../scripts/label-server/reporter.ts";
import { labelServerRoutes } from "../../../../scripts/label-server/routes.ts";

type Labels = ReturnType<typeof createLabels>;

/** Sends reports to Shelfwire; returns its status, or 0 if it cannot be reached. */
export type Forward = (reports: readonly Report[], secret?: string) => Promise<number>;

/** How a faulty label server differs; each field wraps a part of the emulator. */
export interface Fault {
  /** Runs before the routes of the protocol. */
  onCall?: Middleware;
  /** Wraps the labels. */
  labels?: (labels: Labels) => Labels;
  /** Returns the reports that are sent instead of a report. */
  report?: (report: Report) => readonly Report[];
  /** Sends reports in place of the emulator; status 503 makes the reporter repeat them. */
  forward?: (reports: readonly Report[], forward: Forward) => Promise<number>;
  /** Returns the labels after a restart. */
  restarted?: (before: Labels, fresh: Labels) => Labels;
}

export const SECRET = "secret of the tests";
/** Longer than any connection is idle, because closing a connection just as its next call is sent would look like a fault. */
const KEEP_ALIVE_MS = 65_000;

/** Opens an emulated label server with a fault, which reports to this port. After a restart its labels are kept or forgotten. */
export async function openFaultyEmulator(fault: Fault, reportsPort: number) {
  const forward: Forward = async (reports, secret = SECRET) => {
    const url = `http://127.0.0.1:${reportsPort}/label-server/v1/reports`;
    const headers = { "content-type": "application/json", authorization: `Bearer ${secret}` };
    const sent = fetch(url, { method: "POST", headers, body: JSON.stringify({ reports }) });
    return sent.then(({ status }) => status).catch(() => 0);
  };
  const front = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (request, response) => {
    const { reports } = (await json(request)) as LabelReports;
    const status = await (fault.forward ?? ((all) => forward(all)))(reports as Report[], forward);
    response.writeHead(status === 0 ? 503 : status).end();
  });
  let bootId = randomUUID();
  const reporter = createReporter(
    `http://127.0.0.1:${await listen(front)}`,
    SECRET,
    () => bootId,
    () => {},
  );
  const open = () => {
    const report = (one: Report) => {
      for (const changed of fault.report?.(one) ?? [one]) reporter.report(changed);
    };
    const labels = createLabels({ airTimeMs: 0, report, now: () => new Date() });
    return fault.labels?.(labels) ?? labels;
  };
  const appOf = (labels: Labels) => {
    const app = new Koa();
    app.silent = true;
    if (fault.onCall) app.use(fault.onCall);
    const routes = { labels, secret: SECRET, bootIdOf: () => bootId, waitingReports: reporter.waiting };
    app.use(labelServerRoutes(routes).routes());
    return app.callback();
  };
  let labels = open();
  let answer = appOf(labels);
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => void answer(request, response),
  );
  const url = `http://127.0.0.1:${await listen(server)}`;
  const restart = async (next: Labels) => {
    server.closeAllConnections();
    bootId = randomUUID();
    labels = fault.restarted?.(labels, next === labels ? open() : next) ?? next;
    answer = appOf(labels);
  };
  return {
    url,
    restart: { remembering: () => restart(labels), forgetting: () => restart(open()) },
    async close() {
      reporter.stop();
      for (const one of [server, front]) {
        one.closeAllConnections();
        await new Promise((resolve) => one.close(resolve));
      }
    },
  };
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return (server.address() as AddressInfo).port;
}
