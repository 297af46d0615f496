import type { Notification } from "../../schemas/notification.ts";
import { type GrowingWaits, nextAttempt } from "../times/growing-waits.ts";
import { withMails } from "./mails.ts";

const MAIL_WAITS: GrowingWaits = { firstMs: 60_000, lastMs: 3_600_000, giveUpAfterMs: 24 * 3_600_000 };

type Attempted = Pick<Notification, "mails" | "failure" | "due">;

/** The result of an attempt to send an e-mail. */
export type Attempt =
  | { kind: "sent" }
  /** The server may accept the e-mail later. `isAway`: it currently accepts no e-mail at all. */
  | { kind: "later"; reason: string; isAway: boolean }
  /** The server rejects the e-mail. `isAddress`: it rejects every e-mail to this address. */
  | { kind: "refused"; reason: string; isAddress: boolean };

/**
 * Returns the notifications after an attempt to send an e-mail, which is then done, waits for its next attempt, or is given up
 * with the reason.
 */
export function afterAttempt<Body extends Attempted>(
  body: Body,
  id: string,
  attempt: Attempt,
  now: Date,
  random: number,
): Body {
  const mail = body.mails.find((one) => one.id === id);
  if (mail === undefined) return body;
  const others = body.mails.filter((one) => one !== mail);
  if (attempt.kind === "sent") {
    const { failure, ...rest } = body;
    const isCured = failure?.address === mail.to;
    return withMails((isCured ? rest : body) as Body, others);
  }
  const next =
    attempt.kind === "later"
      ? nextAttempt({ since: mail.since, failures: mail.attempts + 1 }, now, random, MAIL_WAITS)
      : undefined;
  if (next !== undefined) return withMails(body, [...others, { ...mail, attempts: mail.attempts + 1, due: next }]);
  const isAddress = attempt.kind === "refused" && attempt.isAddress;
  return withMails({ ...body, failure: { at: now, address: mail.to, reason: attempt.reason, isAddress } }, others);
}
