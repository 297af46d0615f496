import { randomUUID } from "node:crypto";
import type { System } from "../../../queues/system.ts";
import { openActivityLog } from "../../../records/activity/activity-log.ts";
import type { Environment } from "../../../schemas/environment.ts";
import { mailServerOf, senderOf } from "../../../schemas/mail-address.ts";
import { createObservePeople } from "./observe-people.ts";
import { createCountBatteries } from "./read-batteries.ts";
import { createReadFailures } from "./read-failures.ts";
import { createReadStates } from "./read-states.ts";
import { createSendMails } from "./send-mails.ts";
import { openMailer } from "./smtp.ts";

export const mailSettings = ["SMTP_URL", "MAIL_FROM", "PUBLIC_URL", "BASE_PATH"] as const;
type MailSettings = Environment<(typeof mailSettings)[number]>;

/** The two steps of notifications by e-mail; both must be called repeatedly. */
export interface Mails {
  observePeople(): Promise<void>;
  sendMails(): Promise<void>;
  close(): void;
}

/** Opens notifications by e-mail; undefined if the operator has not configured a mail server. */
export function openMails(
  system: System,
  { SMTP_URL, MAIL_FROM, PUBLIC_URL, BASE_PATH = "" }: MailSettings,
): Mails | undefined {
  const server = mailServerOf(SMTP_URL ?? "");
  const from = senderOf(MAIL_FROM ?? "");
  if (server === undefined || from === undefined || PUBLIC_URL === undefined) return undefined;
  const { db, records } = system;
  const mailer = openMailer(server, from);
  let isClosed = false;
  return {
    observePeople: createObservePeople({
      ...system,
      readStates: createReadStates(system),
      readFailures: createReadFailures({ db, activityLog: openActivityLog(db) }),
      countBatteries: createCountBatteries(records),
      newId: randomUUID,
    }),
    sendMails: createSendMails({
      ...system,
      send: mailer.send,
      origin: `${PUBLIC_URL}${BASE_PATH}`,
      random: Math.random,
      isClosing: () => isClosed,
    }),
    close() {
      isClosed = true;
      mailer.close();
    },
  };
}
