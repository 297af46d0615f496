import { callTexts } from "./call-notice.ts";
import { type Notice, noticesOf } from "./notice.ts";

/** English text for each reason why a picture or an action did not reach its label, by code, as in the label's history. */
export const historyTexts = {
  SERVER_ANSWERED: callTexts.SERVER_ANSWERED,
  NO_REPORT: "no report after {tries} tries",
  ORDER_LATE: "it could not be sent within {seconds} s",
  ORDER_REPLACED: "a newer order replaced it",
} as const;

export type HistoryNotice = Notice<keyof typeof historyTexts>;
const { notice: historyNotice, text: historyText } = noticesOf(historyTexts);

export { historyNotice };

/** Why something failed, in English; with its notice, if Shelfwire knows the code. */
export interface HistoryReason {
  reason: string;
  notice?: HistoryNotice;
}

/** Makes the reason that a notice reports. */
export const reasonBy = (notice: HistoryNotice): HistoryReason => ({ reason: historyText(notice), notice });

/** Returns only the reason of an object that may have more fields, as an entry of the history stores it. */
export const reasonOnly = ({ reason, notice }: HistoryReason): HistoryReason => ({ reason, ...(notice && { notice }) });
