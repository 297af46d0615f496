import type { Db } from "mongodb";
import type { Logger } from "pino";
import { withMails } from "../../../domain/notifications/mails.ts";
import { type Attempt, afterAttempt } from "../../../domain/notifications/retry-mail.ts";
import { mayGet } from "../../../domain/notifications/who-is-notified.ts";
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
  /** Sends an e-mail; never throws. */
  send(mail: WrittenMail & { id: string; to: string }): Promise<Attempt>;
  origin: string;
  databaseNow(): Date;
  random(): number;
  log: Pick<Logger, "info" | "warn">;
  /** Whether the process is closing: e-mails that have not been sent yet stay due. */
  isClosing(): boolean;
}

/**
 * A taken e-mail becomes due again after this time: its process must have been killed, before or after the server accepted the
 * e-mail.
 */
const TAKEN_FOR_MS = 180_000;

/**
 * Returns a function that sends due e-mails. Each is stored before it is sent and removed afterwards, so it arrives at least
 * once. If the process is killed in between, the e-mail is sent again under the same Message-ID.
 */
export function createSendMails(world: SendWorld): () => Promise<void> {
  const { db, records, commit, send, origin, databaseNow, random, log, isClosing } = world;

  /** Takes a person's due e-mails; undefined if there are none, for example because another process has taken them. */
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

  /** Writes the e-mail as its recipient's permissions and choices currently allow; undefined if they leave nothing to send. */
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
    // Entries that did not fit may have concerned a store that the person may no longer see.
    const left = entries.length === mail.entries.length ? mail.left : 0;
    return writeDigest({ entries, left }, { ...around, stores });
  }

  /** Sends an e-mail; returns false if the mail server is currently not accepting any. */
  async function sendOne(person: Stored<Notification>, mail: Mail): Promise<boolean> {
    const written = await write(person, mail);
    const attempt: Attempt = written ? await send({ ...written, id: mail.id, to: mail.to }) : { kind: "sent" };
    const now = databaseNow();
    const chance = random();
    const decide = (_: string, current: Stored<Notification> | undefined) =>
      current && afterAttempt(current, mail.id, attempt, now, chance);
    await commit.change(notifications, [person._id], decide, "bulk");
    // Omits the address, since the log is for operators.
    const fields = { notification: person._id, mail: mail.id };
    if (attempt.kind !== "sent") log.warn({ ...fields, ...attempt }, "a notification was not sent");
    else if (written) log.info(fields, "a notification was sent");
    return attempt.kind !== "later" || !attempt.isAway;
  }

  return async () => {
    for (const key of await dueKeys(db, notifications, databaseNow())) {
      if (isClosing()) return;
      const taken = await take(key);
      // Stops if the server currently accepts no e-mails: every other e-mail would have to wait just as long for the server.
      for (const mail of taken?.mails ?? []) if (taken && !(await sendOne(taken.person, mail))) return;
    }
  };
}
