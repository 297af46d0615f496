import { randomBytes, randomUUID } from "node:crypto";
import { isSigned, keyInLink, keyOfPerson, type LinkAct } from "../../domain/notifications/mail-links.ts";
import { CONFIRM_WITHIN_MS, CONFIRMATIONS_PER_DAY, withMails } from "../../domain/notifications/mails.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import { notifications } from "../../records/kinds/notifications.ts";
import type { Records } from "../../records/records.ts";
import { LATE_MINUTES, type Mail, type Notification } from "../../schemas/notification.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Permit } from "../access/verify-token.ts";

export interface NotificationsWorld {
  records: Records;
  commit: Commit;
  databaseNow(): Date;
  /** How long the rights from a person's login at the identity provider stay valid, in seconds. */
  lifetime: number;
}

/** A person's choice of notifications. */
export interface NotificationChoice extends Pick<Notification, "chosen" | "lateMinutes" | "stores" | "language"> {
  /** The address to which e-mails go; empty for none. */
  address: string;
}

/**
 * The outcome of a choice: saved; saved, and a link was sent to the new address; or refused, because too many links were
 * sent.
 */
export type Saved = "saved" | "confirm" | "tooMany";

/** A person's login through the identity provider. */
export interface ProviderLogin {
  caller: string;
  tenant: string;
  stores: "*" | string[];
  scope: string;
  address?: string | undefined;
}

const SECRET_BYTES = 32;
const DAY_MS = 24 * 3_600_000;

/** Reads and changes people's choices of notifications. */
export function createNotifications({ records, commit, databaseNow, lifetime }: NotificationsWorld) {
  const change = async (key: string, decide: (current: Stored<Notification> | undefined) => Notification | undefined) =>
    (await commit.change(notifications, [key], (_, current) => decide(current), "interactive")).get(key);
  const readKey = async (key: string) => (await records.read(notifications, [key])).get(key);

  return {
    read: (permit: Permit): Promise<Stored<Notification> | undefined> => readKey(keyOfPerson(permit)),

    /** Saves a choice. A new address is first sent a link, and nothing else until it is confirmed. */
    async save(permit: Permit, { address, ...choice }: NotificationChoice): Promise<Saved> {
      const now = databaseNow();
      let saved: Saved = "saved";
      await change(keyOfPerson(permit), (current) => {
        const before = { ...(current ?? newNotification(permit.caller, now)), ...choice, since: now };
        const { body, outcome } = withAddress(before, address, now);
        saved = outcome;
        return body;
      });
      return saved;
    },

    /** Returns the notifications that a link in an e-mail names; undefined if the link is invalid or has expired. */
    async ofLink(act: LinkAct, of: unknown, signature: unknown): Promise<Stored<Notification> | undefined> {
      const key = keyInLink(of);
      const found = key === undefined ? undefined : await readKey(key);
      return found && isSigned(act, signature, found, databaseNow()) ? found : undefined;
    },

    /** Confirms the pending address; false if the link is no longer valid. */
    async confirm(key: string, signature: unknown): Promise<boolean> {
      const now = databaseNow();
      const done = await change(key, (current) => {
        if (current?.pending === undefined || !isSigned("confirm", signature, current, now)) return undefined;
        const { pending, failure: _, ...rest } = current;
        return { ...rest, ...nothingSeen, address: pending.address, since: now };
      });
      return done !== undefined;
    },

    /** Stops all notifications of a person. Keeps the address, so that the person can choose notifications again. */
    async stop(key: string): Promise<void> {
      await change(key, (current) => current && withMails({ ...current, ...nothingSeen, chosen: [] }, []));
    },

    /**
     * Records the rights and the e-mail address from a login at the identity provider, because the latest login
     * determines which notifications a person may receive.
     */
    async noteLogin({ caller, tenant, stores: own, scope, address }: ProviderLogin): Promise<void> {
      const now = databaseNow();
      const until = new Date(now.getTime() + lifetime * 1000);
      const login = { stores: own, scope, until, ...(address !== undefined && { address }) };
      await change(keyOfPerson({ tenant, caller }), (current) => ({
        ...(current ?? newNotification(caller, now)),
        login,
      }));
    },
  };
}
export type Notifications = ReturnType<typeof createNotifications>;

const nothingSeen = { open: [], collected: [], left: 0 };

const newNotification = (caller: string, since: Date): Notification => ({
  ...nothingSeen,
  caller,
  language: "en",
  chosen: [],
  lateMinutes: LATE_MINUTES[1],
  stores: "*",
  since,
  secret: randomBytes(SECRET_BYTES).toString("base64url"),
  asked: [],
  mails: [],
  sent: [],
});

/**
 * Adds an address: immediately if the person or the identity provider has already confirmed it, otherwise once its link is
 * confirmed. An empty address removes the current one.
 */
function withAddress(body: Notification, address: string, now: Date): { body: Notification; outcome: Saved } {
  const { address: before, pending: _, failure, ...rest } = body;
  const others = body.mails.filter(({ kind }) => kind !== "CONFIRM");
  if (address === "") return { body: withMails({ ...rest, ...nothingSeen }, []), outcome: "saved" };
  const isKnown = address === before || isSame(address, body.login?.address);
  // Saving the address again is how a person says that it works now.
  if (isKnown) return { body: withMails({ ...rest, address }, others), outcome: "saved" };
  const asked = body.asked.filter((at) => now.getTime() - at.getTime() < DAY_MS);
  const kept = { ...rest, ...(before !== undefined && { address: before }), ...(failure && { failure }) };
  // The link that was sent last stays valid.
  if (asked.length >= CONFIRMATIONS_PER_DAY) return { body: { ...body, asked }, outcome: "tooMany" };
  const pending = { address, until: new Date(now.getTime() + CONFIRM_WITHIN_MS) };
  const mail: Mail = {
    ...{ id: randomUUID(), kind: "CONFIRM", to: address, entries: [], left: 0 },
    ...{ since: now, attempts: 0, due: now },
  };
  return { body: withMails({ ...kept, pending, asked: [...asked, now] }, [...others, mail]), outcome: "confirm" };
}

const isSame = (one: string, other: string | undefined): boolean => one.toLowerCase() === other?.toLowerCase();
