import { isLanguage, type Language, languages } from "../../../domain/texts/languages.ts";
import { textsIn } from "../../../domain/texts/texts-in.ts";
import { decimalsIn } from "../browser/prices/decimal-text.ts";
import { de } from "./de.ts";
import { en, type Key, type Messages } from "./en.ts";
import { hr } from "./hr.ts";

export { isLanguage, type Language, languages };

export const messages: Readonly<Record<Language, Messages>> = { en, de, hr };

/** Returns a message with its values; `count` chooses the form of its number. */
export type Texts = (key: Key, values?: Readonly<Record<string, string | number>>) => string;

/** The messages of a language, with numbers as it writes them. */
export const textsOf = (language: Language): Texts => textsIn(language, messages[language], decimalsIn(language));
