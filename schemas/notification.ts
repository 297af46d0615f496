import { type Static, Type } from "typebox";
import type { TenantScope } from "./scope.ts";

/** The kinds of notifications, each with the scope that a person needs to receive it. */
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

/** Numbers of minutes that a person can choose from: labels that have been waiting longer are late. */
export const LATE_MINUTES = [15, 30, 60, 240] as const;
/** Maximum number of stores that a person can name; a person who names none is notified about all of their stores. */
export const MAX_NAMED_STORES = 100;
/** The longest address of a mailbox (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
export const MAX_ADDRESS = 254;
/** Maximum number of entries in an e-mail; all others are only counted. */
export const MAX_ENTRIES = 100;

const date = Type.Unsafe<Date>({});

/** A line of an e-mail: something began, ended or happened. */
export const NotificationEntry = Type.Object({
  /** Identifies the subject: the beginning and the end of a state have the same id. */
  id: Type.String(),
  kind: Kind,
  /** Id of the store. */
  store: Type.String(),
  event: Type.Enum(["BEGUN", "OVER", "HAPPENED"]),
  /** When it was noticed. */
  at: date,
  /** When the state began. */
  since: Type.Optional(date),
  /** Number of labels, rows, changes or batteries. */
  count: Type.Optional(Type.Integer()),
  /** Minutes after which labels are late. */
  minutes: Type.Optional(Type.Integer()),
  /** Number of the request that is held or has failed. */
  request: Type.Optional(Type.Integer()),
  /** AWAY: the label server does not respond. DENIES: it rejects the secret. OFFLINE: the store's gateway is offline. */
  trouble: Type.Optional(Type.Enum(["AWAY", "DENIES", "OFFLINE"])),
  /** What has failed: rows of a price list or a campaign, or scheduled changes. */
  of: Type.Optional(Type.Enum(["LIST", "CAMPAIGN", "SCHEDULED"])),
});
export type NotificationEntry = Static<typeof NotificationEntry>;

/** A state that has not ended, as it was last reported or is about to be reported. */
const OpenState = Type.Object({
  id: Type.String(),
  kind: Kind,
  store: Type.String(),
  since: date,
  /** The count that was reported. */
  level: Type.Integer(),
});
export type OpenState = Static<typeof OpenState>;

/** An e-mail that is being sent. Its id stays the same for all attempts, so that receivers can drop repetitions. */
const Mail = Type.Object({
  id: Type.String(),
  kind: Type.Enum(["CONFIRM", "DIGEST"]),
  to: Type.String(),
  entries: Type.Array(NotificationEntry),
  /** Number of entries that did not fit. */
  left: Type.Integer(),
  since: date,
  attempts: Type.Integer(),
  due: date,
});
export type Mail = Static<typeof Mail>;

/**
 * notification: the events about which a person wants e-mails, the entries collected so far, and the e-mails that are being sent.
 */
export const Notification = Type.Object({
  /** Identity of the person, as in sessions: `sub` and a user's name, or `person` and the identity provider's subject. */
  caller: Type.String(),
  language: Type.String(),
  chosen: Type.Array(Kind),
  lateMinutes: Type.Integer(),
  /** Ids of stores, or `*` for all stores of the person. */
  stores: Type.Union([Type.Literal("*"), Type.Array(Type.String())]),
  /** When the person chose this: earlier events are not reported. */
  since: date,
  /** Signs the links in its e-mails. */
  secret: Type.String(),
  /** The address that was confirmed. */
  address: Type.Optional(Type.String()),
  /** The address that is awaiting its confirmation. */
  pending: Type.Optional(Type.Object({ address: Type.String(), until: date })),
  /** Times of the confirmations requested within the last day. */
  asked: Type.Array(date),
  /**
   * Only for a person from the identity provider: the permissions and the verified address from the last login, and how long
   * they are valid.
   */
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
  /** Number of entries that could not be collected because there was no room. */
  left: Type.Integer(),
  mails: Type.Array(Mail),
  /** Times of the e-mails made within the last hour. */
  sent: Type.Array(date),
  /** The Monday for which batteries were last reported. */
  batteriesAt: Type.Optional(date),
  /** Why an e-mail was given up. If `isAddress`, no more e-mails are sent to the address. */
  failure: Type.Optional(
    Type.Object({ at: date, address: Type.String(), reason: Type.String(), isAddress: Type.Boolean() }),
  ),
  /** When its next e-mail is due; absent if there is none. */
  due: Type.Optional(date),
});
export type Notification = Static<typeof Notification>;
