import { de } from "./de.ts";
import { en, type Key, type Messages } from "./en.ts";
import { hr } from "./hr.ts";

/** The languages of the pages, each named in itself. */
export const languages = { en: "English", de: "Deutsch", hr: "Hrvatski" } as const;
export type Language = keyof typeof languages;
export const isLanguage = (text: unknown): text is Language =>
  typeof text === "string" && Object.hasOwn(languages, text);

export const messages: Readonly<Record<Language, Messages>> = { en, de, hr };

/** Returns a message with its values; `count` chooses the form of its number. */
export type Texts = (key: Key, values?: Readonly<Record<string, string | number>>) => string;

/** The messages of a language, with numbers as it writes them. */
export function textsOf(language: Language): Texts {
  const plural = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  return (key, values = {}) => {
    const message = messages[language][key];
    const { count } = values;
    const text =
      typeof message === "string" ? message : (message[plural.select(Number(count)) as "one"] ?? message.other);
    return text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? "";
      return typeof value === "number" ? number.format(value) : value;
    });
  };
}
