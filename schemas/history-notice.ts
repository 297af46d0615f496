import { callTexts } from "./call-notice.ts";
import type { Notice } from "./notice.ts";

/** Why a picture or an action did not reach its label, in English by its code, as the label's history has it. */
export const historyTexts = {
  SERVER_ANSWERED: callTexts.SERVER_ANSWERED,
  NO_REPORT: "no report after {tries} tries",
  ORDER_LATE: "it could not be sent within {seconds} s",
  ORDER_REPLACED: "a newer order replaced it",
} as const;

export type HistoryNotice = Notice<keyof typeof historyTexts>;
