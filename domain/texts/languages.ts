/** The languages in which people receive texts, each under its own name. */
export const languages = { en: "English", de: "Deutsch", hr: "Hrvatski" } as const;
export type Language = keyof typeof languages;
export const isLanguage = (text: unknown): text is Language =>
  typeof text === "string" && Object.hasOwn(languages, text);
