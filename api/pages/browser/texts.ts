import { decimalsIn } from "./prices/decimal-text.ts";

/** Returns a message of the page with its values; `count` chooses the form of its number. */
export type Texts = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** The messages that a page passes to its script in `data-texts`. */
export function textsIn({ dataset }: { dataset: { texts?: string | undefined } }): Texts & { language: string } {
  const { language, texts } = JSON.parse(dataset.texts ?? "{}") as {
    language: string;
    texts: Record<string, string | Record<string, string>>;
  };
  const plural = new Intl.PluralRules(language);
  const number = new Intl.NumberFormat(language);
  const decimal = decimalsIn(language);
  const text: Texts = (key, values = {}) => {
    const message = texts[key] ?? "";
    const form =
      typeof message === "string" ? message : (message[plural.select(Number(values.count))] ?? message.other ?? "");
    return form.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? "";
      return typeof value === "number" ? number.format(value) : decimal(key, value);
    });
  };
  return Object.assign(text, { language });
}
