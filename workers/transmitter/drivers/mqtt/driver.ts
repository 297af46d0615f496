import type { Logger } from "pino";
import { type CallNotice, callNotice, callText } from "../../../../schemas/call-notice.ts";
import { faultOfCall } from "../../../../schemas/fault-of-call.ts";
import { type LabelServer as Settings, TOPIC_PREFIX } from "../../../../schemas/label-server.ts";
import { createCircuitBreaker } from "../../servers/circuit-breaker.ts";
import { createDenials } from "../../servers/denials.ts";
import { followCalls } from "../follow-calls.ts";
import type { Addressed, Answer, LabelServer, OnCall, OwnReports, Report } from "../label-server.ts";
import { latest } from "../latest.ts";
import { openConnections } from "./connections.ts";
import { createGateways } from "./gateways.ts";
import { type Message, orderMessage, pageMessage, readReports } from "./messages.ts";
import { followPresences } from "./presences.ts";
import { acknowledgementOf } from "./reason-codes.ts";
import { topicsUnder } from "./topics.ts";

interface BrokerWorld {
  clock(): number;
  onCall: OnCall;
  report: Report;
  served: OwnReports;
  log: Pick<Logger, "warn">;
  /** How long the broker may take to acknowledge a message, and the wait before the next attempt. */
  times?: typeof usual;
}

const usual = {
  page: { timeoutMs: 10_000, retryAfterMs: 3_000 },
  order: { timeoutMs: 3_000, retryAfterMs: 1_000 },
};
/** Maximum number of stores or labels that a log line names. */
const MAX_NAMED = 5;

/**
 * The driver for gateways behind an MQTT broker (docs/label-servers/mqtt.md). A call counts as accepted once the broker has
 * acknowledged its message.
 */
export function openBroker(settings: Settings, world: BrokerWorld): LabelServer {
  const { clock, onCall, times = usual } = world;
  const topics = topicsUnder(settings.topicPrefix ?? TOPIC_PREFIX);
  const circuit = createCircuitBreaker(clock);
  const denials = createDenials(clock);
  const presences = followPresences(clock);
  const calls = followCalls(clock);

  const answered = (): void => {
    circuit.answered();
    calls.answered();
  };
  const connections = openConnections({
    ...{ settings, topics, clock, onOpen: answered, onFailure: calls.failed },
    onState: (topic, payload) => presences.note(topics.storeOf(topic), payload),
    onReports: (topic, payload) => takeReports(server, topics.storeOf(topic), payload, world),
  });

  async function call(what: Parameters<OnCall>[0], to: Addressed, message: Message): Promise<Answer> {
    const { timeoutMs, retryAfterMs } = what === "page" ? times.page : times.order;
    const label = `${to.store}/${to.barcode}`;
    const began = clock();
    const noteEnd = (answer: Parameters<OnCall>[1], notice?: CallNotice, detail = message.topic): string => {
      if (notice) calls.failed(notice, detail);
      onCall(what, answer, clock() - began);
      return notice ? callText(notice) : "";
    };
    try {
      const status = await connections.publish(message, timeoutMs);
      answered();
      const result = acknowledgementOf(status, message.options.retain);
      if (result === "denied") {
        const { afterMs, isAlone } = denials.denied(label, retryAfterMs);
        const notice = callNotice(isAlone ? "SERVER_DENIES_LABEL" : "SERVER_DENIES", { status });
        return { kind: "later", afterMs, reason: noteEnd(result, notice) };
      }
      denials.taken(label);
      const notice = callNotice("SERVER_ANSWERED", { status });
      if (result === "refused") return { kind: "refused", reason: noteEnd(result, notice), notice };
      if (result === "busy") return { kind: "later", afterMs: retryAfterMs, reason: noteEnd(result, notice) };
      noteEnd(result);
      return { kind: "accepted" };
    } catch (error) {
      circuit.failed();
      const notice = callNotice("SERVER_SILENT", { fault: faultOfCall(error) });
      return { kind: "later", afterMs: retryAfterMs, reason: noteEnd("none", notice, (error as Error).message) };
    }
  }

  const broker: LabelServer = {
    address: settings.url,
    isAway: () => !connections.isOpen() || circuit.isOpen() || denials.isOpen(),
    failingSince: () => connections.failingSince() ?? circuit.failingSince(),
    deniedSince: () => connections.deniedSince() ?? denials.failingSince(),
    backSince: () => latest(connections.backSince(), circuit.backSince(), denials.backSince()),
    lastCalls: calls.lastCalls,
    sendPage: (page) => call("page", page, pageMessage(topics, page)),
    sendOrder: (order) => call(order.order, order, orderMessage(topics, order)),
    close: connections.close,
  };
  const gateways = createGateways(broker, presences);
  const server: LabelServer = {
    ...{ ...broker, gateways },
    failingSince: () => broker.failingSince() ?? gateways.allOfflineSince(),
  };
  return server;
}

/** Passes a gateway's reports on; false if they must be delivered again. Reports about other stores are left out and logged. */
async function takeReports(
  server: LabelServer,
  store: string,
  payload: Buffer,
  { report, served, log }: BrokerWorld,
): Promise<boolean> {
  const { reports, foreign, fault } = readReports(payload, store);
  if (fault !== undefined) log.warn({ store, fault }, "reports of a gateway are invalid");
  if (foreign.length > 0)
    log.warn({ store, foreign: foreign.slice(0, MAX_NAMED) }, "a gateway sent reports about other stores");
  if (reports.length === 0) return true;
  const own = await served(server, reports);
  if (own.length < reports.length) {
    const known = new Set(own);
    const labels = [...new Set(reports.filter((one) => !known.has(one)).map(({ barcode }) => barcode))];
    log.warn(
      { store, labels: labels.slice(0, MAX_NAMED) },
      "a gateway sent reports about labels that are not on its label server",
    );
  }
  return own.length === 0 || report(own);
}
