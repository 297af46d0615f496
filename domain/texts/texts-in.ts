import type { Language } from "./languages.ts";

/** A message: its text, or its plural forms. `{name}` stands for a value. */
export type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** Values for a message. */
type Values = Readonly<Record<string, string | number>>;

/**
 * Returns a function that writes a message in a language with its values. `count` chooses the plural form. `writeText` writes
 * a value that is a string into the message with this key.
 */
export function textsIn<Key extends string>(
  language: Language,
  messages: Readonly<Record<Key, Message>>,
  writeText: (key: Key, value: string) => string = (_, value) => value,
): (key: Key, values?: Values) => string {
  const plural = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  return (key, values = {}) => {
    const message = messages[key];
    const { count } = values;
    const text =
      typeof message === "string" ? message : (message[plural.select(Number(count)) as "one"] ?? message.other);
    return text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? "";
      return typeof value === "number" ? number.format(value) : writeText(key, value);
    });
  };
}
