import type { Message } from "./en.ts";

/** The messages of a section, in another language than English. */
export type SectionOf<English> = Readonly<Record<keyof English, Message>>;
