import { createTransport } from "nodemailer";
import type { Attempt } from "../../../domain/notifications/retry-mail.ts";
import type { WrittenMail } from "../../../domain/notifications/write-mail.ts";
import type { MailServer, Sender } from "../../../schemas/mail-address.ts";

/** Time limits for a step, and for a whole e-mail in case a server responds slowly but never finishes. */
const usual = { stepMs: 20_000, mailMs: 60_000 };
const AUTHENTICATION_REQUIRED = 530;
const MAX_REASON = 300;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** The fields of nodemailer's errors. */
interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
}

/**
 * Creates the mailer, which connects to the mail server for each e-mail; `send` never throws. `close` aborts the e-mail that is
 * being sent, which is sent again later.
 */
export function openMailer(server: MailServer, from: Sender, { stepMs, mailMs } = usual) {
  const { host, port, isSecure, auth } = server;
  const transport = createTransport({
    ...{ host, port, secure: isSecure },
    ...(auth && { auth }),
    // A password never leaves this machine in clear text.
    requireTLS: auth !== undefined && !isSecure && !LOOPBACK.test(host),
    ...{
      connectionTimeout: stepMs,
      greetingTimeout: stepMs,
      socketTimeout: stepMs,
      dnsTimeout: stepMs,
    },
    // An e-mail contains only what is passed here: no file or URL is read for it.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const closing = new AbortController();
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    async send({ id, to, subject, text, html, headers }: WrittenMail & { id: string; to: string }): Promise<Attempt> {
      try {
        await transport.sendMail({
          from,
          // An address given as an object is not parsed, so it remains a single address.
          to: { name: "", address: to },
          ...{ subject, text, html },
          messageId: `<${id}@${domain}>`,
          headers: prepared({ ...headers, "Auto-Submitted": "auto-generated" }),
          signal: AbortSignal.any([closing.signal, AbortSignal.timeout(mailMs)]),
        });
        return { kind: "sent" };
      } catch (error) {
        return attemptOf(error as SmtpError);
      }
    },
    close() {
      closing.abort(new Error("the process is closing"));
      transport.close();
    },
  };
}

/** Returns headers that are sent unchanged, so that an address in them is not folded; their values are our own. */
const prepared = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { prepared: true, value }]));

/**
 * Decides what a failure means. A permanent rejection (5xx) of the recipient or the e-mail is final; any other failure may be
 * temporary. A rejected login or sender, or a rejection by the mail server's policy (5.7), is for the operator to fix: it does
 * not mean that the address is wrong.
 */
function attemptOf({ code, command = "", responseCode = 0, response, message }: SmtpError): Attempt {
  const reason = (response ?? code ?? message).replace(/\p{Cc}+/gu, " ").slice(0, MAX_REASON);
  const isReceiver = command.startsWith("RCPT");
  const isOfMail = (isReceiver || command === "DATA") && responseCode > 0 && responseCode !== AUTHENTICATION_REQUIRED;
  if (!isOfMail || responseCode < 500) return { kind: "later", reason, isAway: !isOfMail };
  return { kind: "refused", reason, isAddress: isReceiver && !/^5\d\d[ -]5\.7\./.test(response ?? "") };
}
