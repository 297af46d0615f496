import { type Static, Type } from "typebox";
import type { TenantScope } from "./scope.ts";

/** What a person can be notified of, and the scope without which nobody is. */
export const notificationScopes = {
  LATE_LABELS: "labels:read",
  LABEL_SERVER: "labels:read",
  HELD: "prices:approve",
  FAILED_LIST: "items:read",
  BATTERIES: "labels:read",
} as const satisfies Record<string, TenantScope>;
export type NotificationKind = keyof typeof notificationScopes;
export const notificationKinds = Object.keys(notificationScopes) as NotificationKind[];
const Kind = Type.Enum(notificationKinds);

/** The minutes from which a person can choose: labels that wait for longer are late. */
export const LATE_MINUTES = [15, 30, 60, 240] as const;
/** Stores that a person can name; without names it is notified about all of its stores. */
export const MAX_NAMED_STORES = 100;
/** The longest address of a mailbox (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
export const MAX_ADDRESS = 254;
/** Entries of a mail; further ones are counted. */
export const MAX_ENTRIES = 100;

const date = Type.Unsafe<Date>({});

/** A line of a mail: something began, is over, or happened. */
export const NotificationEntry = Type.Object({
  /** What it is about: the same for the begin and the end of a state. */
  id: Type.String(),
  kind: Kind,
  /** Id of the store. */
  store: Type.String(),
  event: Type.Enum(["BEGUN", "OVER", "HAPPENED"]),
  /** When it was noticed. */
  at: date,
  /** Since when the state lasts, or lasted. */
  since: Type.Optional(date),
  /** How many labels, rows, changes or batteries. */
  count: Type.Optional(Type.Integer()),
  /** Minutes after which labels are late. */
  minutes: Type.Optional(Type.Integer()),
  /** Number of the request that is held or has failed. */
  request: Type.Optional(Type.Integer()),
  /** AWAY: the label server does not respond. DENIES: it rejects the secret. OFFLINE: the store's gateway is offline. */
  trouble: Type.Optional(Type.Enum(["AWAY", "DENIES", "OFFLINE"])),
  /** What has failed: rows of a price list, of a campaign, or changes that were scheduled. */
  of: Type.Optional(Type.Enum(["LIST", "CAMPAIGN", "SCHEDULED"])),
});
export type NotificationEntry = Static<typeof NotificationEntry>;

/** A state that lasts, as it was last reported or is about to be. */
const OpenState = Type.Object({
  id: Type.String(),
  kind: Kind,
  store: Type.String(),
  since: date,
  /** The count that was reported. */
  level: Type.Integer(),
});
export type OpenState = Static<typeof OpenState>;

/** A mail under way. Its id stays the same for all attempts: receivers may drop repetitions by it. */
const Mail = Type.Object({
  id: Type.String(),
  kind: Type.Enum(["CONFIRM", "DIGEST"]),
  to: Type.String(),
  entries: Type.Array(NotificationEntry),
  /** Entries that had no room. */
  left: Type.Integer(),
  since: date,
  attempts: Type.Integer(),
  due: date,
});
export type Mail = Static<typeof Mail>;

/** notification: what a person wants to be notified of by mail, what was collected for it, and its mails under way. */
export const Notification = Type.Object({
  /** Who it is, as its sessions are: `sub` and the name of a user, or `person` and the subject of the identity provider. */
  caller: Type.String(),
  language: Type.String(),
  chosen: Type.Array(Kind),
  lateMinutes: Type.Integer(),
  /** Ids of stores, or all that the person has. */
  stores: Type.Union([Type.Literal("*"), Type.Array(Type.String())]),
  /** When it was chosen: what happened earlier is not reported. */
  since: date,
  /** Signs the links of its mails. */
  secret: Type.String(),
  /** The address that was confirmed. */
  address: Type.Optional(Type.String()),
  /** The address whose confirmation waits. */
  pending: Type.Optional(Type.Object({ address: Type.String(), until: date })),
  /** When confirmations were requested within the last day. */
  asked: Type.Array(date),
  /** A person of the identity provider only: the rights and the verified address of its last login, and until when they hold. */
  login: Type.Optional(
    Type.Object({
      stores: Type.Union([Type.Literal("*"), Type.Array(Type.String())]),
      scope: Type.String(),
      address: Type.Optional(Type.String()),
      until: date,
    }),
  ),
  open: Type.Array(OpenState),
  collected: Type.Array(NotificationEntry),
  /** Entries that had no room among the collected ones. */
  left: Type.Integer(),
  mails: Type.Array(Mail),
  /** When its mails were made, those of the last hour. */
  sent: Type.Array(date),
  /** The Monday up to which batteries were reported. */
  batteriesAt: Type.Optional(date),
  /** Why a mail was given up; the address gets no further one if `isAddress`. */
  failure: Type.Optional(
    Type.Object({ at: date, address: Type.String(), reason: Type.String(), isAddress: Type.Boolean() }),
  ),
  /** When the first of its mails is due; absent without one. */
  due: Type.Optional(date),
});
export type Notification = Static<typeof Notification>;
