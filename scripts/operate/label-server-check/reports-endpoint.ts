import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type LabelReport, LabelReports } from "../../../schemas/label-report.ts";
import { compileCheck } from "../../../schemas/validate.ts";

const PATH = "/label-server/v1/reports";
const checkForm = compileCheck(LabelReports);

/** A call with reports from the label server. */
export interface ReportCall {
  at: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** What is wrong with the format of the call, as messages; empty if nothing is. */
  faults: readonly string[];
  /** The call's reports, if the call is in the right format. */
  reports: readonly LabelReport[];
  /** The status of the response. Undefined before the response, and if the connection was closed without one. */
  status?: number;
}

/** How to answer a call: with a status, not at all, or as Shelfwire would. */
type Answer = number | "hang up" | undefined;

/**
 * Opens the endpoint of Shelfwire to which a label server reports. It answers like Shelfwire, unless `answerBy` sets
 * something else.
 */
export async function openReportsEndpoint(secret: string, port: number) {
  const calls: ReportCall[] = [];
  const waiting = new Set<() => void>();
  let answerOf: (call: ReportCall) => Answer | Promise<Answer> = () => undefined;
  const changed = () => {
    for (const look of waiting) look();
  };

  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    if (request.method !== "POST" || request.url !== PATH) return void response.writeHead(404).end();
    const call = readCall(request.headers, body);
    calls.push(call);
    changed();
    const answer = (await answerOf(call)) ?? ownAnswer(call, secret);
    if (answer === "hang up") return void request.socket.destroy();
    call.status = answer;
    response.writeHead(answer).end();
    changed();
  });
  let isAway = false;
  let attempts = 0;
  server.on("connection", (socket) => {
    if (!isAway) return;
    socket.destroy();
    attempts += 1;
    changed();
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, () => resolve()));

  return {
    port: (server.address() as AddressInfo).port,
    calls: calls as readonly ReportCall[],
    /** Sets how calls are answered from now on. Without a function, calls are answered as Shelfwire would. */
    answerBy(next: typeof answerOf = () => undefined): void {
      answerOf = next;
    },
    /** Returns the first value that `find` returns for the calls so far or to come. Undefined if there is none in time. */
    async waitFor<T>(find: () => T | undefined, milliseconds: number): Promise<T | undefined> {
      const { promise, resolve } = Promise.withResolvers<T | undefined>();
      const look = () => {
        const found = find();
        if (found !== undefined) resolve(found);
      };
      const timer = setTimeout(resolve, milliseconds, undefined);
      waiting.add(look);
      look();
      const found = await promise;
      clearTimeout(timer);
      waiting.delete(look);
      return found;
    },
    /** Closes every connection immediately, until `back` is called. */
    leave(): void {
      isAway = true;
      attempts = 0;
      server.closeAllConnections();
    },
    /** Returns how many connections were attempted since `leave`. */
    attempts: () => attempts,
    back(): void {
      isAway = false;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

export type ReportsEndpoint = Awaited<ReturnType<typeof openReportsEndpoint>>;

function readCall(headers: IncomingHttpHeaders, body: string): ReportCall {
  const call = { at: Date.now(), headers, body };
  try {
    const value: unknown = JSON.parse(body);
    const faults = checkForm(value).map(({ pointer, detail }) => `${pointer} ${detail}`.trim());
    return { ...call, faults, reports: faults.length > 0 ? [] : (value as LabelReports).reports };
  } catch {
    return { ...call, faults: ["is not JSON"], reports: [] };
  }
}

function ownAnswer({ headers, faults }: ReportCall, secret: string): number {
  if (headers.authorization !== `Bearer ${secret}`) return 401;
  return faults.length > 0 ? 400 : 204;
}
