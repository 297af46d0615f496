import { createTransport } from "nodemailer";
import type { Attempt } from "../../../domain/notifications/mails.ts";
import type { WrittenMail } from "../../../domain/notifications/write-mail.ts";
import type { MailServer, Sender } from "../../../schemas/mail-address.ts";

const TIMEOUT_MS = 20_000;
const MAX_REASON = 300;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** What nodemailer says of a failure. */
interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
}

/** Opens the mail server; `send` never throws. */
export function openMailer(server: MailServer, from: Sender) {
  const { host, port, isSecure, auth } = server;
  const transport = createTransport({
    ...{ host, port, secure: isSecure },
    ...(auth && { auth }),
    // A password never leaves this machine in clear text.
    requireTLS: auth !== undefined && !isSecure && !LOOPBACK.test(host),
    ...{
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      dnsTimeout: TIMEOUT_MS,
    },
    // Content is only what is passed: no file and no URL is read for a mail.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    async send({ id, to, subject, text, html, headers }: WrittenMail & { id: string; to: string }): Promise<Attempt> {
      try {
        await transport.sendMail({
          from,
          // As an object, which is not parsed: an address stays one address.
          to: { name: "", address: to },
          ...{ subject, text, html },
          messageId: `<${id}@${domain}>`,
          headers: prepared({ ...headers, "Auto-Submitted": "auto-generated" }),
        });
        return { kind: "sent" };
      } catch (error) {
        return attemptOf(error as SmtpError);
      }
    },
    close: () => transport.close(),
  };
}

/** Headers that are sent unchanged: their values are ours, and an address in one is not broken into lines. */
const prepared = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { prepared: true, value }]));

/**
 * What a failure means: a permanent refusal (5xx) of the receiver or the mail ends it; everything else may pass, and so may a
 * refused login, which the operator has to see to.
 */
function attemptOf({ code, command = "", responseCode, response, message }: SmtpError): Attempt {
  const reason = (response ?? code ?? message).replace(/\p{Cc}+/gu, " ").slice(0, MAX_REASON);
  const isFinal = responseCode !== undefined && responseCode >= 500 && code !== "EAUTH";
  if (!isFinal) return { kind: "later", reason };
  return { kind: "refused", reason, isAddress: command.startsWith("RCPT") };
}
