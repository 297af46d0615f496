import type { CallNotice } from "../../../schemas/call-notice.ts";
import type { Cause } from "../../../schemas/cause.ts";
import type { HistoryReason } from "../../../schemas/history-notice.ts";
import type { LabelOrder } from "../../../schemas/jobs.ts";
import type { LabelReport } from "../../../schemas/label-report.ts";
import type { SeenTag } from "../../../schemas/unknown-tag.ts";

/** The fields that every call contains about its label. */
export type Addressed = Omit<LabelOrder, "body">;

/** Passes reports on, to be applied like reports over the HTTP protocol; returns false if they must be passed again later. */
export type Report = (reports: readonly LabelReport[]) => Promise<boolean>;

/** Returns the reports whose labels are on the label server. */
export type OwnReports = (server: LabelServer, reports: readonly LabelReport[]) => Promise<LabelReport[]>;

/**
 * The content of a label's page: a picture or, for a segment label, text. `number` is the transmission's number; retries repeat
 * it.
 */
export interface PageToSend extends Addressed {
  page: number;
  content: { png: Uint8Array } | { text: string };
  /** Set if the label should redraw every pixel, which removes ghosts of earlier pictures. */
  isFull?: true;
  /** The causes of the content. */
  cause?: Cause | undefined;
  /** The switch for which the label keeps the picture; if absent, the label shows the picture immediately. */
  switch?: string | undefined;
}

/** An order to all labels of a store that keep pictures for a switch. */
export interface SwitchToOrder {
  store: string;
  switch: string;
  /** When the labels must show the kept pictures; undefined if they must discard them. */
  showAt: Date | undefined;
}

/** A call that does not send a picture. `number` is the order's number; retries repeat it. */
export interface OrderToSend extends Addressed {
  order: "flash" | "display-page" | "fingerprint";
  body: object;
}

/**
 * The label server's response. `later`: the label server is busy or unavailable, and the call is retried unchanged. `refused`:
 * the rejection is final. Tenants read the reason, so it contains neither the response's text nor an address.
 */
export type Answer =
  | { kind: "accepted" }
  | {
      kind: "later";
      afterMs: number;
      reason?: string;
      /** Set if the response, or its absence, concerns the label server as a whole, not only this call. */
      server?: "busy" | "silent";
      /** Duration of the rest that the label server requests. */
      restMs?: number;
    }
  | ({ kind: "refused" } & HistoryReason);

/** Called after each call with its kind, the label server's response, and the duration. */
export type OnCall = (
  call: "page" | "switch" | OrderToSend["order"],
  answer: "accepted" | "busy" | "refused" | "denied" | "none",
  milliseconds: number,
) => void;

/**
 * A connection to a label server, which its driver opens. The transmitter reaches label servers only through this interface.
 */
export interface LabelServer {
  sendPage(page: PageToSend): Promise<Answer>;
  sendOrder(order: OrderToSend): Promise<Answer>;
  /**
   * Orders a switch, or calls it off. Absent if the label server cannot keep pictures, in which case no pictures to keep are
   * sent to it.
   */
  orderSwitch?(order: SwitchToOrder): Promise<Answer>;
  /**
   * Whether no call may be started now, for example because a circuit is open after calls that got no response or were denied.
   */
  isAway(): boolean;
  /** When the first call since the last response failed, by the driver's clock; undefined after a response. */
  failingSince(): number | undefined;
  /**
   * When the first call was denied with 401 or 403, by the driver's clock; undefined after any other response. Calls for single
   * denied labels do not count.
   */
  deniedSince(): number | undefined;
  /**
   * When the label server responded again after the circuit had been open, by the driver's clock; undefined if the circuit has
   * never been open.
   */
  backSince(): number | undefined;
  /**
   * When a restart of the label server was detected, by the driver's clock; undefined if none was. It may have forgotten what it
   * accepted.
   */
  restartedAt?(): number | undefined;
  /** Records the id of the label server's run, which a report contains. */
  noteBoot?(bootId: string): void;
  /** The last response and the last call that was not accepted, by the driver's clock. */
  lastCalls(): LastCalls;
  /** Maximum number of concurrent pictures; if absent, the setting applies. */
  readonly concurrency?: number;
  /** The tags that an access point lists; absent for label servers that identify labels by barcode. */
  seenTags?(): readonly SeenTag[];
  /** Scheme and host, for the log; absent if unknown. */
  readonly address?: string;
  /** The gateways, if the address is a broker's: each store has its own gateway, which may be offline while others are online. */
  readonly gateways?: Gateways;
  close(): Promise<void>;
}

/** The connections to the gateways behind a broker. */
export interface Gateways {
  /** Returns the connection to a store's gateway; each call returns the same object. */
  of(store: string): LabelServer;
  /** The gateways that have been called so far. */
  all(): LabelServer[];
  /**
   * The stores whose gateways have been called, each with the time since which its gateway has been offline, by the driver's
   * clock.
   */
  offlineSince(): [store: string, since: number | undefined][];
}

/** The results of the last calls to a label server. Times are by the driver's clock. */
export interface LastCalls {
  answeredAt?: number;
  failure?: {
    at: number;
    reason: string;
    notice: CallNotice;
    /** The beginning of the response, or the error's message; for the operator. */
    detail: string;
  };
}
