import type { SectionOf } from "../section.ts";
import type { designer as english } from "./en.ts";
import { publishing } from "./publishing/hr.ts";
import { rules } from "./rules/hr.ts";

/** Messages for the designer's desk, in Croatian. */
export const designer: SectionOf<typeof english> = {
  "desk.rules": "Pravila",
  "desk.rulesWhat": "Koji dizajn prikazuje etiketa.",
  "desk.active": "Aktivno",
  "desk.noRules": "Još nema pravila.",
  "desk.canvases": "Dizajni",
  "desk.canvasesWhat": "Što etiketa prikazuje: tekstove, cijene, kodove i slike.",
  "desk.openCanvases": "Otvori dizajne",
  ...publishing,
  ...rules,
};
