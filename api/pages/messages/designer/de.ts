import type { SectionOf } from "../section.ts";
import type { designer as english } from "./en.ts";
import { publishing } from "./publishing/de.ts";
import { rules } from "./rules/de.ts";

/** Messages for the designer's desk, in German. */
export const designer: SectionOf<typeof english> = {
  "desk.rules": "Regeln",
  "desk.rulesWhat": "Welches Design ein Etikett zeigt.",
  "desk.active": "Aktiv",
  "desk.noRules": "Es gibt noch keine Regeln.",
  "desk.canvases": "Designs",
  "desk.canvasesWhat": "Was ein Etikett zeigt: Texte, Preise, Codes und Bilder.",
  "desk.openCanvases": "Designs öffnen",
  ...publishing,
  ...rules,
};
