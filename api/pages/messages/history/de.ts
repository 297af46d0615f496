import type { SectionOf } from "../section.ts";
import type { history as english } from "./en.ts";

/** Messages that say why a picture or an action did not reach its label, by notice code, in German. */
export const history: SectionOf<typeof english> = {
  "notice.NO_REPORT": "Das Etikett hat den Empfang nicht bestätigt (Versuche: {tries}).",
  "notice.ORDER_LATE": "Das Senden war nicht innerhalb von {seconds} s möglich.",
  "notice.ORDER_REPLACED": "Eine neuere Aktion hat sie ersetzt.",
};
