import type { Message } from "../../texts/texts-in.ts";
import type { en } from "./en.ts";

/** Every text of an e-mail. */
export type MailKey = keyof typeof en;
export type MailMessages = Readonly<Record<MailKey, Message>>;
