import { publishing } from "./publishing/en.ts";
import { rules } from "./rules/en.ts";

/** Messages for the designer's desk, in English. */
export const designer = {
  "desk.rules": "Rules",
  "desk.rulesWhat": "Which design a label shows.",
  "desk.active": "Active",
  "desk.noRules": "There are no rules yet.",
  "desk.canvases": "Designs",
  "desk.canvasesWhat": "What a label shows: texts, prices, codes and pictures.",
  "desk.openCanvases": "Open designs",
  ...publishing,
  ...rules,
} as const;
