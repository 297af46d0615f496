import type { Db } from "mongodb";
import type { Logger } from "pino";
import { type Attempt, afterAttempt, withMails } from "../../../domain/notifications/mails.ts";
import { mayGet } from "../../../domain/notifications/rights.ts";
import { type WrittenMail, writeConfirmation, writeDigest } from "../../../domain/notifications/write-mail.ts";
import type { Commit } from "../../../queues/changes/commit.ts";
import { notifications } from "../../../records/kinds/notifications.ts";
import { dueKeys } from "../../../records/mongodb/due-keys.ts";
import type { Records } from "../../../records/records.ts";
import { tenantOf } from "../../../schemas/keys.ts";
import type { Mail, Notification, NotificationEntry } from "../../../schemas/notification.ts";
import type { Stored } from "../../../schemas/record.ts";
import { readNamedStores, readRights } from "./read-people.ts";

export interface SendWorld {
  db: Db;
  records: Records;
  commit: Commit;
  /** Sends a mail; never throws. */
  send(mail: WrittenMail & { id: string; to: string }): Promise<Attempt>;
  origin: string;
  databaseNow(): Date;
  random(): number;
  log: Pick<Logger, "info" | "warn">;
  /** Whether the process ends: what is not sent yet stays due. */
  isClosing(): boolean;
}

/** A mail that was taken is due again after this time: its process was killed, before or after the server took the mail. */
const TAKEN_FOR_MS = 180_000;

/**
 * Returns a function that sends the mails that are due. Each is stored before it is sent and removed afterwards, so it arrives at least
 * once: if the process is killed in between, it is sent again under the same Message-ID.
 */
export function createSendMails(world: SendWorld): () => Promise<void> {
  const { db, records, commit, send, origin, databaseNow, random, log, isClosing } = world;

  /** Takes the due mails of a person; undefined if another process has. */
  async function take(key: string): Promise<{ person: Stored<Notification>; mails: Mail[] } | undefined> {
    const now = databaseNow();
    const until = new Date(now.getTime() + TAKEN_FOR_MS);
    let mails: Mail[] = [];
    const decide = (_: string, current: Stored<Notification> | undefined) => {
      mails = current?.mails.filter(({ due }) => due <= now) ?? [];
      if (current === undefined || mails.length === 0) return undefined;
      return withMails(
        current,
        current.mails.map((mail) => (mails.includes(mail) ? { ...mail, due: until } : mail)),
      );
    };
    const person = (await commit.change(notifications, [key], decide, "bulk")).get(key);
    return person && { person, mails };
  }

  /** The mail as the rights and the choice of its receiver allow it now; undefined if nothing of it is left. */
  async function write(person: Stored<Notification>, mail: Mail): Promise<WrittenMail | undefined> {
    const around = { key: person._id, notification: person, origin };
    if (mail.kind === "CONFIRM") return person.pending?.address === mail.to ? writeConfirmation(around) : undefined;
    if (mail.to !== person.address) return undefined;
    const [rights, stores] = await Promise.all([
      readRights(records, [person], databaseNow()),
      readNamedStores(
        records,
        tenantOf(person._id),
        mail.entries.map(({ store }) => store),
      ),
    ]);
    const own = rights.get(person._id);
    const isChosen = ({ kind, store }: NotificationEntry) =>
      person.chosen.includes(kind) && (person.stores === "*" || person.stores.includes(store));
    const entries = mail.entries.filter(
      (entry) => own && stores.has(entry.store) && mayGet(entry.kind, entry.store, own) && isChosen(entry),
    );
    if (entries.length === 0) return undefined;
    // What had no room may have been of a store that is lost.
    const left = entries.length === mail.entries.length ? mail.left : 0;
    return writeDigest({ entries, left }, { ...around, stores });
  }

  /** Returns false if the mail server takes no mails at the moment. */
  async function sendOne(person: Stored<Notification>, mail: Mail): Promise<boolean> {
    const written = await write(person, mail);
    const attempt: Attempt = written ? await send({ ...written, id: mail.id, to: mail.to }) : { kind: "sent" };
    const now = databaseNow();
    const chance = random();
    const decide = (_: string, current: Stored<Notification> | undefined) =>
      current && afterAttempt(current, mail.id, attempt, now, chance);
    await commit.change(notifications, [person._id], decide, "bulk");
    // Without the address: the log is for operators.
    const fields = { notification: person._id, mail: mail.id };
    if (attempt.kind !== "sent") log.warn({ ...fields, ...attempt }, "a notification was not sent");
    else if (written) log.info(fields, "a notification was sent");
    return attempt.kind !== "later" || !attempt.isAway;
  }

  return async () => {
    for (const key of await dueKeys(db, notifications, databaseNow())) {
      if (isClosing()) return;
      const taken = await take(key);
      // The first mail shows that the server takes none: the others would each wait for it as long.
      for (const mail of taken?.mails ?? []) if (taken && !(await sendOne(taken.person, mail))) return;
    }
  };
}
