import type { Mail, Notification } from "../../schemas/notification.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Events within this time are collected in one e-mail. */
const COLLECT_MS = 5 * MINUTE_MS;
/** Maximum number of e-mails to a person within an hour. Further events are collected for the next e-mail. */
export const MAILS_PER_HOUR = 4;
/**
 * Maximum number of confirmations that a person can request within a day, because they go to an address that nobody has
 * confirmed.
 */
export const CONFIRMATIONS_PER_DAY = 5;
/** How long a confirmation link is valid. */
export const CONFIRM_WITHIN_MS = DAY_MS;

type Stored = Pick<Notification, "collected" | "left" | "mails" | "sent" | "address" | "failure" | "due">;

/** Returns the notifications with these e-mails, and with the time at which the first of them is due. */
export function withMails<Body extends Pick<Notification, "mails" | "due">>(body: Body, mails: readonly Mail[]): Body {
  const { due: _, ...rest } = body;
  const times = mails.map(({ due }) => due.getTime());
  return { ...rest, mails: [...mails], ...(times.length > 0 && { due: new Date(Math.min(...times)) }) } as Body;
}

/** Whether the mail server refused an address, so no e-mail may be sent to it. */
export const isRefused = ({ address, failure }: Pick<Notification, "address" | "failure">): boolean =>
  failure?.isAddress === true && failure.address === address;

/** Puts the collected entries into one e-mail, if it is time. `id` becomes the e-mail's id. */
export function collectMail<Body extends Stored>(body: Body, id: string, now: Date): Body {
  const { collected, left, address, mails } = body;
  const first = Math.min(...collected.map(({ at }) => at.getTime()));
  const sent = body.sent.filter((at) => now.getTime() - at.getTime() < HOUR_MS);
  const isDue =
    address !== undefined &&
    !isRefused(body) &&
    collected.length > 0 &&
    now.getTime() - first >= COLLECT_MS &&
    sent.length < MAILS_PER_HOUR &&
    !mails.some(({ kind }) => kind === "DIGEST");
  if (!isDue) return body;
  const mail: Mail = { id, kind: "DIGEST", to: address, entries: collected, left, since: now, attempts: 0, due: now };
  return withMails({ ...body, collected: [], left: 0, sent: [...sent, now] }, [...mails, mail]);
}
