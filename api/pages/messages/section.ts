import type { Message } from "./en.ts";

/** The messages of a section, in a language other than English. */
export type SectionOf<English> = Readonly<Record<keyof English, Message>>;
