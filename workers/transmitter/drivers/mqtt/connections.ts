import { randomBytes } from "node:crypto";
import pLimit from "p-limit";
import { type CallNotice, callNotice } from "../../../../schemas/call-notice.ts";
import { faultOfCall } from "../../../../schemas/fault-of-call.ts";
import { type LabelServer as Settings, secretsOf } from "../../../../schemas/label-server.ts";
import { latest } from "../latest.ts";
import { MAX_REPORTS_BYTES, type Message } from "./messages.ts";
import { isDenied } from "./reason-codes.ts";
import { openSession, type Session, type SessionError } from "./session.ts";
import type { Topics } from "./topics.ts";

interface ConnectionsOptions {
  settings: Settings;
  topics: Topics;
  clock(): number;
  onState(topic: string, payload: Buffer): void;
  /** Returns false if the message must be delivered again later. */
  onReports(topic: string, payload: Buffer): Promise<boolean>;
  onOpen(): void;
  /** Called when a connection is lost, is denied or cannot be established. */
  onFailure(notice: CallNotice, detail: string): void;
}

/** The connections to a broker. The times concern the publishing connection. */
export interface Connections {
  isOpen(): boolean;
  /** Publishes a message when its turn comes; returns the reason code of the acknowledgement. */
  publish(message: Message, timeoutMs: number): Promise<number>;
  failingSince(): number | undefined;
  deniedSince(): number | undefined;
  backSince(): number | undefined;
  close(): Promise<void>;
}

/** The user name with which Shelfwire connects to brokers; the password is the label server's secret. */
const USER = "shelfwire";
/** How long a broker keeps reports for a process that has lost its connection. */
const REPORTS_EXPIRY_S = 300;
const MAX_STATE_BYTES = 4_096;
/** Maximum size of a message's topic and properties, in addition to its content. */
const MAX_FRAME_BYTES = 4_096;

/**
 * Connects to a broker twice, once for reports and once for publishing. If reports cannot be stored, the first connection is
 * replaced so that they are delivered again; this must not interrupt publishing.
 */
export function openConnections(options: ConnectionsOptions): Connections {
  const { settings, topics, clock, onState, onReports, onOpen, onFailure } = options;
  const times = followTimes(clock);
  const inTurn = pLimit(1);
  const secrets = secretsOf(settings);
  let [taken] = secrets;

  function open(
    own: Omit<Parameters<typeof openSession>[0], "url" | "clientId" | "user" | "password" | "onFailed">,
    onFailed: (wasDenied: boolean) => void,
  ): Session {
    let tried = taken;
    return openSession({
      ...own,
      ...{ url: settings.url, clientId: `${USER}-${randomBytes(6).toString("hex")}`, user: USER },
      password() {
        tried = taken;
        return tried;
      },
      onFailed(error) {
        const wasDenied = isDenied(error.code);
        // While a secret is being replaced, there are two: the other secret is tried next.
        if (wasDenied) taken = secrets.find((secret) => secret !== tried) ?? tried;
        onFailure(noticeOf(error), error.message);
        onFailed(wasDenied);
      },
    });
  }

  const calls = open(
    {
      ...{ filter: topics.everyState, expiryS: 0, maxBytes: MAX_STATE_BYTES },
      async onMessage(topic, payload) {
        onState(topic, payload);
        return true;
      },
      onOpen(receiveMaximum) {
        inTurn.concurrency = receiveMaximum;
        times.opened();
        onOpen();
      },
    },
    times.failed,
  );
  const reports = open(
    {
      ...{ filter: topics.everyReports, expiryS: REPORTS_EXPIRY_S, maxBytes: MAX_REPORTS_BYTES + MAX_FRAME_BYTES },
      ...{ onMessage: onReports, onOpen() {} },
    },
    () => {},
  );

  return {
    ...times,
    isOpen: calls.isOpen,
    publish: (message, timeoutMs) => inTurn(() => calls.publish(message, timeoutMs)),
    close: async () => void (await Promise.all([calls.close(), reports.close()])),
  };
}

const noticeOf = (error: SessionError): CallNotice =>
  isDenied(error.code)
    ? callNotice("SERVER_DENIES", { status: error.code })
    : callNotice("SERVER_SILENT", { fault: faultOfCall(error) });

/** Tracks when a connection began to fail or to be denied, and when it was restored. */
function followTimes(clock: () => number) {
  let failingSince: number | undefined;
  let deniedSince: number | undefined;
  let backSince: number | undefined;
  return {
    failingSince: () => failingSince,
    deniedSince: () => deniedSince,
    backSince: () => backSince,
    opened(): void {
      if (latest(failingSince, deniedSince) !== undefined) backSince = clock();
      failingSince = undefined;
      deniedSince = undefined;
    },
    failed(wasDenied: boolean): void {
      failingSince = wasDenied ? undefined : (failingSince ?? clock());
      deniedSince = wasDenied ? (deniedSince ?? clock()) : undefined;
    },
  };
}
