import { isLanguage, type Language } from "../../texts/languages.ts";
import { textsIn } from "../../texts/texts-in.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { hr } from "./hr.ts";
import type { MailMessages } from "./mail-messages.ts";

export const mailMessages: Readonly<Record<Language, MailMessages>> = { en, de, hr };

/** Returns the wording of e-mails in a language, or in English if the language is unknown. */
export function mailTexts(language: string) {
  const known = isLanguage(language) ? language : "en";
  return { language: known, texts: textsIn(known, mailMessages[known]) };
}
export type MailTexts = ReturnType<typeof mailTexts>["texts"];
