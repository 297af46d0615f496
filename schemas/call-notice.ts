import { type Notice, noticesOf } from "./notice.ts";

/**
 * English text for each reason why a call to another server failed or is no longer made, by code. Tenants read this text, so it
 * contains no address.
 */
export const callTexts = {
  // About a subscription's receiver.
  RECEIVER_ANSWERED: "the receiver answered {status}",
  RECEIVER_SILENT: "the receiver did not answer: {fault}",
  RECEIVER_GONE: "the receiver answered 410 (Gone)",
  RECEIVER_PRIVATE: "the receiver's host name resolves to an address that is not public",
  RECEIVER_BEHIND: "more than {limit} events of the tenant were waiting, {count} of them for this receiver",
  ADDRESS_PRIVATE: "{host} is not an address of the public internet",
  // About a label server.
  SERVER_ANSWERED: "the label server answered {status}",
  SERVER_SILENT: "the label server did not answer: {fault}",
  SERVER_DENIES_LABEL: "the label server answered {status} for this label, but accepts others",
  SERVER_DENIES: "the label server answered {status}, because it rejects the secret",
} as const;

export type CallNotice = Notice<keyof typeof callTexts>;
export const { notice: callNotice, text: callText } = noticesOf(callTexts);
