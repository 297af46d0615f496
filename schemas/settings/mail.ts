import { mailServerOf, senderOf } from "../mail-address.ts";
import { type Setting, text } from "./setting.ts";

/** Notifications by e-mail. */
export const mail = {
  SMTP_URL: {
    schema: text,
    right:
      "the address of a mail server, such as smtp://user:password@mail.example:587, or smtps:// with TLS from the start; special characters of the password are percent-encoded",
    isRight: (address) => mailServerOf(address) !== undefined,
    optional: true,
    secret: true,
    means:
      "Mail server that sends notifications; requires MAIL_FROM and PUBLIC_URL; smtps:// for TLS from the start; if absent, nobody is notified by e-mail",
  },
  MAIL_FROM: {
    schema: text,
    right: "an address such as labels@chain.example or Shelfwire <labels@chain.example>",
    isRight: (sender) => senderOf(sender) !== undefined,
    optional: true,
    means: "Sender of notifications by e-mail, such as Shelfwire <labels@chain.example>; required with SMTP_URL",
  },
} as const satisfies Record<string, Setting>;
