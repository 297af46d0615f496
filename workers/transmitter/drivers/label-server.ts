import type { CallNotice } from "../../../schemas/call-notice.ts";
import type { Cause } from "../../../schemas/cause.ts";
import type { HistoryReason } from "../../../schemas/history-notice.ts";
import type { LabelOrder } from "../../../schemas/jobs.ts";
import type { LabelReport } from "../../../schemas/label-report.ts";
import type { SeenTag } from "../../../schemas/unknown-tag.ts";

/** What every call contains about its label. */
export type Addressed = Omit<LabelOrder, "body">;

/** Passes on reports to be applied as those of the HTTP protocol are; false if they must be passed again later. */
export type Report = (reports: readonly LabelReport[]) => Promise<boolean>;

/** Those of these reports whose labels are on the label server. */
export type OwnReports = (server: LabelServer, reports: readonly LabelReport[]) => Promise<LabelReport[]>;

/**
 * The content of a label's page: a picture or, for a segment label, a text. `number` is the transmission's; retries
 * repeat it.
 */
export interface PageToSend extends Addressed {
  page: number;
  content: { png: Uint8Array } | { text: string };
  /** The label should redraw every pixel, which removes the ghosts of former pictures. */
  isFull?: true;
  /** The causes of the content. */
  cause?: Cause | undefined;
  /** The switch for which the label keeps the picture; absent, it shows the picture at once. */
  switch?: string | undefined;
}

/** An order for all labels of a store that keep pictures for a switch. */
export interface SwitchToOrder {
  store: string;
  switch: string;
  /** When the labels show what they keep; undefined if they must forget it. */
  showAt: Date | undefined;
}

/** A call that is no picture. `number` is the order's; retries repeat it. */
export interface OrderToSend extends Addressed {
  order: "flash" | "display-page" | "fingerprint";
  body: object;
}

/**
 * The label server's answer. `later`: it is busy or unavailable, and the call is retried unchanged. `refused`: final.
 * Tenants read the reason, so it contains neither the text of the answer nor an address.
 */
export type Answer =
  | { kind: "accepted" }
  | {
      kind: "later";
      afterMs: number;
      reason?: string;
      /** Set if the answer, or its absence, concerns the label server as a whole, and not this call alone. */
      server?: "busy" | "silent";
      /** How long the label server requests a rest. */
      restMs?: number;
    }
  | ({ kind: "refused" } & HistoryReason);

/** Called after each call: what it was, what the label server answered, and how long it took. */
export type OnCall = (
  call: "page" | "switch" | OrderToSend["order"],
  answer: "accepted" | "busy" | "refused" | "denied" | "none",
  milliseconds: number,
) => void;

/** The way to a label server, which its driver opens: the transmitter has no other. */
export interface LabelServer {
  sendPage(page: PageToSend): Promise<Answer>;
  sendOrder(order: OrderToSend): Promise<Answer>;
  /** Orders a switch, or calls it off. Absent if the label server cannot keep pictures: it is sent none to be kept. */
  orderSwitch?(order: SwitchToOrder): Promise<Answer>;
  /** Whether a circuit is open, after calls without an answer or denied ones; no call is begun then. */
  isAway(): boolean;
  /** By the driver's clock: when the first of the unanswered calls failed; undefined after an answer. */
  failingSince(): number | undefined;
  /**
   * By the driver's clock: when the first of the calls was denied, by 401 or 403; undefined after another answer. Calls of
   * labels that alone are denied do not count.
   */
  deniedSince(): number | undefined;
  /** By the driver's clock: when it answered again after the circuit had been open; undefined if it never was. */
  backSince(): number | undefined;
  /** By the driver's clock: when a new run of it was seen, which may have forgotten what it accepted; undefined if none was. */
  restartedAt?(): number | undefined;
  /** Notes the id of its run, which a report carries. */
  noteBoot?(bootId: string): void;
  /** By the driver's clock: the last answer and the last call that was not accepted. */
  lastCalls(): LastCalls;
  /** How many pictures it takes at a time; absent, as many as the setting says. */
  readonly concurrency?: number;
  /** The tags that an access point lists; absent for label servers that know labels by their barcodes. */
  seenTags?(): readonly SeenTag[];
  /** Scheme and host, for the log; absent if it is not known. */
  readonly address?: string;
  /** The gateways, if the address is that of a broker: each store has its own, which may be offline alone. */
  readonly gateways?: Gateways;
  close(): Promise<void>;
}

/** The ways to the gateways behind a broker. */
export interface Gateways {
  /** The way to a store's gateway; the same object for each call. */
  of(store: string): LabelServer;
  /** Those that were called so far. */
  all(): LabelServer[];
  /** The stores of those that were called, each with the time by the driver's clock since which its gateway is offline. */
  offlineSince(): [store: string, since: number | undefined][];
}

/** The results of the last calls to a label server, by the driver's clock. */
export interface LastCalls {
  answeredAt?: number;
  failure?: {
    at: number;
    reason: string;
    notice: CallNotice;
    /** The beginning of the answer, or the message of the error: for the operator. */
    detail: string;
  };
}
